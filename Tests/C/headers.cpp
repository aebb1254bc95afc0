// SPDX-License-Identifier: Apache-2.0

// C++ accepts the headers, and links functions and constants.

#include <Security/SecItemPriv.h>
#include <Security/Security.h>
#include <cstdio>

int main() {
    const void *keys[] = {kSecClass, kSecAttrService};
    const void *values[] = {kSecClassGenericPassword, CFSTR("org.secitem.c.none")};
    CFDictionaryRef query = CFDictionaryCreate(nullptr, keys, values, 2, nullptr, nullptr);
    CFTypeRef result = nullptr;
    OSStatus status = SecItemCopyMatching(query, &result);
    CFRelease(query);
    SecAccessControlCreateFlags flags = kSecAccessControlUserPresence | kSecAccessControlApplicationPassword;
    std::printf("headers: %d\n", static_cast<int>(status));
    return status != errSecItemNotFound || flags == 0;
}
