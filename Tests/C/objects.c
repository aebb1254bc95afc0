// SPDX-License-Identifier: Apache-2.0

// Keys, certificates, identities, policies, trust, access control and import.
//
// Usage: objects CERTIFICATE IDENTITY: a certificate in DER, and a PKCS #12 file with its key; the passphrase is "secret".

#include "check.h"

static void is_described(CFTypeRef object, CFTypeID type) {
    check(object && CFGetTypeID(object) == type);
    CFStringRef text = CFCopyDescription(object);
    check(text && CFStringGetLength(text) > 0);
    CFRelease(text);
    text = CFCopyTypeIDDescription(type);
    check(text && CFStringGetLength(text) > 0);
    CFRelease(text);
    CFArrayRef array = CFArrayCreate(NULL, &object, 1, &kCFTypeArrayCallBacks);
    text = CFCopyDescription(array);
    check(text && CFStringGetLength(text) > 0);
    CFRelease(text);
    check(CFArrayContainsValue(array, CFRangeMake(0, 1), object));
    CFRelease(array);
}

static SecKeyRef new_key(const char *tag) {
    CFMutableDictionaryRef parameters = dictionary(), of_private = dictionary();
    CFDictionarySetValue(parameters, kSecAttrKeyType, kSecAttrKeyTypeECSECPrimeRandom);
    int size = 256;
    give(parameters, kSecAttrKeySizeInBits, CFNumberCreate(NULL, kCFNumberIntType, &size));
    CFDictionarySetValue(of_private, kSecAttrIsPermanent, tag ? kCFBooleanTrue : kCFBooleanFalse);
    if (tag) {
        give(of_private, kSecAttrApplicationTag, bytes(tag));
    }
    give(parameters, kSecPrivateKeyAttrs, of_private);
    CFErrorRef error = NULL;
    SecKeyRef key = SecKeyCreateRandomKey(parameters, &error);
    check(key && !error);
    CFRelease(parameters);
    return key;
}

static void keys(void) {
    SecKeyRef key = new_key("org.secitem.c.key");
    is_described(key, SecKeyGetTypeID());
    SecKeyRef public_key = SecKeyCopyPublicKey(key), again = SecKeyCopyPublicKey(key);
    check(public_key && CFEqual(public_key, again) && CFHash(public_key) == CFHash(again));
    check(!CFEqual(public_key, key));
    CFRelease(again);
    CFDataRef message = bytes("message");
    CFErrorRef error = NULL;
    SecKeyAlgorithm algorithm = kSecKeyAlgorithmECDSASignatureMessageX962SHA256;
    check(SecKeyIsAlgorithmSupported(key, kSecKeyOperationTypeSign, algorithm));
    CFDataRef signature = SecKeyCreateSignature(key, algorithm, message, &error);
    check(signature && !error);
    check(SecKeyVerifySignature(public_key, algorithm, message, signature, &error));
    check(!SecKeyVerifySignature(public_key, algorithm, signature, signature, &error));
    check(error && CFErrorGetCode(error) != 0 && CFEqual(CFErrorGetDomain(error), kCFErrorDomainOSStatus));
    CFStringRef text = CFErrorCopyDescription(error);
    check(text && CFStringGetLength(text) > 0);
    CFRelease(text);
    CFRelease(error);
    CFRelease(signature);
    CFDictionaryRef attributes = SecKeyCopyAttributes(key);
    check(attributes && number_in(attributes, kSecAttrKeySizeInBits) == 256);
    check(CFDictionaryGetValue(attributes, kSecAttrCanSign) == kCFBooleanTrue);
    check(CFDictionaryGetValue(attributes, kSecAttrCanVerify) == kCFBooleanFalse);
    is_described(attributes, CFDictionaryGetTypeID());

    // The bytes make an equal key, and the keychain has the key.
    error = NULL;
    CFDataRef representation = SecKeyCopyExternalRepresentation(key, &error);
    check(representation && CFDataGetLength(representation) == 97);
    SecKeyRef made = SecKeyCreateWithData(representation, attributes, &error);
    check(made && CFEqual(made, key));
    CFRelease(made);
    CFRelease(representation);
    CFRelease(attributes);
    CFMutableDictionaryRef query = dictionary();
    CFDictionarySetValue(query, kSecClass, kSecClassKey);
    give(query, kSecAttrApplicationTag, bytes("org.secitem.c.key"));
    CFDictionarySetValue(query, kSecReturnRef, kCFBooleanTrue);
    CFTypeRef found = NULL;
    check_status(SecItemCopyMatching(query, &found), errSecSuccess);
    check(found && CFGetTypeID(found) == SecKeyGetTypeID() && CFEqual(found, key));
    CFRelease(found);
    CFRelease(query);
    // A reference in a query.
    query = dictionary();
    CFDictionarySetValue(query, kSecValueRef, key);
    check_status(SecItemDelete(query), errSecSuccess);
    check_status(SecItemDelete(query), errSecItemNotFound);
    CFRelease(query);

    // Objects of a wrong type, and none.
    SecKeyRef wrong = (SecKeyRef)(uintptr_t)message, none = NULL;
    check(SecKeyCopyPublicKey(wrong) == NULL && SecKeyCopyPublicKey(none) == NULL);
    error = NULL;
    check(SecKeyCreateSignature(wrong, algorithm, message, &error) == NULL);
    check(error && CFErrorGetCode(error) == errSecParam);
    text = CFErrorCopyDescription(error);
    check(CFStringFind(text, CFSTR("an argument is NULL"), 0).location != kCFNotFound);
    CFRelease(text);
    CFRelease(error);

    // NULL among parameters.
    const void *size_name = kSecKeyKeyExchangeParameterRequestedSize, *nothing = NULL;
    CFDictionaryRef exchange = CFDictionaryCreate(NULL, &size_name, &nothing, 1, NULL, NULL);
    error = NULL;
    check(!SecKeyCopyKeyExchangeResult(key, kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256, public_key, exchange, &error));
    check(error && CFErrorGetCode(error) == errSecParam);
    CFRelease(error);
    CFRelease(exchange);
    exchange = CFDictionaryCreate(NULL, &nothing, &size_name, 1, NULL, NULL);
    error = NULL;
    check(!SecKeyCopyKeyExchangeResult(key, kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256, public_key, exchange, &error));
    check(error && CFErrorGetCode(error) == errSecParam);
    CFRelease(error);
    CFRelease(exchange);
    CFRelease(message);
    CFRelease(public_key);
    CFRelease(key);
}

static void certificates(const char *path) {
    CFDataRef data = content_of(path);
    SecCertificateRef certificate = SecCertificateCreateWithData(NULL, data), second = SecCertificateCreateWithData(NULL, data);
    is_described(certificate, SecCertificateGetTypeID());
    check(certificate != second && CFEqual(certificate, second) && CFHash(certificate) == CFHash(second));
    CFRelease(second);
    CFDataRef copy = SecCertificateCopyData(certificate);
    check(CFEqual(copy, data));
    CFRelease(copy);
    CFStringRef name = SecCertificateCopySubjectSummary(certificate);
    check(has_text(name, "localhost"));
    CFRelease(name);
    check_status(SecCertificateCopyCommonName(certificate, &name), errSecSuccess);
    check(has_text(name, "localhost"));
    CFRelease(name);
    CFErrorRef error = NULL;
    CFDictionaryRef values = SecCertificateCopyValues(certificate, NULL, &error);
    check(values && !error && CFDictionaryGetCount(values) > 3);
    is_described(values, CFDictionaryGetTypeID());
    CFRelease(values);
    SecKeyRef key = SecCertificateCopyKey(certificate);
    check(key && CFGetTypeID(key) == SecKeyGetTypeID());
    CFRelease(key);

    // As an item.
    CFMutableDictionaryRef item = dictionary();
    CFDictionarySetValue(item, kSecValueRef, certificate);
    OSStatus status = SecItemAdd(item, NULL);
    check(status == errSecSuccess || status == errSecDuplicateItem);
    CFDictionarySetValue(item, kSecReturnRef, kCFBooleanTrue);
    CFDictionarySetValue(item, kSecReturnAttributes, kCFBooleanTrue);
    CFTypeRef found = NULL;
    check_status(SecItemCopyMatching(item, &found), errSecSuccess);
    if (check(found && CFGetTypeID(found) == CFDictionaryGetTypeID())) {
        check(CFEqual(CFDictionaryGetValue((CFDictionaryRef)found, kSecValueRef), certificate));
        is_described(found, CFDictionaryGetTypeID());
        CFRelease(found);
    }
    // A list of references, which may have no callbacks.
    const void *element = certificate;
    CFArrayRef list = CFArrayCreate(NULL, &element, 1, NULL);
    CFMutableDictionaryRef query = dictionary();
    CFDictionarySetValue(query, kSecClass, kSecClassCertificate);
    CFDictionarySetValue(query, kSecMatchItemList, list);
    check_status(SecItemCopyMatching(query, NULL), errSecSuccess);
    CFRelease(query);
    CFRelease(list);
    query = dictionary();
    CFDictionarySetValue(query, kSecValueRef, certificate);
    check_status(SecItemDelete(query), errSecSuccess);
    CFRelease(query);
    CFRelease(item);
    CFRelease(certificate);
    CFRelease(data);
}

static void trust_in(const char *path) {
    CFDataRef data = content_of(path);
    SecCertificateRef certificate = SecCertificateCreateWithData(NULL, data);
    SecPolicyRef policy = SecPolicyCreateSSL(true, CFSTR("localhost"));
    is_described(policy, SecPolicyGetTypeID());
    SecTrustRef trust = NULL;
    check_status(SecTrustCreateWithCertificates(certificate, policy, &trust), errSecSuccess);
    is_described(trust, SecTrustGetTypeID());
    CFErrorRef error = NULL;
    check(!SecTrustEvaluateWithError(trust, &error));
    check(error != NULL);
    CFRelease(error);
    const void *element = certificate;
    CFArrayRef anchors = CFArrayCreate(NULL, &element, 1, &kCFTypeArrayCallBacks);
    check_status(SecTrustSetAnchorCertificates(trust, anchors), errSecSuccess);
    CFRelease(anchors);
    error = NULL;
    check(SecTrustEvaluateWithError(trust, &error));
    check(error == NULL);
    SecTrustResultType outcome = kSecTrustResultInvalid;
    check_status(SecTrustGetTrustResult(trust, &outcome), errSecSuccess);
    check(outcome == kSecTrustResultUnspecified);
    check(SecTrustGetCertificateCount(trust) == 1);
    // It belongs to the trust.
    SecCertificateRef leaf = SecTrustGetCertificateAtIndex(trust, 0);
    check(leaf == SecTrustGetCertificateAtIndex(trust, 0) && CFEqual(leaf, certificate));
    check(SecTrustGetCertificateAtIndex(trust, 1) == NULL);
    CFArrayRef chain = SecTrustCopyCertificateChain(trust);
    check(chain && CFArrayGetCount(chain) == 1 && CFEqual(CFArrayGetValueAtIndex(chain, 0), certificate));
    CFRelease(chain);
    for (int wanted = 0; wanted < 2; wanted++) {
        Boolean allowed = 7;
        check_status(SecTrustSetNetworkFetchAllowed(trust, wanted), errSecSuccess);
        check_status(SecTrustGetNetworkFetchAllowed(trust, &allowed), errSecSuccess);
        check(allowed == wanted);
    }
    CFRelease(trust);
    CFRelease(policy);
    CFRelease(certificate);
    CFRelease(data);
}

static void import_of(const char *path) {
    CFDataRef data = content_of(path);
    CFMutableDictionaryRef options = dictionary();
    give(options, kSecImportExportPassphrase, string("wrong"));
    CFArrayRef items = NULL;
    check_status(SecPKCS12Import(data, options, &items), errSecAuthFailed);
    check(items == NULL);
    give(options, kSecImportExportPassphrase, string("secret"));
    check_status(SecPKCS12Import(data, options, &items), errSecSuccess);
    if (check(items && CFArrayGetCount(items) == 1)) {
        CFDictionaryRef item = (CFDictionaryRef)CFArrayGetValueAtIndex(items, 0);
        SecIdentityRef identity = (SecIdentityRef)(uintptr_t)CFDictionaryGetValue(item, kSecImportItemIdentity);
        is_described(identity, SecIdentityGetTypeID());
        is_described(items, CFArrayGetTypeID());
        SecKeyRef key = NULL;
        SecCertificateRef certificate = NULL;
        check_status(SecIdentityCopyPrivateKey(identity, &key), errSecSuccess);
        check_status(SecIdentityCopyCertificate(identity, &certificate), errSecSuccess);
        SecIdentityRef made = SecIdentityCreate(NULL, certificate, key);
        check(made && CFEqual(made, identity));
        CFRelease(made);
        CFRelease(certificate);
        CFRelease(key);
        SecExternalFormat format = kSecFormatUnknown;
        SecExternalItemType type = kSecItemTypeUnknown;
        SecItemImportExportKeyParameters parameters = {.passphrase = CFSTR("secret")};
        CFArrayRef imported = NULL;
        check_status(SecItemImport(data, NULL, &format, &type, 0, &parameters, NULL, &imported), errSecSuccess);
        check(format == kSecFormatPKCS12 && imported && CFArrayGetCount(imported) > 0);
        CFRelease(imported);
        imported = NULL;
        parameters.keyAttributes = (CFArrayRef)(uintptr_t)data;
        check_status(SecItemImport(data, NULL, NULL, NULL, 0, &parameters, NULL, &imported), errSecParam);
        parameters.keyAttributes = NULL;
        format = (SecExternalFormat)999;
        check_status(SecItemImport(data, NULL, &format, NULL, 0, &parameters, NULL, &imported), errSecParam);
        check(format == (SecExternalFormat)999 && !imported);
        CFDataRef exported = NULL;
        check_status(SecItemExport(identity, kSecFormatPKCS12, 0, &parameters, &exported), errSecSuccess);
        check(exported && CFDataGetLength(exported) > 0);
        CFRelease(exported);
        CFRelease(items);
    }
    CFRelease(options);
    CFRelease(data);
}

static void access_control(void) {
    CFErrorRef error = NULL;
    SecAccessControlRef control =
        SecAccessControlCreateWithFlags(NULL, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, 0, &error);
    is_described(control, SecAccessControlGetTypeID());
    CFMutableDictionaryRef item = password("org.secitem.c.access", "ann");
    CFDictionarySetValue(item, kSecAttrAccessControl, control);
    check_status(SecItemAdd(item, NULL), errSecSuccess);
    CFDictionaryRemoveValue(item, kSecAttrAccessControl);
    check_status(SecItemDelete(item), errSecSuccess);
    CFRelease(item);
    CFRelease(control);
    check(SecAccessControlCreateWithFlags(NULL, CFSTR("nonsense"), 0, &error) == NULL);
    check(error && CFErrorGetCode(error) == errSecParam);
    CFRelease(error);
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 64;
    }
    keys();
    certificates(arguments[1]);
    trust_in(arguments[1]);
    import_of(arguments[2]);
    access_control();
    return end_of_checks("objects");
}
