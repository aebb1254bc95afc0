// SPDX-License-Identifier: Apache-2.0

// Stores a password in the keychain, reads it back and deletes it.
//
// Build: gcc keychain.c -o keychain $(pkg-config --cflags --libs security)

#include <Security/Security.h>
#include <stdio.h>

int main(void) {
    CFMutableDictionaryRef item =
        CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    CFDictionarySetValue(item, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(item, kSecAttrService, CFSTR("org.example.c"));
    CFDictionarySetValue(item, kSecAttrAccount, CFSTR("anna"));

    CFDataRef secret = CFDataCreate(NULL, (const UInt8 *)"secret", 6);
    CFDictionarySetValue(item, kSecValueData, secret);
    CFRelease(secret);
    OSStatus added = SecItemAdd(item, NULL);

    CFDictionaryRemoveValue(item, kSecValueData);
    CFDictionarySetValue(item, kSecReturnData, kCFBooleanTrue);
    CFTypeRef result = NULL;
    OSStatus found = SecItemCopyMatching(item, &result);
    if (found == errSecSuccess) {
        printf("added: %d, found: %.*s\n", (int)added, (int)CFDataGetLength(result), (const char *)CFDataGetBytePtr(result));
        CFRelease(result);
    }

    CFDictionaryRemoveValue(item, kSecReturnData);
    OSStatus deleted = SecItemDelete(item);
    CFRelease(item);
    return added != errSecSuccess || found != errSecSuccess || deleted != errSecSuccess;
}
