// SPDX-License-Identifier: Apache-2.0

// Many calls: the memory of the process stays as it is, and eight threads do not disturb each other.
//
// Usage: load CALLS CALLS_OF_A_THREAD

#include "check.h"
#include <pthread.h>
#include <unistd.h>

static long pages(void) {
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2) {
        resident = -1;
    }
    if (file) {
        fclose(file);
    }
    return resident;
}

static void look_up(CFDictionaryRef query, int calls) {
    for (int i = 0; i < calls; i++) {
        CFTypeRef result = NULL;
        check_status(SecItemCopyMatching(query, &result), errSecSuccess);
        if (result) {
            CFRelease(result);
        }
    }
}

/// A look-up of an item with all that a result can have.
static void memory_stays(int calls) {
    CFMutableDictionaryRef item = password("org.secitem.c.load", "ann");
    SecItemDelete(item);
    give(item, kSecValueData, bytes("secret"));
    check_status(SecItemAdd(item, NULL), errSecSuccess);
    CFDictionaryRemoveValue(item, kSecValueData);
    CFMutableDictionaryRef query = CFDictionaryCreateMutableCopy(NULL, 0, item);
    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    CFDictionarySetValue(query, kSecReturnAttributes, kCFBooleanTrue);
    CFDictionarySetValue(query, kSecReturnPersistentRef, kCFBooleanTrue);
    look_up(query, calls / 10);
    long before = pages();
    look_up(query, calls);
    long grown = (pages() - before) * sysconf(_SC_PAGESIZE);
    // Less than a word for each call.
    check(grown < 512 * 1024 || grown < 8L * calls);
    printf("load: %d calls, %ld KiB\n", calls, grown / 1024);
    CFRelease(query);
    check_status(SecItemDelete(item), errSecSuccess);
    CFRelease(item);
}

/// Finding the Swift object behind a reference leaves nothing behind.
static void memory_stays_with_objects(int calls) {
    SecPolicyRef policy = SecPolicyCreateBasicX509();
    CFHashCode code = CFHash(policy);
    long before = pages();
    for (int i = 0; i < calls; i++) {
        check(CFHash(policy) == code);
    }
    check((pages() - before) * sysconf(_SC_PAGESIZE) < 16L * calls);
    CFRelease(policy);
}

struct share {
    int number, calls, wrong;
};

static void *work(void *argument) {
    struct share *share = argument;
    char account[32];
    for (int i = 0; i < share->calls; i++) {
        snprintf(account, sizeof account, "%d-%d", share->number, i);
        CFMutableDictionaryRef item = password("org.secitem.c.threads", account);
        give(item, kSecValueData, bytes(account));
        share->wrong += SecItemAdd(item, NULL) != errSecSuccess;
        CFDictionaryRemoveValue(item, kSecValueData);
        CFDictionarySetValue(item, kSecReturnData, kCFBooleanTrue);
        CFTypeRef result = NULL;
        share->wrong += SecItemCopyMatching(item, &result) != errSecSuccess || !has_bytes(result, account);
        if (result) {
            CFRelease(result);
        }
        CFDictionaryRemoveValue(item, kSecReturnData);
        share->wrong += SecItemDelete(item) != errSecSuccess;
        CFRelease(item);
    }
    return NULL;
}

static void threads(int calls) {
    pthread_t workers[8];
    struct share shares[8];
    for (int i = 0; i < 8; i++) {
        shares[i] = (struct share){i, calls, 0};
        check(pthread_create(&workers[i], NULL, work, &shares[i]) == 0);
    }
    for (int i = 0; i < 8; i++) {
        pthread_join(workers[i], NULL);
        check(shares[i].wrong == 0);
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 64;
    }
    memory_stays(atoi(arguments[1]));
    memory_stays_with_objects(20000);
    threads(atoi(arguments[2]));
    return end_of_checks("load");
}
