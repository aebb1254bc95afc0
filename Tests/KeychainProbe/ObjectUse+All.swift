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
    private nonisolated(unsafe) static var certificate: SecCertificate!
    private nonisolated(unsafe) static var text: CFString?
    private nonisolated(unsafe) static var policy: SecPolicy!
    private nonisolated(unsafe) static var trust: SecTrust!
    private nonisolated(unsafe) static var error: CFError?
    private nonisolated(unsafe) static var failure: Unmanaged<CFError>?
    private nonisolated(unsafe) static var outcome = SecTrustResultType.invalid
    private nonisolated(unsafe) static var exceptions: CFData?

    /// What a program does with a key or certificate.
    ///
    /// - Parameters:
    ///   - kind: The object: "curve", "rsa" or "certificate".
    ///   - bytes: Its representation, in base64.
    static func all(_ kind: String, _ bytes: String) -> [ObjectUse] {
        let data = NSData(data: Data(base64Encoded: bytes) ?? Data())
        return kind == "certificate" ? uses(ofCertificate: data) : uses(ofKey: data, isRSA: kind == "rsa")
    }

    private static func uses(ofKey data: NSData, isRSA: Bool) -> [ObjectUse] {
        let type = isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
        let attributes = [kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate] as CFDictionary
        let parameters =
            [kSecAttrKeyType: type, kSecAttrKeySizeInBits: isRSA ? 1024 : 256] as [CFString: Any] as CFDictionary
        let signing: SecKeyAlgorithm =
            isRSA ? .rsaSignatureMessagePKCS1v15SHA256 : .ecdsaSignatureMessageX962SHA256
        let encryption: SecKeyAlgorithm =
            isRSA ? .rsaEncryptionOAEPSHA256 : .eciesEncryptionCofactorVariableIVX963SHA256AESGCM
        let message = NSData(data: Data("message".utf8))
        let derived = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256, plain = SecKeyAlgorithm.ecdhKeyExchangeStandard
        let size = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 16] as CFDictionary
        let none = [:] as CFDictionary
        let exchanges = [
            ObjectUse("SecKeyCopyKeyExchangeResult") {
                SecKeyCopyKeyExchangeResult(key, plain, publicKey, none, nil)
            },
            ObjectUse("SecKeyCopyKeyExchangeResult, derived") {
                SecKeyCopyKeyExchangeResult(key, derived, publicKey, size, nil)
            },
        ]
        return [
            ObjectUse("SecKeyCreateWithData") { key = SecKeyCreateWithData(data, attributes, nil) },
            ObjectUse("SecKeyCopyPublicKey") { publicKey = SecKeyCopyPublicKey(key) },
            ObjectUse("SecKeyCopyAttributes") { SecKeyCopyAttributes(key) },
            ObjectUse("SecKeyCopyExternalRepresentation") { SecKeyCopyExternalRepresentation(key, nil) },
            ObjectUse("isEqual") { _ = key.isEqual(publicKey) },
            ObjectUse("hash") { _ = key.hash },
            ObjectUse("description") { _ = key.description },
            ObjectUse("SecKeyGetBlockSize") { SecKeyGetBlockSize(key) },
            ObjectUse("public SecKeyCopyAttributes") { SecKeyCopyAttributes(publicKey) },
            ObjectUse("public SecKeyCopyExternalRepresentation") { SecKeyCopyExternalRepresentation(publicKey, nil) },
            ObjectUse("public hash") { _ = publicKey.hash },
            ObjectUse("public SecKeyCopyPublicKey") { SecKeyCopyPublicKey(publicKey) },
            ObjectUse("SecKeyIsAlgorithmSupported") { SecKeyIsAlgorithmSupported(key, .sign, signing) },
            ObjectUse("SecKeyCreateSignature") { signature = SecKeyCreateSignature(key, signing, message, nil) },
            ObjectUse("SecKeyVerifySignature") { SecKeyVerifySignature(publicKey, signing, message, signature, nil) },
            ObjectUse("SecKeyVerifySignature, wrong") {
                SecKeyVerifySignature(publicKey, signing, message, message, &failure)
            },
            ObjectUse("SecKeyCreateEncryptedData") {
                ciphertext = SecKeyCreateEncryptedData(publicKey, encryption, message, nil)
            },
            ObjectUse("SecKeyCreateDecryptedData") { SecKeyCreateDecryptedData(key, encryption, ciphertext, nil) },
            ObjectUse("SecItemExport") { SecItemExport(key, .formatPEMSequence, noFlags, nil, &file) },
            ObjectUse("SecItemImport") { SecItemImport(file, nil, nil, nil, noFlags, nil, nil, &items) },
            ObjectUse("SecKeyCreateRandomKey") { SecKeyCreateRandomKey(parameters, nil) },
        ] + (isRSA ? [] : exchanges)
    }

    private static func uses(ofCertificate data: NSData) -> [ObjectUse] {
        let junk = NSData(data: Data([1]))
        let name = "leaf" as CFString
        let properties = [kSecPolicyName: "leaf"] as CFDictionary
        let now = Date() as CFDate, past = Date(timeIntervalSince1970: 0) as CFDate
        return [
            ObjectUse("SecCertificateCreateWithData") { certificate = SecCertificateCreateWithData(nil, data) },
            ObjectUse("SecCertificateCreateWithData, junk") { SecCertificateCreateWithData(nil, junk) },
            ObjectUse("SecCertificateCopySubjectSummary") { SecCertificateCopySubjectSummary(certificate) },
            ObjectUse("SecCertificateCopyData") { SecCertificateCopyData(certificate) },
            ObjectUse("SecCertificateCopyKey") { publicKey = SecCertificateCopyKey(certificate) },
            ObjectUse("SecCertificateCopyCommonName") { SecCertificateCopyCommonName(certificate, &text) },
            ObjectUse("SecCertificateCopyEmailAddresses") { SecCertificateCopyEmailAddresses(certificate, &items) },
            ObjectUse("SecCertificateCopyNormalizedIssuerSequence") {
                SecCertificateCopyNormalizedIssuerSequence(certificate)
            },
            ObjectUse("SecCertificateCopySerialNumberData") { SecCertificateCopySerialNumberData(certificate, nil) },
            ObjectUse("SecCertificateCopyNotValidBeforeDate") { SecCertificateCopyNotValidBeforeDate(certificate) },
            ObjectUse("SecCertificateCopyValues") { SecCertificateCopyValues(certificate, nil, nil) },
            ObjectUse("SecCertificateCopyLongDescription") { SecCertificateCopyLongDescription(nil, certificate, nil) },
            ObjectUse("certificate hash") { _ = certificate.hash },
            ObjectUse("certificate isEqual") { _ = certificate.isEqual(certificate) },
            ObjectUse("certificate description") { _ = certificate.description },
            ObjectUse("SecPolicyCreateBasicX509") { SecPolicyCreateBasicX509() },
            ObjectUse("SecPolicyCreateSSL") { policy = SecPolicyCreateSSL(true, name) },
            ObjectUse("SecPolicyCreateRevocation") { SecPolicyCreateRevocation(kSecRevocationUseAnyAvailableMethod) },
            ObjectUse("SecPolicyCreateWithProperties") {
                SecPolicyCreateWithProperties(kSecPolicyAppleSSL, properties)
            },
            ObjectUse("SecPolicyCopyProperties") { SecPolicyCopyProperties(policy) },
            ObjectUse("SecTrustCreateWithCertificates") {
                SecTrustCreateWithCertificates(certificate, policy, &trust)
            },
            ObjectUse("SecTrustSetAnchorCertificates") { SecTrustSetAnchorCertificates(trust, anchors) },
            ObjectUse("SecTrustSetAnchorCertificatesOnly") { SecTrustSetAnchorCertificatesOnly(trust, true) },
            ObjectUse("SecTrustSetVerifyDate") { SecTrustSetVerifyDate(trust, now) },
            ObjectUse("SecTrustGetVerifyTime") { SecTrustGetVerifyTime(trust) },
            ObjectUse("SecTrustSetPolicies") { SecTrustSetPolicies(trust, policies) },
            ObjectUse("SecTrustCopyPolicies") { SecTrustCopyPolicies(trust, &items) },
            ObjectUse("SecTrustCopyCustomAnchorCertificates") { SecTrustCopyCustomAnchorCertificates(trust, &items) },
            ObjectUse("SecTrustSetOCSPResponse") { SecTrustSetOCSPResponse(trust, junk) },
            ObjectUse("SecTrustEvaluateWithError") { SecTrustEvaluateWithError(trust, &error) },
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
            ObjectUse("SecTrustCopyAnchorCertificates") { SecTrustCopyAnchorCertificates(&items) },
            ObjectUse("SecAccessControlCreateWithFlags") {
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
            },
            ObjectUse("SecAccessControlCreateWithFlags, wrong") {
                SecAccessControlCreateWithFlags(nil, name, .userPresence, &failure)
            },
            ObjectUse("SecTaskCreateFromSelf") { _ = SecTaskCreateFromSelf(nil) },
        ]
    }

    private static var anchors: CFArray { array(certificate) }
    private static var policies: CFArray { array(policy) }
    private static func array(_ object: NSObject) -> CFArray { NSArray(object: object) }
}
