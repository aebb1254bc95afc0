// SPDX-License-Identifier: Apache-2.0

// Functions that take a block: it is copied, called once on its queue with objects that stay the library's, and released.
//
// Usage: blocks CERTIFICATE …: a certificate in DER. More arguments, which other programs here take, are ignored.

#include "check.h"

static dispatch_queue_t queue;
static dispatch_semaphore_t done;
static int mark, calls;

/// What each block does at its end.
static void has_called(int is_on_queue) {
    check((dispatch_get_specific(&mark) != NULL) == is_on_queue);
    calls++;
    dispatch_semaphore_signal(done);
}

/// The function that wrote a block has returned before the block runs, and others have used its part of the stack.
static void run_block(void) {
    volatile char other[4096];
    for (size_t index = 0; index < sizeof other; index++) {
        other[index] = 0x55;
    }
    dispatch_resume(queue);
    check(dispatch_semaphore_wait(done, dispatch_time(DISPATCH_TIME_NOW, 60 * (int64_t)NSEC_PER_SEC)) == 0);
    dispatch_sync(queue, ^{
        check(calls == 1);
        calls = 0;
    });
    dispatch_suspend(queue);
}

static void make_keys(CFDictionaryRef parameters, OSStatus wanted) {
    SecKeyGeneratePairAsync(parameters, queue, ^(SecKeyRef public_key, SecKeyRef private_key, CFErrorRef error) {
        if (wanted == errSecSuccess) {
            SecKeyRef half = private_key ? SecKeyCopyPublicKey(private_key) : NULL;
            check(public_key && half && !error && CFEqual(half, public_key));
            CFRelease(half);
        } else {
            check(!public_key && !private_key && error && CFErrorGetCode(error) == wanted);
        }
        has_called(1);
    });
}

static void keys(void) {
    int size = 256, wrong_size = 3;
    CFNumberRef number = CFNumberCreate(NULL, kCFNumberIntType, &size);
    CFNumberRef wrong = CFNumberCreate(NULL, kCFNumberIntType, &wrong_size);
    const void *names[] = {kSecAttrKeyType, kSecAttrKeySizeInBits, kSecPrivateKeyAttrs};
    // Without callbacks, dictionaries retain nothing: they are read before the function returns.
    CFMutableDataRef tag = CFDataCreateMutable(NULL, 0);
    CFDataAppendBytes(tag, (const UInt8 *)"before", 6);
    const void *nested_names[] = {kSecAttrIsPermanent, kSecAttrApplicationTag}, *nested_values[] = {kCFBooleanTrue, tag};
    CFDictionaryRef nested = CFDictionaryCreate(NULL, nested_names, nested_values, 2, NULL, NULL);
    const void *values[] = {kSecAttrKeyTypeECSECPrimeRandom, number, nested};
    CFDictionaryRef parameters = CFDictionaryCreate(NULL, names, values, 3, NULL, NULL);
    make_keys(parameters, errSecSuccess);
    CFRelease(parameters);
    CFRelease(nested);
    CFRelease(number);
    // Nor do changes afterwards have an effect.
    memcpy(CFDataGetMutableBytePtr(tag), "after!", 6);
    CFRelease(tag);
    run_block();
    CFMutableDictionaryRef query = dictionary();
    CFDictionarySetValue(query, kSecClass, kSecClassKey);
    give(query, kSecAttrApplicationTag, bytes("before"));
    check_status(SecItemDelete(query), errSecSuccess);
    CFRelease(query);

    const void *wrong_values[] = {kSecAttrKeyTypeECSECPrimeRandom, wrong};
    parameters = CFDictionaryCreate(NULL, names, wrong_values, 2, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    make_keys(parameters, errSecKeySizeNotAllowed);
    CFRelease(parameters);
    CFRelease(wrong);
    run_block();

    const void *no_values[] = {NULL};
    parameters = CFDictionaryCreate(NULL, names, no_values, 1, NULL, NULL);
    make_keys(parameters, errSecParam);
    CFRelease(parameters);
    run_block();
    CFDictionaryRef none = NULL;
    make_keys(none, errSecParam);
    run_block();
    // Nothing happens.
    SecKeyGeneratePairBlock no_block = NULL;
    SecKeyGeneratePairAsync(none, queue, no_block);
    dispatch_queue_t no_queue = NULL;
    SecKeyGeneratePairAsync(none, no_queue, ^(SecKeyRef public_key, SecKeyRef private_key, CFErrorRef error) {
        (void)public_key, (void)private_key, (void)error;
        check(!"called");
    });
}

static void evaluate(SecTrustRef trust, bool wanted) {
    check_status(
        SecTrustEvaluateAsyncWithError(trust, queue, ^(SecTrustRef evaluated, bool result, CFErrorRef error) {
            check(evaluated == trust && result == wanted && !error == wanted);
            has_called(1);
        }), errSecSuccess);
}

static void evaluate_in_old_form(SecTrustRef trust, SecTrustResultType wanted) {
    check_status(
        SecTrustEvaluateAsync(trust, queue, ^(SecTrustRef evaluated, SecTrustResultType outcome) {
            check(evaluated == trust && outcome == wanted);
            has_called(1);
        }), errSecSuccess);
}

/// The caller releases the trust before the block runs.
static void trust_in(const char *path) {
    CFDataRef data = content_of(path);
    SecCertificateRef certificate = SecCertificateCreateWithData(NULL, data);
    const void *element = certificate;
    CFArrayRef anchors = CFArrayCreate(NULL, &element, 1, &kCFTypeArrayCallBacks);
    SecPolicyRef policy = SecPolicyCreateSSL(true, CFSTR("localhost"));
    for (int round = 0; round < 4; round++) {
        SecTrustRef trust = NULL;
        check_status(SecTrustCreateWithCertificates(certificate, policy, &trust), errSecSuccess);
        if (round % 2) {
            check_status(SecTrustSetAnchorCertificates(trust, anchors), errSecSuccess);
        }
        if (round < 2) {
            evaluate(trust, round % 2);
        } else {
            evaluate_in_old_form(trust, round % 2 ? kSecTrustResultUnspecified : kSecTrustResultRecoverableTrustFailure);
        }
        CFRelease(trust);
        run_block();
    }
    SecTrustRef none = NULL, wrong = (SecTrustRef)(uintptr_t)data;
    SecTrustCallback block = ^(SecTrustRef evaluated, SecTrustResultType outcome) {
        (void)evaluated, (void)outcome;
        check(!"called");
    };
    SecTrustCallback no_block = NULL;
    check_status(SecTrustEvaluateAsync(none, queue, block), errSecParam);
    check_status(SecTrustEvaluateAsync(wrong, queue, block), errSecParam);
    check_status(SecTrustEvaluateAsync(none, queue, no_block), errSecParam);
    SecTrustWithErrorCallback other = ^(SecTrustRef evaluated, bool result, CFErrorRef error) {
        (void)evaluated, (void)result, (void)error;
        check(!"called");
    };
    SecTrustWithErrorCallback no_other = NULL;
    dispatch_queue_t no_queue = NULL;
    SecTrustRef trust = NULL;
    check_status(SecTrustCreateWithCertificates(certificate, policy, &trust), errSecSuccess);
    check_status(SecTrustEvaluateAsyncWithError(none, queue, other), errSecParam);
    check_status(SecTrustEvaluateAsyncWithError(trust, no_queue, other), errSecParam);
    check_status(SecTrustEvaluateAsyncWithError(trust, queue, no_other), errSecParam);
    CFRelease(trust);
    CFRelease(policy);
    CFRelease(anchors);
    CFRelease(certificate);
    CFRelease(data);
}

static void add_credential(CFStringRef host, OSStatus wanted) {
    SecAddSharedWebCredential(host, CFSTR("ann"), NULL, ^(CFErrorRef error) {
        check(error && CFErrorGetCode(error) == wanted);
        has_called(0);
    });
}

static void request_credential(void) {
    SecRequestSharedWebCredential(NULL, NULL, ^(CFArrayRef credentials, CFErrorRef error) {
        check(!credentials && error && CFErrorGetCode(error) == errSecUnimplemented);
        has_called(0);
    });
}

int main(int count, char **arguments) {
    if (count < 2) {
        return 64;
    }
    queue = dispatch_queue_create("org.secitem.c.blocks", NULL);
    dispatch_queue_set_specific(queue, &mark, &mark, NULL);
    dispatch_suspend(queue);
    done = dispatch_semaphore_create(0);
    keys();
    trust_in(arguments[1]);
    CFStringRef none = NULL;
    add_credential(CFSTR("example.org"), errSecUnimplemented);
    run_block();
    add_credential(none, errSecParam);
    run_block();
    request_credential();
    run_block();
    dispatch_resume(queue);
    dispatch_release(queue);
    dispatch_release(done);
    return end_of_checks("blocks");
}
