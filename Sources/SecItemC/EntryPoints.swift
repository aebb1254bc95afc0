// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/functions.tsv: change it there.
// swift-format-ignore-file

import Foundation
import SecItemShim

/// `SecAccessControlGetTypeID` for programs in C.
@_cdecl("SecAccessControlGetTypeID")
public func cSecAccessControlGetTypeID() -> UInt {
    Reference.identifier(of: TypeIdentifier.accessControl)
}

/// `SecKeyGetTypeID` for programs in C.
@_cdecl("SecKeyGetTypeID")
public func cSecKeyGetTypeID() -> UInt {
    Reference.identifier(of: TypeIdentifier.key)
}

/// `SecCertificateGetTypeID` for programs in C.
@_cdecl("SecCertificateGetTypeID")
public func cSecCertificateGetTypeID() -> UInt {
    Reference.identifier(of: TypeIdentifier.certificate)
}

/// `SecIdentityGetTypeID` for programs in C.
@_cdecl("SecIdentityGetTypeID")
public func cSecIdentityGetTypeID() -> UInt {
    Reference.identifier(of: TypeIdentifier.identity)
}

/// `SecTrustGetTypeID` for programs in C.
@_cdecl("SecTrustGetTypeID")
public func cSecTrustGetTypeID() -> UInt {
    Reference.identifier(of: TypeIdentifier.trust)
}

/// `SecPolicyGetTypeID` for programs in C.
@_cdecl("SecPolicyGetTypeID")
public func cSecPolicyGetTypeID() -> UInt {
    Reference.identifier(of: TypeIdentifier.policy)
}

/// `SecTaskGetTypeID` for programs in C.
@_cdecl("SecTaskGetTypeID")
public func cSecTaskGetTypeID() -> UInt {
    Reference.identifier(of: TypeIdentifier.task)
}

/// `SecItemDelete` for programs in C.
@_cdecl("SecItemDelete")
public func cSecItemDelete(
    _ query: UnsafeRawPointer?
) -> OSStatus {
    guard
        let query = argument(query, NSDictionary.self)
    else { return refusalStatus() }
    return SecItemDelete(query)
}

/// `SecCopyErrorMessageString` for programs in C.
@_cdecl("SecCopyErrorMessageString")
public func cSecCopyErrorMessageString(
    _ status: OSStatus,
    _ reserved: UnsafeMutableRawPointer?
) -> UnsafeRawPointer? {
    return copied(SecCopyErrorMessageString(status, reserved))
}

/// `SecRandomCopyBytes` for programs in C.
@_cdecl("SecRandomCopyBytes")
public func cSecRandomCopyBytes(
    _ rnd: OpaquePointer?,
    _ count: Int,
    _ bytes: UnsafeMutableRawPointer?
) -> Int32 {
    guard
        let bytes
    else { return refusalStatus() }
    return SecRandomCopyBytes(rnd, count, bytes)
}

/// `SecAccessControlCreateWithFlags` for programs in C.
@_cdecl("SecAccessControlCreateWithFlags")
public func cSecAccessControlCreateWithFlags(
    _ allocator: UnsafeRawPointer?,
    _ protection: UnsafeRawPointer?,
    _ flags: UInt,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let protection = argument(protection, AnyObject.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecAccessControlCreateWithFlags(nil, protection, SecAccessControlCreateFlags(rawValue: flags), errorPointer))
    }
}

/// `SecKeyCreateRandomKey` for programs in C.
@_cdecl("SecKeyCreateRandomKey")
public func cSecKeyCreateRandomKey(
    _ parameters: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let parameters = argument(parameters, NSDictionary.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCreateRandomKey(parameters, errorPointer))
    }
}

/// `SecKeyCreateWithData` for programs in C.
@_cdecl("SecKeyCreateWithData")
public func cSecKeyCreateWithData(
    _ keyData: UnsafeRawPointer?,
    _ attributes: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let keyData = argument(keyData, NSData.self),
        let attributes = argument(attributes, NSDictionary.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCreateWithData(keyData, attributes, errorPointer))
    }
}

/// `SecKeyCreateFromData` for programs in C.
@_cdecl("SecKeyCreateFromData")
public func cSecKeyCreateFromData(
    _ parameters: UnsafeRawPointer?,
    _ keyData: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let parameters = argument(parameters, NSDictionary.self),
        let keyData = argument(keyData, NSData.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCreateFromData(parameters, keyData, errorPointer))
    }
}

/// `SecKeyGeneratePair` for programs in C.
@_cdecl("SecKeyGeneratePair")
public func cSecKeyGeneratePair(
    _ parameters: UnsafeRawPointer?,
    _ publicKey: ReceivedObject?,
    _ privateKey: ReceivedObject?
) -> OSStatus {
    guard
        let parameters = argument(parameters, NSDictionary.self)
    else { return refusalStatus() }
    return receive(publicKey) { publicKeyPointer in
        receive(privateKey) { privateKeyPointer in
        SecKeyGeneratePair(parameters, publicKeyPointer, privateKeyPointer)
    }
    }
}

/// `SecKeyCopyPublicKey` for programs in C.
@_cdecl("SecKeyCopyPublicKey")
public func cSecKeyCopyPublicKey(
    _ key: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let key = argument(key, SecKey.self)
    else { return nil }
    return copied(SecKeyCopyPublicKey(key))
}

/// `SecKeyCopyExternalRepresentation` for programs in C.
@_cdecl("SecKeyCopyExternalRepresentation")
public func cSecKeyCopyExternalRepresentation(
    _ key: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let key = argument(key, SecKey.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCopyExternalRepresentation(key, errorPointer))
    }
}

/// `SecKeyGetBlockSize` for programs in C.
@_cdecl("SecKeyGetBlockSize")
public func cSecKeyGetBlockSize(
    _ key: UnsafeRawPointer?
) -> Int {
    guard
        let key = argument(key, SecKey.self)
    else { return 0 }
    return SecKeyGetBlockSize(key)
}

/// `SecKeyCreateSignature` for programs in C.
@_cdecl("SecKeyCreateSignature")
public func cSecKeyCreateSignature(
    _ key: UnsafeRawPointer?,
    _ algorithm: UnsafeRawPointer?,
    _ dataToSign: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let key = argument(key, SecKey.self),
        let algorithm = argument(algorithm, NSString.self).map(SecKeyAlgorithm.init),
        let dataToSign = argument(dataToSign, NSData.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCreateSignature(key, algorithm, dataToSign, errorPointer))
    }
}

/// `SecKeyVerifySignature` for programs in C.
@_cdecl("SecKeyVerifySignature")
public func cSecKeyVerifySignature(
    _ key: UnsafeRawPointer?,
    _ algorithm: UnsafeRawPointer?,
    _ signedData: UnsafeRawPointer?,
    _ signature: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> Bool {
    guard
        let key = argument(key, SecKey.self),
        let algorithm = argument(algorithm, NSString.self).map(SecKeyAlgorithm.init),
        let signedData = argument(signedData, NSData.self),
        let signature = argument(signature, NSData.self)
    else { return refuse(error, false) }
    return receiveError(error) { errorPointer in
        SecKeyVerifySignature(key, algorithm, signedData, signature, errorPointer)
    }
}

/// `SecKeyCreateEncryptedData` for programs in C.
@_cdecl("SecKeyCreateEncryptedData")
public func cSecKeyCreateEncryptedData(
    _ key: UnsafeRawPointer?,
    _ algorithm: UnsafeRawPointer?,
    _ plaintext: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let key = argument(key, SecKey.self),
        let algorithm = argument(algorithm, NSString.self).map(SecKeyAlgorithm.init),
        let plaintext = argument(plaintext, NSData.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCreateEncryptedData(key, algorithm, plaintext, errorPointer))
    }
}

/// `SecKeyCreateDecryptedData` for programs in C.
@_cdecl("SecKeyCreateDecryptedData")
public func cSecKeyCreateDecryptedData(
    _ key: UnsafeRawPointer?,
    _ algorithm: UnsafeRawPointer?,
    _ ciphertext: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let key = argument(key, SecKey.self),
        let algorithm = argument(algorithm, NSString.self).map(SecKeyAlgorithm.init),
        let ciphertext = argument(ciphertext, NSData.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCreateDecryptedData(key, algorithm, ciphertext, errorPointer))
    }
}

/// `SecKeyCopyKeyExchangeResult` for programs in C.
@_cdecl("SecKeyCopyKeyExchangeResult")
public func cSecKeyCopyKeyExchangeResult(
    _ privateKey: UnsafeRawPointer?,
    _ algorithm: UnsafeRawPointer?,
    _ publicKey: UnsafeRawPointer?,
    _ parameters: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let privateKey = argument(privateKey, SecKey.self),
        let algorithm = argument(algorithm, NSString.self).map(SecKeyAlgorithm.init),
        let publicKey = argument(publicKey, SecKey.self),
        let parameters = argument(parameters, NSDictionary.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecKeyCopyKeyExchangeResult(privateKey, algorithm, publicKey, parameters, errorPointer))
    }
}

/// `SecKeyIsAlgorithmSupported` for programs in C.
@_cdecl("SecKeyIsAlgorithmSupported")
public func cSecKeyIsAlgorithmSupported(
    _ key: UnsafeRawPointer?,
    _ operation: Int,
    _ algorithm: UnsafeRawPointer?
) -> Bool {
    guard
        let key = argument(key, SecKey.self),
        let operation = SecKeyOperationType(rawValue: operation),
        let algorithm = argument(algorithm, NSString.self).map(SecKeyAlgorithm.init)
    else { return false }
    return SecKeyIsAlgorithmSupported(key, operation, algorithm)
}

/// `SecKeyRawSign` for programs in C.
@_cdecl("SecKeyRawSign")
public func cSecKeyRawSign(
    _ key: UnsafeRawPointer?,
    _ padding: UInt32,
    _ dataToSign: UnsafePointer<UInt8>?,
    _ dataToSignLen: Int,
    _ sig: UnsafeMutablePointer<UInt8>?,
    _ sigLen: UnsafeMutablePointer<Int>?
) -> OSStatus {
    guard
        let key = argument(key, SecKey.self),
        let dataToSign,
        let sig,
        let sigLen
    else { return refusalStatus() }
    return SecKeyRawSign(key, SecPadding(rawValue: padding), dataToSign, dataToSignLen, sig, sigLen)
}

/// `SecKeyRawVerify` for programs in C.
@_cdecl("SecKeyRawVerify")
public func cSecKeyRawVerify(
    _ key: UnsafeRawPointer?,
    _ padding: UInt32,
    _ signedData: UnsafePointer<UInt8>?,
    _ signedDataLen: Int,
    _ sig: UnsafePointer<UInt8>?,
    _ sigLen: Int
) -> OSStatus {
    guard
        let key = argument(key, SecKey.self),
        let signedData,
        let sig
    else { return refusalStatus() }
    return SecKeyRawVerify(key, SecPadding(rawValue: padding), signedData, signedDataLen, sig, sigLen)
}

/// `SecKeyEncrypt` for programs in C.
@_cdecl("SecKeyEncrypt")
public func cSecKeyEncrypt(
    _ key: UnsafeRawPointer?,
    _ padding: UInt32,
    _ plainText: UnsafePointer<UInt8>?,
    _ plainTextLen: Int,
    _ cipherText: UnsafeMutablePointer<UInt8>?,
    _ cipherTextLen: UnsafeMutablePointer<Int>?
) -> OSStatus {
    guard
        let key = argument(key, SecKey.self),
        let plainText,
        let cipherText,
        let cipherTextLen
    else { return refusalStatus() }
    return SecKeyEncrypt(key, SecPadding(rawValue: padding), plainText, plainTextLen, cipherText, cipherTextLen)
}

/// `SecKeyDecrypt` for programs in C.
@_cdecl("SecKeyDecrypt")
public func cSecKeyDecrypt(
    _ key: UnsafeRawPointer?,
    _ padding: UInt32,
    _ cipherText: UnsafePointer<UInt8>?,
    _ cipherTextLen: Int,
    _ plainText: UnsafeMutablePointer<UInt8>?,
    _ plainTextLen: UnsafeMutablePointer<Int>?
) -> OSStatus {
    guard
        let key = argument(key, SecKey.self),
        let cipherText,
        let plainText,
        let plainTextLen
    else { return refusalStatus() }
    return SecKeyDecrypt(key, SecPadding(rawValue: padding), cipherText, cipherTextLen, plainText, plainTextLen)
}

/// `SecCertificateCreateWithData` for programs in C.
@_cdecl("SecCertificateCreateWithData")
public func cSecCertificateCreateWithData(
    _ allocator: UnsafeRawPointer?,
    _ data: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let data = argument(data, NSData.self)
    else { return nil }
    return copied(SecCertificateCreateWithData(nil, data))
}

/// `SecCertificateCopyData` for programs in C.
@_cdecl("SecCertificateCopyData")
public func cSecCertificateCopyData(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopyData(certificate))
}

/// `SecCertificateCopySubjectSummary` for programs in C.
@_cdecl("SecCertificateCopySubjectSummary")
public func cSecCertificateCopySubjectSummary(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopySubjectSummary(certificate))
}

/// `SecCertificateCopyCommonName` for programs in C.
@_cdecl("SecCertificateCopyCommonName")
public func cSecCertificateCopyCommonName(
    _ certificate: UnsafeRawPointer?,
    _ commonName: ReceivedObject?
) -> OSStatus {
    guard
        let certificate = argument(certificate, SecCertificate.self),
        let commonName
    else { return refusalStatus() }
    return receiveObject(commonName) { commonNamePointer in
        SecCertificateCopyCommonName(certificate, commonNamePointer)
    }
}

/// `SecCertificateCopyEmailAddresses` for programs in C.
@_cdecl("SecCertificateCopyEmailAddresses")
public func cSecCertificateCopyEmailAddresses(
    _ certificate: UnsafeRawPointer?,
    _ emailAddresses: ReceivedObject?
) -> OSStatus {
    guard
        let certificate = argument(certificate, SecCertificate.self),
        let emailAddresses
    else { return refusalStatus() }
    return receiveObject(emailAddresses) { emailAddressesPointer in
        SecCertificateCopyEmailAddresses(certificate, emailAddressesPointer)
    }
}

/// `SecCertificateCopyNormalizedIssuerSequence` for programs in C.
@_cdecl("SecCertificateCopyNormalizedIssuerSequence")
public func cSecCertificateCopyNormalizedIssuerSequence(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopyNormalizedIssuerSequence(certificate))
}

/// `SecCertificateCopyNormalizedSubjectSequence` for programs in C.
@_cdecl("SecCertificateCopyNormalizedSubjectSequence")
public func cSecCertificateCopyNormalizedSubjectSequence(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopyNormalizedSubjectSequence(certificate))
}

/// `SecCertificateCopyNormalizedIssuerContent` for programs in C.
@_cdecl("SecCertificateCopyNormalizedIssuerContent")
public func cSecCertificateCopyNormalizedIssuerContent(
    _ certificate: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecCertificateCopyNormalizedIssuerContent(certificate, errorPointer))
    }
}

/// `SecCertificateCopyNormalizedSubjectContent` for programs in C.
@_cdecl("SecCertificateCopyNormalizedSubjectContent")
public func cSecCertificateCopyNormalizedSubjectContent(
    _ certificate: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecCertificateCopyNormalizedSubjectContent(certificate, errorPointer))
    }
}

/// `SecCertificateCopyKey` for programs in C.
@_cdecl("SecCertificateCopyKey")
public func cSecCertificateCopyKey(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopyKey(certificate))
}

/// `SecCertificateCopyPublicKey` for programs in C.
@_cdecl("SecCertificateCopyPublicKey")
public func cSecCertificateCopyPublicKey(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopyPublicKey(certificate))
}

/// `SecCertificateCopySerialNumberData` for programs in C.
@_cdecl("SecCertificateCopySerialNumberData")
public func cSecCertificateCopySerialNumberData(
    _ certificate: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecCertificateCopySerialNumberData(certificate, errorPointer))
    }
}

/// `SecCertificateCopySerialNumber` for programs in C.
@_cdecl("SecCertificateCopySerialNumber")
public func cSecCertificateCopySerialNumber(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopySerialNumber(certificate))
}

/// `SecCertificateCopyNotValidBeforeDate` for programs in C.
@_cdecl("SecCertificateCopyNotValidBeforeDate")
public func cSecCertificateCopyNotValidBeforeDate(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopyNotValidBeforeDate(certificate))
}

/// `SecCertificateCopyNotValidAfterDate` for programs in C.
@_cdecl("SecCertificateCopyNotValidAfterDate")
public func cSecCertificateCopyNotValidAfterDate(
    _ certificate: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return nil }
    return copied(SecCertificateCopyNotValidAfterDate(certificate))
}

/// `SecCertificateCopyValues` for programs in C.
@_cdecl("SecCertificateCopyValues")
public func cSecCertificateCopyValues(
    _ certificate: UnsafeRawPointer?,
    _ keys: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self),
        let keys = optionalArgument(keys, NSArray.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecCertificateCopyValues(certificate, keys, errorPointer))
    }
}

/// `SecCertificateCopyLongDescription` for programs in C.
@_cdecl("SecCertificateCopyLongDescription")
public func cSecCertificateCopyLongDescription(
    _ alloc: UnsafeRawPointer?,
    _ certificate: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecCertificateCopyLongDescription(nil, certificate, errorPointer))
    }
}

/// `SecCertificateCopyShortDescription` for programs in C.
@_cdecl("SecCertificateCopyShortDescription")
public func cSecCertificateCopyShortDescription(
    _ alloc: UnsafeRawPointer?,
    _ certificate: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecCertificateCopyShortDescription(nil, certificate, errorPointer))
    }
}

/// `SecIdentityCreate` for programs in C.
@_cdecl("SecIdentityCreate")
public func cSecIdentityCreate(
    _ allocator: UnsafeRawPointer?,
    _ certificate: UnsafeRawPointer?,
    _ privateKey: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let certificate = argument(certificate, SecCertificate.self),
        let privateKey = argument(privateKey, SecKey.self)
    else { return nil }
    return copied(SecIdentityCreate(nil, certificate, privateKey))
}

/// `SecIdentityCopyCertificate` for programs in C.
@_cdecl("SecIdentityCopyCertificate")
public func cSecIdentityCopyCertificate(
    _ identityRef: UnsafeRawPointer?,
    _ certificateRef: ReceivedObject?
) -> OSStatus {
    guard
        let identityRef = argument(identityRef, SecIdentity.self),
        let certificateRef
    else { return refusalStatus() }
    return receiveObject(certificateRef) { certificateRefPointer in
        SecIdentityCopyCertificate(identityRef, certificateRefPointer)
    }
}

/// `SecIdentityCopyPrivateKey` for programs in C.
@_cdecl("SecIdentityCopyPrivateKey")
public func cSecIdentityCopyPrivateKey(
    _ identityRef: UnsafeRawPointer?,
    _ privateKeyRef: ReceivedObject?
) -> OSStatus {
    guard
        let identityRef = argument(identityRef, SecIdentity.self),
        let privateKeyRef
    else { return refusalStatus() }
    return receiveObject(privateKeyRef) { privateKeyRefPointer in
        SecIdentityCopyPrivateKey(identityRef, privateKeyRefPointer)
    }
}

/// `SecPolicyCopyProperties` for programs in C.
@_cdecl("SecPolicyCopyProperties")
public func cSecPolicyCopyProperties(
    _ policyRef: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let policyRef = argument(policyRef, SecPolicy.self)
    else { return nil }
    return copied(SecPolicyCopyProperties(policyRef))
}

/// `SecPolicyCreateBasicX509` for programs in C.
@_cdecl("SecPolicyCreateBasicX509")
public func cSecPolicyCreateBasicX509() -> UnsafeRawPointer? {
    return copied(SecPolicyCreateBasicX509())
}

/// `SecPolicyCreateSSL` for programs in C.
@_cdecl("SecPolicyCreateSSL")
public func cSecPolicyCreateSSL(
    _ server: UInt8,
    _ hostname: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let hostname = optionalArgument(hostname, NSString.self)
    else { return nil }
    return copied(SecPolicyCreateSSL(server != 0, hostname))
}

/// `SecPolicyCreateRevocation` for programs in C.
@_cdecl("SecPolicyCreateRevocation")
public func cSecPolicyCreateRevocation(
    _ revocationFlags: UInt
) -> UnsafeRawPointer? {
    return copied(SecPolicyCreateRevocation(revocationFlags))
}

/// `SecPolicyCreateWithProperties` for programs in C.
@_cdecl("SecPolicyCreateWithProperties")
public func cSecPolicyCreateWithProperties(
    _ policyIdentifier: UnsafeRawPointer?,
    _ properties: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let policyIdentifier = argument(policyIdentifier, AnyObject.self),
        let properties = optionalArgument(properties, NSDictionary.self)
    else { return nil }
    return copied(SecPolicyCreateWithProperties(policyIdentifier, properties))
}

/// `SecPolicyCreateWithOID` for programs in C.
@_cdecl("SecPolicyCreateWithOID")
public func cSecPolicyCreateWithOID(
    _ policyOID: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let policyOID = argument(policyOID, AnyObject.self)
    else { return nil }
    return copied(SecPolicyCreateWithOID(policyOID))
}

/// `SecTrustCreateWithCertificates` for programs in C.
@_cdecl("SecTrustCreateWithCertificates")
public func cSecTrustCreateWithCertificates(
    _ certificates: UnsafeRawPointer?,
    _ policies: UnsafeRawPointer?,
    _ trust: ReceivedObject?
) -> OSStatus {
    guard
        let certificates = argument(certificates, AnyObject.self),
        let policies = optionalArgument(policies, AnyObject.self),
        let trust
    else { return refusalStatus() }
    return receiveObject(trust) { trustPointer in
        SecTrustCreateWithCertificates(certificates, policies, trustPointer)
    }
}

/// `SecTrustSetPolicies` for programs in C.
@_cdecl("SecTrustSetPolicies")
public func cSecTrustSetPolicies(
    _ trust: UnsafeRawPointer?,
    _ policies: UnsafeRawPointer?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let policies = argument(policies, AnyObject.self)
    else { return refusalStatus() }
    return SecTrustSetPolicies(trust, policies)
}

/// `SecTrustCopyPolicies` for programs in C.
@_cdecl("SecTrustCopyPolicies")
public func cSecTrustCopyPolicies(
    _ trust: UnsafeRawPointer?,
    _ policies: ReceivedObject?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let policies
    else { return refusalStatus() }
    return receiveObject(policies) { policiesPointer in
        SecTrustCopyPolicies(trust, policiesPointer)
    }
}

/// `SecTrustSetNetworkFetchAllowed` for programs in C.
@_cdecl("SecTrustSetNetworkFetchAllowed")
public func cSecTrustSetNetworkFetchAllowed(
    _ trust: UnsafeRawPointer?,
    _ allowFetch: UInt8
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return refusalStatus() }
    return SecTrustSetNetworkFetchAllowed(trust, allowFetch != 0)
}

/// `SecTrustGetNetworkFetchAllowed` for programs in C.
@_cdecl("SecTrustGetNetworkFetchAllowed")
public func cSecTrustGetNetworkFetchAllowed(
    _ trust: UnsafeRawPointer?,
    _ allowFetch: UnsafeMutablePointer<UInt8>?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let allowFetch = UnsafeMutableRawPointer(allowFetch)?.assumingMemoryBound(to: DarwinBoolean.self)
    else { return refusalStatus() }
    return SecTrustGetNetworkFetchAllowed(trust, allowFetch)
}

/// `SecTrustSetAnchorCertificates` for programs in C.
@_cdecl("SecTrustSetAnchorCertificates")
public func cSecTrustSetAnchorCertificates(
    _ trust: UnsafeRawPointer?,
    _ anchorCertificates: UnsafeRawPointer?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let anchorCertificates = optionalArgument(anchorCertificates, NSArray.self)
    else { return refusalStatus() }
    return SecTrustSetAnchorCertificates(trust, anchorCertificates)
}

/// `SecTrustSetAnchorCertificatesOnly` for programs in C.
@_cdecl("SecTrustSetAnchorCertificatesOnly")
public func cSecTrustSetAnchorCertificatesOnly(
    _ trust: UnsafeRawPointer?,
    _ anchorCertificatesOnly: UInt8
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return refusalStatus() }
    return SecTrustSetAnchorCertificatesOnly(trust, anchorCertificatesOnly != 0)
}

/// `SecTrustCopyCustomAnchorCertificates` for programs in C.
@_cdecl("SecTrustCopyCustomAnchorCertificates")
public func cSecTrustCopyCustomAnchorCertificates(
    _ trust: UnsafeRawPointer?,
    _ anchors: ReceivedObject?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let anchors
    else { return refusalStatus() }
    return receiveObject(anchors) { anchorsPointer in
        SecTrustCopyCustomAnchorCertificates(trust, anchorsPointer)
    }
}

/// `SecTrustCopyAnchorCertificates` for programs in C.
@_cdecl("SecTrustCopyAnchorCertificates")
public func cSecTrustCopyAnchorCertificates(
    _ anchors: ReceivedObject?
) -> OSStatus {
    guard
        let anchors
    else { return refusalStatus() }
    return receiveObject(anchors) { anchorsPointer in
        SecTrustCopyAnchorCertificates(anchorsPointer)
    }
}

/// `SecTrustSetVerifyDate` for programs in C.
@_cdecl("SecTrustSetVerifyDate")
public func cSecTrustSetVerifyDate(
    _ trust: UnsafeRawPointer?,
    _ verifyDate: UnsafeRawPointer?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let verifyDate = argument(verifyDate, NSDate.self)
    else { return refusalStatus() }
    return SecTrustSetVerifyDate(trust, verifyDate)
}

/// `SecTrustGetVerifyTime` for programs in C.
@_cdecl("SecTrustGetVerifyTime")
public func cSecTrustGetVerifyTime(
    _ trust: UnsafeRawPointer?
) -> Double {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return 0 }
    return SecTrustGetVerifyTime(trust)
}

/// `SecTrustSetOCSPResponse` for programs in C.
@_cdecl("SecTrustSetOCSPResponse")
public func cSecTrustSetOCSPResponse(
    _ trust: UnsafeRawPointer?,
    _ responseData: UnsafeRawPointer?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let responseData = optionalArgument(responseData, AnyObject.self)
    else { return refusalStatus() }
    return SecTrustSetOCSPResponse(trust, responseData)
}

/// `SecTrustSetSignedCertificateTimestamps` for programs in C.
@_cdecl("SecTrustSetSignedCertificateTimestamps")
public func cSecTrustSetSignedCertificateTimestamps(
    _ trust: UnsafeRawPointer?,
    _ sctArray: UnsafeRawPointer?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let sctArray = optionalArgument(sctArray, NSArray.self)
    else { return refusalStatus() }
    return SecTrustSetSignedCertificateTimestamps(trust, sctArray)
}

/// `SecTrustSetOptions` for programs in C.
@_cdecl("SecTrustSetOptions")
public func cSecTrustSetOptions(
    _ trustRef: UnsafeRawPointer?,
    _ options: UInt32
) -> OSStatus {
    guard
        let trustRef = argument(trustRef, SecTrust.self)
    else { return refusalStatus() }
    return SecTrustSetOptions(trustRef, SecTrustOptionFlags(rawValue: options))
}

/// `SecTrustEvaluateWithError` for programs in C.
@_cdecl("SecTrustEvaluateWithError")
public func cSecTrustEvaluateWithError(
    _ trust: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> Bool {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return refuse(error, false) }
    return receiveError(error) { errorPointer in
        SecTrustEvaluateWithError(trust, errorPointer)
    }
}

/// `SecTrustEvaluate` for programs in C.
@_cdecl("SecTrustEvaluate")
public func cSecTrustEvaluate(
    _ trust: UnsafeRawPointer?,
    _ result: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let result
    else { return refusalStatus() }
    return receiveValue(result) { resultPointer in
        SecTrustEvaluate(trust, resultPointer)
    }
}

/// `SecTrustGetTrustResult` for programs in C.
@_cdecl("SecTrustGetTrustResult")
public func cSecTrustGetTrustResult(
    _ trust: UnsafeRawPointer?,
    _ result: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard
        let trust = argument(trust, SecTrust.self),
        let result
    else { return refusalStatus() }
    return receiveValue(result) { resultPointer in
        SecTrustGetTrustResult(trust, resultPointer)
    }
}

/// `SecTrustCopyCertificateChain` for programs in C.
@_cdecl("SecTrustCopyCertificateChain")
public func cSecTrustCopyCertificateChain(
    _ trust: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return nil }
    return copied(SecTrustCopyCertificateChain(trust))
}

/// `SecTrustGetCertificateCount` for programs in C.
@_cdecl("SecTrustGetCertificateCount")
public func cSecTrustGetCertificateCount(
    _ trust: UnsafeRawPointer?
) -> Int {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return 0 }
    return SecTrustGetCertificateCount(trust)
}

/// `SecTrustCopyKey` for programs in C.
@_cdecl("SecTrustCopyKey")
public func cSecTrustCopyKey(
    _ trust: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return nil }
    return copied(SecTrustCopyKey(trust))
}

/// `SecTrustCopyPublicKey` for programs in C.
@_cdecl("SecTrustCopyPublicKey")
public func cSecTrustCopyPublicKey(
    _ trust: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return nil }
    return copied(SecTrustCopyPublicKey(trust))
}

/// `SecTrustCopyResult` for programs in C.
@_cdecl("SecTrustCopyResult")
public func cSecTrustCopyResult(
    _ trust: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return nil }
    return copied(SecTrustCopyResult(trust))
}

/// `SecTrustCopyProperties` for programs in C.
@_cdecl("SecTrustCopyProperties")
public func cSecTrustCopyProperties(
    _ trust: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return nil }
    return copied(SecTrustCopyProperties(trust))
}

/// `SecTrustCopyExceptions` for programs in C.
@_cdecl("SecTrustCopyExceptions")
public func cSecTrustCopyExceptions(
    _ trust: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    guard
        let trust = argument(trust, SecTrust.self)
    else { return nil }
    return copied(SecTrustCopyExceptions(trust))
}

/// `SecTrustSetExceptions` for programs in C.
@_cdecl("SecTrustSetExceptions")
public func cSecTrustSetExceptions(
    _ trust: UnsafeRawPointer?,
    _ exceptions: UnsafeRawPointer?
) -> Bool {
    guard
        let trust = argument(trust, SecTrust.self),
        let exceptions = optionalArgument(exceptions, NSData.self)
    else { return false }
    return SecTrustSetExceptions(trust, exceptions)
}

/// `SecItemImport` for programs in C.
@_cdecl("SecItemImport")
public func cSecItemImport(
    _ importedData: UnsafeRawPointer?,
    _ fileNameOrExtension: UnsafeRawPointer?,
    _ inputFormat: UnsafeMutablePointer<UInt32>?,
    _ itemType: UnsafeMutablePointer<UInt32>?,
    _ flags: UInt32,
    _ keyParams: UnsafeRawPointer?,
    _ importKeychain: UnsafeRawPointer?,
    _ outItems: ReceivedObject?
) -> OSStatus {
    guard
        let importedData = argument(importedData, NSData.self),
        let fileNameOrExtension = optionalArgument(fileNameOrExtension, NSString.self),
        let importKeychain = optionalArgument(importKeychain, SecKeychain.self)
    else { return refusalStatus() }
    return exchangeValue(inputFormat) { inputFormatPointer in
        exchangeValue(itemType) { itemTypePointer in
        receive(outItems) { outItemsPointer in
        SecItemImport(importedData, fileNameOrExtension, inputFormatPointer, itemTypePointer, SecItemImportExportFlags(rawValue: flags), keyParams?.assumingMemoryBound(to: SecItemImportExportKeyParameters.self), importKeychain, outItemsPointer)
    }
    }
    }
}

/// `SecItemExport` for programs in C.
@_cdecl("SecItemExport")
public func cSecItemExport(
    _ secItemOrArray: UnsafeRawPointer?,
    _ outputFormat: UInt32,
    _ flags: UInt32,
    _ keyParams: UnsafeRawPointer?,
    _ exportedData: ReceivedObject?
) -> OSStatus {
    guard
        let secItemOrArray = argument(secItemOrArray, AnyObject.self),
        let outputFormat = SecExternalFormat(rawValue: outputFormat),
        let exportedData
    else { return refusalStatus() }
    return receiveObject(exportedData) { exportedDataPointer in
        SecItemExport(secItemOrArray, outputFormat, SecItemImportExportFlags(rawValue: flags), keyParams?.assumingMemoryBound(to: SecItemImportExportKeyParameters.self), exportedDataPointer)
    }
}

/// `SecTaskCreateFromSelf` for programs in C.
@_cdecl("SecTaskCreateFromSelf")
public func cSecTaskCreateFromSelf(
    _ allocator: UnsafeRawPointer?
) -> UnsafeRawPointer? {
    return copied(SecTaskCreateFromSelf(nil))
}

/// `SecTaskCopyValueForEntitlement` for programs in C.
@_cdecl("SecTaskCopyValueForEntitlement")
public func cSecTaskCopyValueForEntitlement(
    _ task: UnsafeRawPointer?,
    _ entitlement: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let task = argument(task, SecTask.self),
        let entitlement = argument(entitlement, NSString.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecTaskCopyValueForEntitlement(task, entitlement, errorPointer))
    }
}

/// `SecTaskCopyValuesForEntitlements` for programs in C.
@_cdecl("SecTaskCopyValuesForEntitlements")
public func cSecTaskCopyValuesForEntitlements(
    _ task: UnsafeRawPointer?,
    _ entitlements: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let task = argument(task, SecTask.self),
        let entitlements = argument(entitlements, NSArray.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecTaskCopyValuesForEntitlements(task, entitlements, errorPointer))
    }
}

/// `SecTaskCopySigningIdentifier` for programs in C.
@_cdecl("SecTaskCopySigningIdentifier")
public func cSecTaskCopySigningIdentifier(
    _ task: UnsafeRawPointer?,
    _ error: ReceivedObject?
) -> UnsafeRawPointer? {
    guard
        let task = argument(task, SecTask.self)
    else { return refuse(error, nil) }
    return receiveError(error) { errorPointer in
        copied(SecTaskCopySigningIdentifier(task, errorPointer))
    }
}

/// `SecCreateSharedWebCredentialPassword` for programs in C.
@_cdecl("SecCreateSharedWebCredentialPassword")
public func cSecCreateSharedWebCredentialPassword() -> UnsafeRawPointer? {
    return copied(SecCreateSharedWebCredentialPassword())
}
