// SPDX-License-Identifier: Apache-2.0

// Adds, finds, changes and deletes items: shapes of results, statuses, and dictionaries as only C makes them.

#include "check.h"

static void delete_all(const char *service) {
    CFMutableDictionaryRef query = password(service, NULL);
    CFDictionarySetValue(query, kSecAttrSynchronizable, kSecAttrSynchronizableAny);
    OSStatus status = SecItemDelete(query);
    check(status == errSecSuccess || status == errSecItemNotFound);
    CFRelease(query);
}

static void add(const char *service, const char *account, const char *secret) {
    CFMutableDictionaryRef item = password(service, account);
    give(item, kSecValueData, bytes(secret));
    check_status(SecItemAdd(item, NULL), errSecSuccess);
    check_status(SecItemAdd(item, NULL), errSecDuplicateItem);
    CFRelease(item);
}

static void shapes_of_one_result(void) {
    const char *service = "org.secitem.c.one";
    delete_all(service);
    add(service, "ann", "secret");
    CFMutableDictionaryRef query = password(service, "ann");
    CFTypeRef result = NULL;

    check_status(SecItemCopyMatching(query, NULL), errSecSuccess);

    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    check_status(SecItemCopyMatching(query, &result), errSecSuccess);
    check(has_bytes(result, "secret"));
    CFRelease(result);

    CFDictionarySetValue(query, kSecReturnAttributes, kCFBooleanTrue);
    CFDictionarySetValue(query, kSecReturnPersistentRef, kCFBooleanTrue);
    result = NULL;
    check_status(SecItemCopyMatching(query, &result), errSecSuccess);
    if (check(result && CFGetTypeID(result) == CFDictionaryGetTypeID())) {
        CFDictionaryRef item = (CFDictionaryRef)result;
        check(has_text(CFDictionaryGetValue(item, kSecAttrService), service));
        check(has_text(CFDictionaryGetValue(item, kSecAttrAccount), "ann"));
        check(has_bytes(CFDictionaryGetValue(item, kSecValueData), "secret"));
        CFTypeRef date = CFDictionaryGetValue(item, kSecAttrCreationDate);
        check(date && CFGetTypeID(date) == CFDateGetTypeID());
        check(date && CFAbsoluteTimeGetCurrent() - CFDateGetAbsoluteTime((CFDateRef)date) < 3600);
        check(number_in(item, kSecAttrSynchronizable) == 0);
        CFTypeRef digest = CFDictionaryGetValue(item, kSecAttrSHA1);
        check(digest && CFGetTypeID(digest) == CFDataGetTypeID() && CFDataGetLength((CFDataRef)digest) == 20);

        CFMutableDictionaryRef by_digest = password(service, NULL);
        CFDictionarySetValue(by_digest, kSecAttrSHA1, digest);
        check_status(SecItemCopyMatching(by_digest, NULL), errSecSuccess);
        give(by_digest, kSecAttrSHA1, CFDataCreate(NULL, (const UInt8 *)"01234567890123456789", 20));
        check_status(SecItemCopyMatching(by_digest, NULL), errSecItemNotFound);
        CFRelease(by_digest);

        // Core Foundation's own functions take the result as theirs.
        CFStringRef text = CFCopyDescription(result);
        check(text && CFStringGetLength(text) > 0);
        CFRelease(text);
        text = CFStringCreateWithFormat(NULL, NULL, CFSTR("%@"), result);
        check(text && CFStringGetLength(text) > 0);
        CFRelease(text);
        CFMutableDictionaryRef copy = CFDictionaryCreateMutableCopy(NULL, 0, item);
        check(CFEqual(copy, item));
        CFDictionaryRemoveValue(copy, kSecAttrService);
        check(!CFEqual(copy, item));
        CFRelease(copy);

        // The persistent reference alone finds the item.
        CFMutableDictionaryRef by_reference = dictionary();
        CFDictionarySetValue(by_reference, kSecValuePersistentRef, CFDictionaryGetValue(item, kSecValuePersistentRef));
        CFDictionarySetValue(by_reference, kSecReturnData, kCFBooleanTrue);
        CFTypeRef secret = NULL;
        check_status(SecItemCopyMatching(by_reference, &secret), errSecSuccess);
        check(has_bytes(secret, "secret"));
        CFRelease(secret);
        CFRelease(by_reference);

        // The attributes of a result are a query for the item, without the digest and the reference.
        CFMutableDictionaryRef again = CFDictionaryCreateMutableCopy(NULL, 0, item);
        CFDictionaryRemoveValue(again, kSecAttrSHA1);
        CFDictionaryRemoveValue(again, kSecValuePersistentRef);
        CFDictionaryRemoveValue(again, kSecValueData);
        CFDictionarySetValue(again, kSecClass, kSecClassGenericPassword);
        check_status(SecItemCopyMatching(again, NULL), errSecSuccess);
        CFRelease(again);
    }
    // An owner may release the query first, and the result later.
    CFRelease(query);
    CFRelease(result);
    delete_all(service);
}

static void shapes_of_all_results(void) {
    const char *service = "org.secitem.c.all";
    delete_all(service);
    add(service, "ann", "1");
    add(service, "bob", "2");
    CFMutableDictionaryRef query = password(service, NULL);
    CFDictionarySetValue(query, kSecMatchLimit, kSecMatchLimitAll);
    CFStringRef shapes[] = {kSecReturnData, kSecReturnPersistentRef, kSecReturnAttributes};
    for (int i = 0; i < 3; i++) {
        CFDictionarySetValue(query, shapes[i], kCFBooleanTrue);
        CFTypeRef result = NULL;
        check_status(SecItemCopyMatching(query, &result), errSecSuccess);
        if (check(result && CFGetTypeID(result) == CFArrayGetTypeID())) {
            check(CFArrayGetCount((CFArrayRef)result) == 2);
            CFTypeRef first = CFArrayGetValueAtIndex((CFArrayRef)result, 0);
            check(CFGetTypeID(first) == (i == 0 ? CFDataGetTypeID() : CFDictionaryGetTypeID()));
            CFStringRef text = CFCopyDescription(result);
            check(text != NULL);
            CFRelease(text);
            CFArrayRef copy = CFArrayCreateCopy(NULL, (CFArrayRef)result);
            check(CFEqual(copy, result));
            CFRelease(copy);
            // An element outlives its array.
            CFRetain(first);
            CFRelease(result);
            check(CFHash(first) == CFHash(first));
            CFRelease(first);
        }
    }
    CFRelease(query);
    int two = 2;
    query = password(service, NULL);
    give(query, kSecMatchLimit, CFNumberCreate(NULL, kCFNumberIntType, &two));
    int one = 1;
    give(query, kSecReturnRef, CFNumberCreate(NULL, kCFNumberIntType, &one));
    CFTypeRef result = NULL;
    check_status(SecItemCopyMatching(query, &result), errSecSuccess);
    if (check(result && CFGetTypeID(result) == CFArrayGetTypeID())) {
        // What stands for a password in a list deletes that one alone.
        check(CFArrayGetCount((CFArrayRef)result) == 2);
        for (CFIndex left = CFArrayGetCount((CFArrayRef)result) - 1; left >= 0; left--) {
            const void *reference = CFArrayGetValueAtIndex((CFArrayRef)result, left);
            CFMutableDictionaryRef listed = password(service, NULL);
            give(listed, kSecMatchItemList, CFArrayCreate(NULL, &reference, 1, &kCFTypeArrayCallBacks));
            check_status(SecItemDelete(listed), errSecSuccess);
            check_status(SecItemDelete(listed), errSecItemNotFound);
            CFRelease(listed);
        }
        check_status(SecItemCopyMatching(query, NULL), errSecItemNotFound);
        CFRelease(result);
    }
    CFRelease(query);
    delete_all(service);
}

static void statuses(void) {
    const char *service = "org.secitem.c.statuses";
    delete_all(service);
    CFMutableDictionaryRef query = password(service, "nobody");
    CFTypeRef untouched = query, result = untouched;
    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    check_status(SecItemCopyMatching(query, &result), errSecItemNotFound);
    check(result == untouched);
    CFMutableDictionaryRef none = dictionary();
    CFDictionaryRemoveValue(query, kSecReturnData);
    give(none, kSecAttrLabel, string("label"));
    check_status(SecItemUpdate(query, none), errSecItemNotFound);
    check_status(SecItemDelete(query), errSecItemNotFound);
    CFRelease(none);
    CFRelease(query);

    CFDictionaryRef nothing = NULL;
    check_status(SecItemAdd(nothing, NULL), errSecParam);
    check_status(SecItemCopyMatching(nothing, NULL), errSecParam);
    check_status(SecItemUpdate(nothing, nothing), errSecParam);
    check_status(SecItemDelete(nothing), errSecParam);
    // Another object than a dictionary is refused, too.
    CFStringRef text = string("text");
    check_status(SecItemDelete((CFDictionaryRef)(const void *)text), errSecParam);
    CFRelease(text);

    CFMutableDictionaryRef item = password(service, "ann");
    CFDictionarySetValue(item, kSecAttrIssuer, kCFBooleanTrue);
    check_status(SecItemAdd(item, NULL), errSecNoSuchAttr);
    CFRelease(item);

    CFStringRef message = SecCopyErrorMessageString(errSecItemNotFound, NULL);
    check(message && CFStringGetLength(message) > 10);
    CFRelease(message);
}

static void changes(void) {
    const char *service = "org.secitem.c.changes";
    delete_all(service);
    add(service, "ann", "old");
    CFMutableDictionaryRef query = password(service, "ann"), change = dictionary();
    give(change, kSecValueData, bytes("new"));
    give(change, kSecAttrLabel, string("Ann\xc3\xa9"));
    int number = 0x61626364;
    give(change, kSecAttrCreator, CFNumberCreate(NULL, kCFNumberSInt32Type, &number));
    CFDictionarySetValue(change, kSecAttrIsInvisible, kCFBooleanTrue);
    give(change, kSecAttrCreationDate, CFDateCreate(NULL, 1000));
    check_status(SecItemUpdate(query, change), errSecSuccess);
    CFRelease(change);
    CFDictionarySetValue(query, kSecReturnAttributes, kCFBooleanTrue);
    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    CFTypeRef result = NULL;
    check_status(SecItemCopyMatching(query, &result), errSecSuccess);
    if (result) {
        CFDictionaryRef item = (CFDictionaryRef)result;
        check(has_bytes(CFDictionaryGetValue(item, kSecValueData), "new"));
        check(has_text(CFDictionaryGetValue(item, kSecAttrLabel), "Ann\xc3\xa9"));
        check(number_in(item, kSecAttrCreator) == number);
        CFTypeRef date = CFDictionaryGetValue(item, kSecAttrCreationDate);
        check(date && CFDateGetAbsoluteTime((CFDateRef)date) == 1000);
        CFRelease(result);
    }
    CFRelease(query);
    delete_all(service);
}

/// What macOS's file-based keychain takes: text as the data of an add, the class among the changes, numbers as booleans.
static void forms_of_the_file_keychain(void) {
    const char *service = "org.secitem.c.text";
    delete_all(service);
    CFMutableDictionaryRef item = password(service, "ann"), query = password(service, "ann"), change = dictionary();
    give(item, kSecValueData, string("p\xc3\xa4ss"));
    check_status(SecItemAdd(item, NULL), errSecSuccess);
    check(CFGetTypeID(CFDictionaryGetValue(item, kSecValueData)) == CFStringGetTypeID());
    give(change, kSecValueData, string("other"));
    check_status(SecItemUpdate(query, change), errSecParam);
    CFDictionaryRemoveValue(change, kSecValueData);
    give(change, kSecAttrLabel, string("changed"));
    CFDictionarySetValue(change, kSecClass, kSecClassInternetPassword);
    check_status(SecItemUpdate(query, change), errSecNoSuchAttr);
    CFDictionarySetValue(change, kSecClass, kSecClassGenericPassword);
    check_status(SecItemUpdate(query, change), errSecSuccess);
    check(CFDictionaryGetCount(change) == 2);
    give(query, kSecAttrLabel, string("changed"));
    int zero = 0, one = 1;
    give(query, kSecReturnData, CFNumberCreate(NULL, kCFNumberIntType, &one));
    give(query, kSecReturnAttributes, CFNumberCreate(NULL, kCFNumberIntType, &zero));
    CFTypeRef result = NULL;
    check_status(SecItemCopyMatching(query, &result), errSecSuccess);
    check(has_bytes(result, "p\xc3\xa4ss"));
    if (result) { CFRelease(result); }
    // The same from dictionaries that retain no values, or look at neither keys nor values.
    delete_all(service);
    CFStringRef keys_of_item[] = {kSecClass, kSecAttrService, kSecAttrAccount, kSecValueData};
    CFStringRef values_of_item[] = {kSecClassGenericPassword, CFDictionaryGetValue(item, kSecAttrService),
                                    CFDictionaryGetValue(item, kSecAttrAccount), CFDictionaryGetValue(item, kSecValueData)};
    CFNumberRef number = CFNumberCreate(NULL, kCFNumberIntType, &one);
    CFStringRef keys_of_change[] = {kSecClass, kSecAttrLabel}, keys_of_query[] = {kSecClass, kSecAttrService, kSecReturnData};
    const void *values_of_query[] = {kSecClassGenericPassword, values_of_item[1], number};
    CFDictionaryKeyCallBacks comparing = {0, NULL, NULL, NULL, CFEqual, CFHash};
    const CFDictionaryKeyCallBacks *kinds[] = {NULL, &comparing, &kCFTypeDictionaryKeyCallBacks};
    for (int kind = 0; kind < 3; kind++) {
        const CFDictionaryKeyCallBacks *callbacks = kinds[kind];
        CFDictionaryRef plain_item =
            CFDictionaryCreate(NULL, (const void **)keys_of_item, (const void **)values_of_item, 4, callbacks, NULL);
        CFDictionaryRef plain_change =
            CFDictionaryCreate(NULL, (const void **)keys_of_change, (const void **)values_of_item, 2, callbacks, NULL);
        CFDictionaryRef plain_query =
            CFDictionaryCreate(NULL, (const void **)keys_of_query, values_of_query, 3, callbacks, NULL);
        check_status(SecItemAdd(plain_item, NULL), errSecSuccess);
        result = NULL;
        check_status(SecItemCopyMatching(plain_query, &result), errSecSuccess);
        check(has_bytes(result, "p\xc3\xa4ss"));
        if (result) { CFRelease(result); }
        CFStringRef keys_of_list[] = {kSecClass, kSecAttrService, kSecReturnRef, kSecMatchLimit};
        const void *values_of_list[] = {kSecClassGenericPassword, values_of_item[1], number, kSecMatchLimitAll};
        CFDictionaryRef plain_list =
            CFDictionaryCreate(NULL, (const void **)keys_of_list, values_of_list, 4, callbacks, NULL);
        result = NULL;
        check_status(SecItemCopyMatching(plain_list, &result), errSecSuccess);
        check(result && CFGetTypeID(result) == CFArrayGetTypeID() && CFArrayGetCount((CFArrayRef)result) == 1);
        if (result) { CFRelease(result); }
        CFRelease(plain_list);
        CFMutableDictionaryRef found = password(service, "ann");
        check_status(SecItemUpdate(found, plain_change), errSecSuccess);
        check_status(SecItemDelete(found), errSecSuccess);
        CFRelease(found);
        CFRelease(plain_item);
        CFRelease(plain_change);
        CFRelease(plain_query);
    }
    CFRelease(number);
    CFRelease(item);
    CFRelease(query);
    CFRelease(change);
    delete_all(service);
}

/// Dictionaries whose keys and values Core Foundation neither retains nor looks at.
static void without_callbacks(void) {
    const char *service = "org.secitem.c.plain";
    delete_all(service);
    add(service, "ann", "secret");
    CFStringRef name = string(service), account = string("ann");
    const void *keys[] = {kSecClass, kSecAttrService, kSecAttrAccount, kSecReturnData};
    const void *values[] = {kSecClassGenericPassword, name, account, kCFBooleanTrue};
    CFDictionaryRef query = CFDictionaryCreate(NULL, keys, values, 4, NULL, NULL);
    CFTypeRef result = NULL;
    check_status(SecItemCopyMatching(query, &result), errSecSuccess);
    check(has_bytes(result, "secret"));
    CFRelease(result);
    CFRelease(query);

    values[2] = NULL;
    query = CFDictionaryCreate(NULL, keys, values, 3, NULL, NULL);
    check_status(SecItemCopyMatching(query, NULL), errSecParam);
    check_status(SecItemDelete(query), errSecParam);
    check_status(SecItemAdd(query, NULL), errSecParam);
    CFRelease(query);

    // The change of data to NULL, and to a string, is refused.
    values[2] = account;
    query = CFDictionaryCreate(NULL, keys, values, 3, NULL, NULL);
    const void *data_key = kSecValueData, *no_data = NULL;
    CFDictionaryRef change = CFDictionaryCreate(NULL, &data_key, &no_data, 1, NULL, NULL);
    check_status(SecItemUpdate(query, change), errSecParam);
    CFRelease(change);
    no_data = name;
    change = CFDictionaryCreate(NULL, &data_key, &no_data, 1, NULL, NULL);
    check_status(SecItemUpdate(query, change), errSecParam);
    CFRelease(change);
    CFRelease(query);

    // Types that no attribute has.
    CFMutableArrayRef array = CFArrayCreateMutable(NULL, 0, NULL);
    CFArrayAppendValue(array, NULL);
    CFMutableStringRef mutable_text = CFStringCreateMutable(NULL, 0);
    CFTypeRef foreign[] = {array, kCFNull};
    for (int i = 0; i < 2; i++) {
        CFMutableDictionaryRef item = password(service, "foreign");
        CFDictionarySetValue(item, kSecAttrLabel, foreign[i]);
        check_status(SecItemAdd(item, NULL), errSecParam);
        CFDictionaryRemoveValue(item, kSecAttrLabel);
        CFDictionarySetValue(item, kSecMatchItemList, foreign[i]);
        check_status(SecItemCopyMatching(item, NULL), errSecParam);
        CFRelease(item);
    }
    CFRelease(array);

    // A mutable string is read as it is at the call.
    CFStringAppend(mutable_text, CFSTR("carl"));
    CFMutableDictionaryRef item = password(service, NULL);
    CFDictionarySetValue(item, kSecAttrAccount, mutable_text);
    check_status(SecItemAdd(item, NULL), errSecSuccess);
    CFStringAppend(mutable_text, CFSTR("a"));
    check_status(SecItemAdd(item, NULL), errSecSuccess);
    CFRelease(item);
    CFRelease(mutable_text);
    item = password(service, "carl");
    check_status(SecItemCopyMatching(item, NULL), errSecSuccess);
    CFRelease(item);
    CFRelease(account);
    CFRelease(name);
    delete_all(service);
}

/// What an add gives back.
static void results_of_adds(void) {
    const char *service = "org.secitem.c.added";
    delete_all(service);
    CFMutableDictionaryRef item = password(service, "ann");
    give(item, kSecValueData, bytes("secret"));
    CFDictionarySetValue(item, kSecReturnPersistentRef, kCFBooleanTrue);
    CFTypeRef reference = NULL;
    check_status(SecItemAdd(item, &reference), errSecSuccess);
    check(reference && CFGetTypeID(reference) == CFDataGetTypeID());
    CFMutableDictionaryRef query = dictionary();
    CFDictionarySetValue(query, kSecValuePersistentRef, reference);
    check_status(SecItemDelete(query), errSecSuccess);
    check_status(SecItemDelete(query), errSecItemNotFound);
    CFRelease(reference);
    CFRelease(query);

    // An item without data.
    CFDictionaryRemoveValue(item, kSecValueData);
    CFDictionarySetValue(item, kSecReturnAttributes, kCFBooleanTrue);
    CFTypeRef result = NULL;
    check_status(SecItemAdd(item, &result), errSecSuccess);
    check(result && CFGetTypeID(result) == CFDictionaryGetTypeID());
    check(result && !CFDictionaryContainsKey((CFDictionaryRef)result, kSecValueData));
    CFRelease(result);
    CFRelease(item);
    delete_all(service);
}

static void synchronizable_items(void) {
    const char *service = "org.secitem.c.synchronizable";
    delete_all(service);
    add(service, "ann", "local");
    CFMutableDictionaryRef item = password(service, "ann");
    give(item, kSecValueData, bytes("everywhere"));
    CFDictionarySetValue(item, kSecAttrSynchronizable, kCFBooleanTrue);
    check_status(SecItemAdd(item, NULL), errSecSuccess);
    CFRelease(item);
    CFTypeRef kinds[] = {kCFBooleanFalse, kCFBooleanTrue, kSecAttrSynchronizableAny};
    CFIndex counts[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        CFMutableDictionaryRef query = password(service, "ann");
        CFDictionarySetValue(query, kSecAttrSynchronizable, kinds[i]);
        CFDictionarySetValue(query, kSecMatchLimit, kSecMatchLimitAll);
        CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
        CFTypeRef result = NULL;
        check_status(SecItemCopyMatching(query, &result), errSecSuccess);
        check(result && CFArrayGetCount((CFArrayRef)result) == counts[i]);
        CFRelease(result);
        CFRelease(query);
    }
    delete_all(service);
}

/// What a delete leaves with the private keys of the original.
static void tombstones(void) {
    const char *service = "org.secitem.c.tombstones";
    CFBooleanRef kinds[] = {kCFBooleanFalse, kCFBooleanTrue};
    for (int i = 0; i < 2; i++) {
        CFMutableDictionaryRef item = password(service, "ann");
        CFDictionarySetValue(item, kSecAttrSynchronizable, kinds[i]);
        CFMutableDictionaryRef dead = CFDictionaryCreateMutableCopy(NULL, 0, item);
        CFDictionarySetValue(dead, kSecAttrTombstone, kCFBooleanTrue);
        OSStatus status = SecItemDelete(dead);
        check(status == errSecSuccess || status == errSecItemNotFound);
        give(item, kSecValueData, bytes("secret"));
        check_status(SecItemAdd(item, NULL), errSecSuccess);
        CFDictionaryRemoveValue(item, kSecValueData);

        CFDictionarySetValue(item, kSecUseTombstones, kCFBooleanTrue);
        check_status(SecItemDelete(item), errSecSuccess);
        check_status(SecItemCopyMatching(item, NULL), errSecItemNotFound);
        CFDictionarySetValue(dead, kSecReturnData, kCFBooleanTrue);
        CFTypeRef data = NULL;
        check_status(SecItemCopyMatching(dead, &data), errSecSuccess);
        check(!data || CFDataGetLength((CFDataRef)data) == 0);
        if (data) {
            CFRelease(data);
        }
        // A new item takes its place, and a delete leaves none by default.
        check_status(SecItemAdd(item, NULL), errSecSuccess);
        check_status(SecItemCopyMatching(dead, NULL), errSecItemNotFound);
        CFDictionaryRemoveValue(item, kSecUseTombstones);
        check_status(SecItemDelete(item), errSecSuccess);
        check_status(SecItemCopyMatching(dead, NULL), errSecItemNotFound);
        CFRelease(dead);
        CFRelease(item);
    }
}

static void token_group(void) {
    CFMutableDictionaryRef item = password("org.secitem.c.token", "ann");
    CFDictionarySetValue(item, kSecAttrAccessGroup, kSecAttrAccessGroupToken);
    check_status(SecItemAdd(item, NULL), errSecMissingEntitlement);
    CFRelease(item);
}

static void random_bytes(void) {
    unsigned char first[32] = {0}, second[32] = {0};
    check_status(SecRandomCopyBytes(kSecRandomDefault, sizeof first, first), errSecSuccess);
    check_status(SecRandomCopyBytes(kSecRandomDefault, sizeof second, second), errSecSuccess);
    check(memcmp(first, second, sizeof first) != 0);
    void *nowhere = NULL;
    check_status(SecRandomCopyBytes(kSecRandomDefault, sizeof first, nowhere), errSecParam);
}

int main(void) {
    shapes_of_one_result();
    shapes_of_all_results();
    statuses();
    changes();
    forms_of_the_file_keychain();
    without_callbacks();
    results_of_adds();
    synchronizable_items();
    tombstones();
    token_group();
    random_bytes();
    return end_of_checks("items");
}
