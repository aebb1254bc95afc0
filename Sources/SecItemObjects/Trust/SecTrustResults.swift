// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Gives the chain as far as it could be built, leaf first and anchor last. Apple:
/// [SecTrustCopyCertificateChain](https://developer.apple.com/documentation/security/sectrustcopycertificatechain(_:)).
///
/// Evaluates the trust if necessary. The function also gives the chain of a trust that failed, so check the result
/// first.
///
/// - Returns: An array of `SecCertificate`, or nil if nothing can be evaluated.
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    (try? trust.evaluation()).map { $0.chain as NSArray }
}

/// Gives the length of the chain; 1 if nothing can be evaluated. Apple:
/// [SecTrustGetCertificateCount](https://developer.apple.com/documentation/security/sectrustgetcertificatecount(_:)).
@discardableResult
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
    (try? trust.evaluation())?.chain.count ?? 1
}

/// Gives one certificate of the chain. Deprecated by Apple in favour of `SecTrustCopyCertificateChain`.
///
/// - Returns: The certificate; nil for an index outside the chain.
@discardableResult
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let chain = (try? trust.evaluation())?.chain ?? Array(trust.current.certificates.prefix(1))
    return chain.indices.contains(ix) ? chain[ix] : nil
}

/// Gives the public key of the leaf, whether the chain is trusted or not. Apple:
/// [SecTrustCopyKey](https://developer.apple.com/documentation/security/sectrustcopykey(_:)).
///
/// - Returns: The key, or nil if its type is not supported.
@discardableResult
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.current.certificates.first.flatMap(SecCertificateCopyKey)
}

/// Gives the public key of the leaf. Deprecated by Apple in favour of `SecTrustCopyKey`.
@discardableResult
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? {
    SecTrustCopyKey(trust)
}

/// Gives the details of the evaluation: `kSecTrustEvaluationDate`, `kSecTrustResultValue`, `kSecTrustRevocationChecked`
/// if a stapled response was accepted, and under `TrustResultDetails` the failures of each certificate. Apple:
/// [SecTrustCopyResult](https://developer.apple.com/documentation/security/sectrustcopyresult(_:)).
///
/// - Returns: The dictionary, or nil if nothing can be evaluated.
@discardableResult
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    (try? trust.evaluation())?.rendered
}

/// Gives a description of each certificate of the chain: `kSecPropertyTypeTitle`, and `kSecPropertyTypeError` if
/// something is wrong. Deprecated by Apple in favour of `SecTrustCopyResult`.
///
/// - Returns: An array of dictionaries, or nil if nothing can be evaluated.
@discardableResult
public func SecTrustCopyProperties(_ trust: SecTrust) -> CFArray? {
    (try? trust.evaluation())?.properties
}

// MARK: - Exceptions

/// Gives exceptions for everything that is wrong with this chain now. With them, `SecTrustSetExceptions` makes the
/// chain trusted. Apple:
/// [SecTrustCopyExceptions](https://developer.apple.com/documentation/security/sectrustcopyexceptions(_:)).
///
/// The bytes have this library's own format; those of Apple's libraries cannot be read. They identify certificates by
/// their digests.
///
/// - Returns: The exceptions, or nil if nothing can be evaluated.
@discardableResult
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    trust.evaluationWithoutExceptions().flatMap { TrustExceptions($0).encoded }.map(ResultData.init)
}

/// Sets the failures to accept for this chain. Apple:
/// [SecTrustSetExceptions](https://developer.apple.com/documentation/security/sectrustsetexceptions(_:_:)).
///
/// Exceptions never accept a revoked leaf (if its issuer is in the chain), a weak key, a weak or wrong signature, or a
/// certificate that cannot be read. An exception applies to the same certificate in the same place of the chain. An
/// exception for a host name mismatch applies to every host, as on Apple's platforms. A chain that is trusted because
/// of an exception has the result `.proceed`.
///
/// - Parameters:
///   - trust: The trust.
///   - exceptions: The result of `SecTrustCopyExceptions`; nil for none.
/// - Returns: Whether the exceptions belong to this leaf. If they do not, the trust has no exceptions afterwards.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let given = exceptions.flatMap { TrustExceptions($0.copiedData) }
    let leaf = trust.current.certificates.first
    let fitting = leaf.flatMap { leaf in given.flatMap { $0.concerns(leaf) ? $0 : nil } }
    trust.change { $0.exceptions = fitting }
    return fitting != nil || exceptions == nil
}
