// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives the chain, leaf first and anchor last, as far as it could be built. Apple:
/// [SecTrustCopyCertificateChain](https://developer.apple.com/documentation/security/sectrustcopycertificatechain(_:)).
///
/// Evaluates the trust if that has not happened yet. The chain of a trust that failed is given, too: look at the outcome
/// first.
///
/// - Returns: An array of `SecCertificate`, or nil where nothing can be evaluated.
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    (try? trust.evaluation()).map { $0.chain as NSArray }
}

/// Gives the length of the chain; 1 where nothing can be evaluated. Apple:
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
/// - Returns: The key, or nil for one of a kind that is not there.
@discardableResult
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.current.certificates.first.flatMap(SecCertificateCopyKey)
}

/// Gives the public key of the leaf. Deprecated by Apple in favour of `SecTrustCopyKey`.
@discardableResult
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? {
    SecTrustCopyKey(trust)
}

/// Gives what the evaluation found: `kSecTrustEvaluationDate`, `kSecTrustResultValue`, `kSecTrustRevocationChecked` if a
/// stapled response was believed, and under `TrustResultDetails` the failures of each certificate. Apple:
/// [SecTrustCopyResult](https://developer.apple.com/documentation/security/sectrustcopyresult(_:)).
///
/// - Returns: The dictionary, or nil where nothing can be evaluated.
@discardableResult
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? {
    (try? trust.evaluation())?.rendered
}

/// Gives a description of each certificate of the chain: `kSecPropertyTypeTitle`, and `kSecPropertyTypeError` if something
/// is wrong. Deprecated by Apple in favour of `SecTrustCopyResult`.
///
/// - Returns: An array of dictionaries, or nil where nothing can be evaluated.
@discardableResult
public func SecTrustCopyProperties(_ trust: SecTrust) -> CFArray? {
    (try? trust.evaluation())?.properties
}

// MARK: - Exceptions

/// Gives what makes this chain trusted in spite of everything that is wrong with it now, for
/// `SecTrustSetExceptions`. Apple:
/// [SecTrustCopyExceptions](https://developer.apple.com/documentation/security/sectrustcopyexceptions(_:)).
///
/// Its bytes are this library's own, and another's are not read. They name certificates by their digests.
///
/// - Returns: The exceptions, or nil where nothing can be evaluated.
@discardableResult
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? {
    trust.evaluationWithoutExceptions().flatMap { TrustExceptions($0).encoded }.map(ResultData.init)
}

/// Sets what may be wrong with this chain. Apple:
/// [SecTrustSetExceptions](https://developer.apple.com/documentation/security/sectrustsetexceptions(_:_:)).
///
/// A revoked leaf (where its issuer is in the chain), a weak key, a weak or wrong signature and what cannot be read stay
/// failures. What is accepted holds for the same certificate in the same place of the chain. That a name does not match is
/// accepted for every host, as Apple's exceptions do. A chain that is trusted by an exception has the result `.proceed`.
///
/// - Parameters:
///   - trust: The trust.
///   - exceptions: What `SecTrustCopyExceptions` gave; nil for none.
/// - Returns: Whether they are about this leaf. If not, there are none afterwards.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
    let given = exceptions.flatMap { TrustExceptions($0.copiedData) }
    let fitting = trust.current.certificates.first.flatMap { leaf in given.flatMap { $0.concerns(leaf) ? $0 : nil } }
    trust.change { $0.exceptions = fitting }
    return fitting != nil || exceptions == nil
}
