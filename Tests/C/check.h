// SPDX-License-Identifier: Apache-2.0

// What the programs in this folder check with. A program ends with 1 if a check failed.

#pragma once

#include <Security/SecItemPriv.h>
#include <Security/Security.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

#define check(condition) check_at((condition), #condition, __FILE__, __LINE__)
#define check_status(call, wanted) check_status_at((call), (wanted), #call, __FILE__, __LINE__)

static inline int check_at(int holds, const char *text, const char *file, int line) {
    checks++;
    if (!holds) {
        failures++;
        fprintf(stderr, "%s:%d: not true: %s\n", file, line, text);
    }
    return holds;
}

static inline int check_status_at(OSStatus status, OSStatus wanted, const char *text, const char *file, int line) {
    checks++;
    if (status != wanted) {
        failures++;
        fprintf(stderr, "%s:%d: %d in place of %d: %s\n", file, line, (int)status, (int)wanted, text);
    }
    return status == wanted;
}

static inline int end_of_checks(const char *name) {
    printf("%s: %d checks, %d failures\n", name, checks, failures);
    return failures != 0;
}

static inline CFMutableDictionaryRef dictionary(void) {
    return CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
}

static inline CFStringRef string(const char *text) {
    return CFStringCreateWithCString(NULL, text, kCFStringEncodingUTF8);
}

static inline CFDataRef bytes(const char *text) {
    return CFDataCreate(NULL, (const UInt8 *)text, (CFIndex)strlen(text));
}

/// The content of a file of at most 64 KiB.
static inline CFDataRef content_of(const char *path) {
    static UInt8 buffer[65536];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(buffer, 1, sizeof buffer, file) : 0;
    if (file) {
        fclose(file);
    }
    return CFDataCreate(NULL, buffer, (CFIndex)length);
}

/// Sets a value that belongs to the dictionary from then on.
static inline void give(CFMutableDictionaryRef target, CFStringRef key, CFTypeRef value) {
    CFDictionarySetValue(target, key, value);
    CFRelease(value);
}

/// A generic password without data.
static inline CFMutableDictionaryRef password(const char *service, const char *account) {
    CFMutableDictionaryRef item = dictionary();
    CFDictionarySetValue(item, kSecClass, kSecClassGenericPassword);
    give(item, kSecAttrService, string(service));
    if (account) {
        give(item, kSecAttrAccount, string(account));
    }
    return item;
}

static inline int has_text(CFTypeRef value, const char *text) {
    CFStringRef wanted = string(text);
    int equal = value && CFGetTypeID(value) == CFStringGetTypeID() && CFEqual(value, wanted);
    CFRelease(wanted);
    return equal;
}

static inline int has_bytes(CFTypeRef value, const char *text) {
    return value && CFGetTypeID(value) == CFDataGetTypeID() && CFDataGetLength((CFDataRef)value) == (CFIndex)strlen(text) &&
        memcmp(CFDataGetBytePtr((CFDataRef)value), text, strlen(text)) == 0;
}

static inline long number_in(CFDictionaryRef container, CFStringRef key) {
    long number = -1;
    CFTypeRef value = CFDictionaryGetValue(container, key);
    if (!value || CFGetTypeID(value) != CFNumberGetTypeID() ||
        !CFNumberGetValue((CFNumberRef)value, kCFNumberLongType, &number)) {
        return -1;
    }
    return number;
}
