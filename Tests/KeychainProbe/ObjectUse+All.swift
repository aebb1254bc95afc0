// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

extension ObjectUse {
    private static let noFlags = SecItemImportExportFlags(rawValue: 0)
    private nonisolated(unsafe) static var key: SecKey!
    private nonisolated(unsafe) static var publicKey: SecKey!
    private nonisolated(unsafe) static var signature: CFData!
    private nonisolated(unsafe) static var ciphertext: CFData!
    private nonisolated(unsafe) static var file: CFData!
    private nonisolated(unsafe) static var items: CFArray?
    private nonisolated(unsafe) static var newPublicKey: SecKey?
    private nonisolated(unsafe) static var newPrivateKey: SecKey?
    private nonisolated(unsafe) static var isAllowed = DarwinBoolean(false)
    private nonisolated(unsafe) static var count = 512
    private nonisolated(unsafe) static let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
    private nonisolated(unsafe) static let decrypted = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
    private nonisolated(unsafe) static var certificate: SecCertificate!
    private nonisolated(unsafe) static var text: CFString?
    private nonisolated(unsafe) static var policy: SecPolicy!
    private nonisolated(unsafe) static var trust: SecTrust!
    private nonisolated(unsafe) static var error: CFError?
    private nonisolated(unsafe) static var failure: Unmanaged<CFError>?
    private nonisolated(unsafe) static var outcome = SecTrustResultType.invalid
    private nonisolated(unsafe) static var exceptions: CFData?

    /// What a program does with a key or certificate. The first calls make the objects that the others use.
    ///
    /// - Parameters:
    ///   - kind: The object: "curve", "rsa" or "certificate".
    ///   - bytes: Its representation, in base64.
    static func all(_ kind: String, _ bytes: String) -> (makers: [ObjectUse], others: [ObjectUse]) {
        let data = NSData(data: Data(base64Encoded: bytes) ?? Data())
        // Made here, and not by the first call that uses them.
        _ = (noFlags, message, junk)
        switch kind {
        case "curve": return (curveKey(data), keys(curveParameters) + files + operations(ecdsa, ecies) + exchanges)
        case "rsa":
            return (rsaKey(data), keys(rsaParameters) + files + operations(pkcs1, oaep) + olderOperations)
        default: return (certificateAndTrust(data), certificates + policies + trustSettings + evaluations)
        }
    }

    // MARK: Keys

    private static var curveParameters: [CFString: Any] {
        [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
    }
    private static var rsaParameters: [CFString: Any] {
        [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024]
    }

    private static func curveKey(_ data: NSData) -> [ObjectUse] {
        makers(of: data, kSecAttrKeyTypeECSECPrimeRandom, ecdsa, ecies)
    }

    private static func rsaKey(_ data: NSData) -> [ObjectUse] { makers(of: data, kSecAttrKeyTypeRSA, pkcs1, oaep) }

    private static func makers(
        of data: NSData, _ type: CFString, _ signing: SecKeyAlgorithm, _ encryption: SecKeyAlgorithm
    ) -> [ObjectUse] {
        let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate] as CFDictionary
        return [
            ObjectUse("SecKeyCreateWithData") { key = SecKeyCreateWithData(data, attributes, nil) },
            ObjectUse("SecKeyCopyPublicKey") { publicKey = SecKeyCopyPublicKey(key) },
            ObjectUse("SecItemExport") { SecItemExport(key, .formatPEMSequence, noFlags, nil, &file) },
            ObjectUse("SecKeyCreateSignature") { signature = SecKeyCreateSignature(key, signing, message, nil) },
            ObjectUse("SecKeyCreateEncryptedData") {
                ciphertext = SecKeyCreateEncryptedData(publicKey, encryption, message, nil)
            },
        ]
    }

    private static func keys(_ parameters: [CFString: Any]) -> [ObjectUse] {
        let parameters = parameters as CFDictionary
        return [
            ObjectUse("SecKeyCopyAttributes") { SecKeyCopyAttributes(key) },
            ObjectUse("SecKeyCopyExternalRepresentation") { SecKeyCopyExternalRepresentation(key, nil) },
            ObjectUse("isEqual of a key") { _ = key.isEqual(publicKey) },
            ObjectUse("hash of a key") { _ = key.hash },
            ObjectUse("description of a key") { _ = key.description },
            ObjectUse("SecKeyGetBlockSize") { SecKeyGetBlockSize(key) },
            ObjectUse("SecKeyCopyAttributes, public") { SecKeyCopyAttributes(publicKey) },
            ObjectUse("SecKeyCopyExternalRepresentation, public") { SecKeyCopyExternalRepresentation(publicKey, nil) },
            ObjectUse("hash of a public key") { _ = publicKey.hash },
            ObjectUse("SecKeyCopyPublicKey, public") { SecKeyCopyPublicKey(publicKey) },
            ObjectUse("SecKeyCreateRandomKey") { SecKeyCreateRandomKey(parameters, nil) },
            ObjectUse("SecKeyGeneratePair") { SecKeyGeneratePair(parameters, &newPublicKey, &newPrivateKey) },
        ]
    }

    private static var files: [ObjectUse] {
        [
            ObjectUse("SecItemExport, public") { SecItemExport(publicKey, .formatOpenSSL, noFlags, nil, &file) },
            ObjectUse("SecItemImport") { SecItemImport(file, nil, nil, nil, noFlags, nil, nil, &items) },
        ]
    }

    // MARK: Operations

    private nonisolated(unsafe) static let message = NSData(data: Data("message of 32 bytes, as a digest".utf8))
    private static let ecdsa = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    private static let ecies = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    private static let pkcs1 = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
    private static let oaep = SecKeyAlgorithm.rsaEncryptionOAEPSHA256

    private static func operations(_ signing: SecKeyAlgorithm, _ encryption: SecKeyAlgorithm) -> [ObjectUse] {
        [
            ObjectUse("SecKeyIsAlgorithmSupported") { SecKeyIsAlgorithmSupported(key, .sign, signing) },
            ObjectUse("SecKeyVerifySignature") { SecKeyVerifySignature(publicKey, signing, message, signature, nil) },
            ObjectUse("SecKeyVerifySignature, wrong") {
                SecKeyVerifySignature(publicKey, signing, message, message, &failure)
            },
            ObjectUse("SecKeyCreateDecryptedData") { SecKeyCreateDecryptedData(key, encryption, ciphertext, nil) },
        ]
    }

    private static var exchanges: [ObjectUse] {
        let derived = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256, plain = SecKeyAlgorithm.ecdhKeyExchangeStandard
        let size = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 16] as CFDictionary
        let none = [:] as CFDictionary
        return [
            ObjectUse("SecKeyCopyKeyExchangeResult") { SecKeyCopyKeyExchangeResult(key, plain, publicKey, none, nil) },
            ObjectUse("SecKeyCopyKeyExchangeResult, derived") {
                SecKeyCopyKeyExchangeResult(key, derived, publicKey, size, nil)
            },
        ]
    }

    private static var olderOperations: [ObjectUse] {
        let input = UnsafeMutablePointer<UInt8>.allocate(capacity: 32)
        input.initialize(repeating: 1, count: 32)
        let padding = SecPadding.PKCS1SHA256, encryption = SecPadding.PKCS1
        return [
            ObjectUse("SecKeyRawSign") { SecKeyRawSign(key, padding, input, 32, buffer, &count) },
            ObjectUse("SecKeyRawVerify") { SecKeyRawVerify(publicKey, padding, input, 32, buffer, 128) },
            ObjectUse("SecKeyEncrypt") { SecKeyEncrypt(publicKey, encryption, input, 32, buffer, &count) },
            ObjectUse("SecKeyDecrypt") { SecKeyDecrypt(key, encryption, buffer, 128, decrypted, &count) },
        ]
    }

    // MARK: Certificates

    private static func certificateAndTrust(_ data: NSData) -> [ObjectUse] {
        let name = "leaf" as CFString
        return [
            ObjectUse("SecCertificateCreateWithData") { certificate = SecCertificateCreateWithData(nil, data) },
            ObjectUse("SecPolicyCreateSSL") { policy = SecPolicyCreateSSL(true, name) },
            ObjectUse("SecTrustCreateWithCertificates") {
                SecTrustCreateWithCertificates(certificate, policy, &trust)
            },
            ObjectUse("SecItemExport, certificate") {
                SecItemExport(certificate, .formatPEMSequence, noFlags, nil, &file)
            },
        ]
    }

    private nonisolated(unsafe) static let junk = NSData(data: Data([1]))

    private static var certificates: [ObjectUse] {
        [
            ObjectUse("SecCertificateCreateWithData, junk") { SecCertificateCreateWithData(nil, junk) },
            ObjectUse("SecCertificateCopySubjectSummary") { SecCertificateCopySubjectSummary(certificate) },
            ObjectUse("SecCertificateCopyData") { SecCertificateCopyData(certificate) },
            ObjectUse("SecCertificateCopyKey") { publicKey = SecCertificateCopyKey(certificate) },
            ObjectUse("SecCertificateCopyPublicKey") { SecCertificateCopyPublicKey(certificate, &newPublicKey) },
            ObjectUse("SecCertificateCopyCommonName") { SecCertificateCopyCommonName(certificate, &text) },
            ObjectUse("SecCertificateCopyEmailAddresses") { SecCertificateCopyEmailAddresses(certificate, &items) },
            ObjectUse("SecCertificateCopyNormalizedIssuerSequence") {
                SecCertificateCopyNormalizedIssuerSequence(certificate)
            },
            ObjectUse("SecCertificateCopyNormalizedSubjectContent") {
                SecCertificateCopyNormalizedSubjectContent(certificate, nil)
            },
            ObjectUse("SecCertificateCopySerialNumberData") { SecCertificateCopySerialNumberData(certificate, nil) },
            ObjectUse("SecCertificateCopyNotValidBeforeDate") { SecCertificateCopyNotValidBeforeDate(certificate) },
            ObjectUse("SecCertificateCopyNotValidAfterDate") { SecCertificateCopyNotValidAfterDate(certificate) },
            ObjectUse("SecCertificateCopyValues") { SecCertificateCopyValues(certificate, nil, nil) },
            ObjectUse("SecCertificateCopyLongDescription") { SecCertificateCopyLongDescription(nil, certificate, nil) },
            ObjectUse("hash of a certificate") { _ = certificate.hash },
            ObjectUse("isEqual of a certificate") { _ = certificate.isEqual(certificate) },
            ObjectUse("description of a certificate") { _ = certificate.description },
            ObjectUse("SecItemImport, certificate") { SecItemImport(file, nil, nil, nil, noFlags, nil, nil, &items) },
        ]
    }

    private static var policies: [ObjectUse] {
        let properties = [kSecPolicyName: "leaf"] as CFDictionary
        let wrong = "no protection" as CFString
        return [
            ObjectUse("SecPolicyCreateBasicX509") { SecPolicyCreateBasicX509() },
            ObjectUse("SecPolicyCreateRevocation") { SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod) },
            ObjectUse("SecPolicyCreateWithProperties") {
                SecPolicyCreateWithProperties(kSecPolicyAppleSSL, properties)
            },
            ObjectUse("SecPolicyCreateWithOID") { SecPolicyCreateWithOID(kSecPolicyAppleX509Basic) },
            ObjectUse("SecPolicyCopyProperties") { SecPolicyCopyProperties(policy) },
            ObjectUse("isEqual of a policy") { _ = policy.isEqual(policy) },
            ObjectUse("hash of a policy") { _ = policy.hash },
            ObjectUse("SecAccessControlCreateWithFlags") {
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
            },
            ObjectUse("SecAccessControlCreateWithFlags, wrong") {
                SecAccessControlCreateWithFlags(nil, wrong, .userPresence, &failure)
            },
            ObjectUse("SecTaskCreateFromSelf") { _ = SecTaskCreateFromSelf(nil) },
            ObjectUse("SecCopyErrorMessageString") { _ = SecCopyErrorMessageString(errSecParam, nil) },
        ]
    }

    // MARK: Trust

    private static var trustSettings: [ObjectUse] {
        let now = Date() as CFDate
        return [
            ObjectUse("SecTrustSetAnchorCertificates") { SecTrustSetAnchorCertificates(trust, array(certificate)) },
            ObjectUse("SecTrustSetAnchorCertificatesOnly") { SecTrustSetAnchorCertificatesOnly(trust, true) },
            ObjectUse("SecTrustSetVerifyDate") { SecTrustSetVerifyDate(trust, now) },
            ObjectUse("SecTrustGetVerifyTime") { SecTrustGetVerifyTime(trust) },
            ObjectUse("SecTrustSetPolicies") { SecTrustSetPolicies(trust, array(policy)) },
            ObjectUse("SecTrustSetPolicies, wrong") { SecTrustSetPolicies(trust, junk) },
            ObjectUse("SecTrustCopyPolicies") { SecTrustCopyPolicies(trust, &items) },
            ObjectUse("SecTrustCopyCustomAnchorCertificates") { SecTrustCopyCustomAnchorCertificates(trust, &items) },
            ObjectUse("SecTrustCopyAnchorCertificates") { SecTrustCopyAnchorCertificates(&items) },
            ObjectUse("SecTrustSetOCSPResponse") { SecTrustSetOCSPResponse(trust, junk) },
            ObjectUse("SecTrustSetSignedCertificateTimestamps") { SecTrustSetSignedCertificateTimestamps(trust, nil) },
            ObjectUse("SecTrustSetNetworkFetchAllowed") { SecTrustSetNetworkFetchAllowed(trust, true) },
            ObjectUse("SecTrustGetNetworkFetchAllowed") { SecTrustGetNetworkFetchAllowed(trust, &isAllowed) },
            ObjectUse("SecTrustSetOptions") { SecTrustSetOptions(trust, .allowExpired) },
        ]
    }

    private static var evaluations: [ObjectUse] {
        let past = Date(timeIntervalSince1970: 0) as CFDate
        return [
            ObjectUse("SecTrustEvaluateWithError") { SecTrustEvaluateWithError(trust, &error) },
            ObjectUse("SecTrustEvaluate") { SecTrustEvaluate(trust, &outcome) },
            ObjectUse("SecTrustGetTrustResult") { SecTrustGetTrustResult(trust, &outcome) },
            ObjectUse("SecTrustCopyCertificateChain") { SecTrustCopyCertificateChain(trust) },
            ObjectUse("SecTrustGetCertificateCount") { SecTrustGetCertificateCount(trust) },
            ObjectUse("SecTrustGetCertificateAtIndex") { SecTrustGetCertificateAtIndex(trust, 0) },
            ObjectUse("SecTrustCopyKey") { SecTrustCopyKey(trust) },
            ObjectUse("SecTrustCopyResult") { SecTrustCopyResult(trust) },
            ObjectUse("SecTrustCopyProperties") { SecTrustCopyProperties(trust) },
            ObjectUse("SecTrustSetVerifyDate, past") { SecTrustSetVerifyDate(trust, past) },
            ObjectUse("SecTrustEvaluateWithError, past") { SecTrustEvaluateWithError(trust, &error) },
            ObjectUse("SecTrustCopyExceptions") { exceptions = SecTrustCopyExceptions(trust) },
            ObjectUse("SecTrustSetExceptions") { SecTrustSetExceptions(trust, exceptions) },
        ]
    }

    private static func array(_ object: NSObject) -> CFArray { NSArray(object: object) }
}
