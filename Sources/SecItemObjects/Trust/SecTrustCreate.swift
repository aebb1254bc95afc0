// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Makes a trust from certificates and policies, without evaluating it. Apple:
/// [SecTrustCreateWithCertificates](https://developer.apple.com/documentation/security/sectrustcreatewithcertificates(_:_:_:)).
///
/// - Parameters:
///   - certificates: A `SecCertificate`, or an array of them: first the leaf, followed by certificates that may be in
///     its chain, in any order.
///   - policies: A `SecPolicy`, or an array of them, all of which must be satisfied; nil for the basic policy.
///   - trust: Receives the trust.
/// - Returns: `errSecSuccess`; `errSecParam` if an argument has another type or an array is empty; `errSecDataTooLarge`
///   for more than 128 certificates.
@discardableResult
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let policies: [SecPolicy] =
            try policies.map { (given) throws(KeychainError) in try objects(given) }
            ?? [SecPolicyCreateBasicX509()]
        guard !policies.isEmpty else { throw .param("there must be a policy") }
        let certificates: [SecCertificate] = try objects(certificates, atMost: TrustLimits.greatestChain)
        guard !certificates.isEmpty else { throw .param("there must be a certificate") }
        trust.pointee = SecTrust(TrustRequest(certificates: certificates, policies: policies), library: .shared)
    }
}

/// The limits of one evaluation.
enum TrustLimits {
    static let greatestChain = 128
    static let greatestAnchors = 4096
    /// The limit of a response. No certificate exceeds it either, because larger ones cannot be created.
    static let greatestBytes = 1 << 20
    static let greatestResponses = 16
}

/// The objects of an argument that is one of them or an array of them.
///
/// - Parameter greatestCount: The greatest number of objects.
/// - Throws: `errSecParam` for another type of object. `errSecDataTooLarge` for too many.
private func objects<Object: AnyObject>(
    _ value: CFTypeRef, atMost greatestCount: Int = .max
) throws(KeychainError) -> [Object] {
    let array = value as? NSArray
    let objects = array.map { $0.callerElements.compactMap { $0 as? Object } } ?? [value].compactMap { $0 as? Object }
    guard objects.count == array?.count ?? 1 else { throw .param("an argument has the wrong type") }
    guard objects.count <= greatestCount else { throw KeychainError(errSecDataTooLarge, "too many objects") }
    return objects
}

// MARK: - Policies

/// Sets the policies, all of which must be satisfied. Apple:
/// [SecTrustSetPolicies](https://developer.apple.com/documentation/security/sectrustsetpolicies(_:_:)).
///
/// - Parameters:
///   - trust: The trust.
///   - policies: A `SecPolicy`, or an array of at least one.
/// - Returns: `errSecSuccess`, or `errSecParam` for anything else.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let policies: [SecPolicy] = try objects(policies)
        guard !policies.isEmpty else { throw .param("there must be a policy") }
        trust.change { $0.policies = policies }
    }
}

/// Gives the policies. Apple:
/// [SecTrustCopyPolicies](https://developer.apple.com/documentation/security/sectrustcopypolicies(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    CallLog.status(of: #function) { policies.pointee = trust.current.policies as NSArray }
}

// MARK: - Anchors

/// Sets the anchors, the certificates at which a chain may end. They replace the machine's authorities. Apple:
/// [SecTrustSetAnchorCertificates](https://developer.apple.com/documentation/security/sectrustsetanchorcertificates(_:_:)).
///
/// An anchor may be the root, an authority in the middle of a chain, or the leaf. To trust the machine's authorities as
/// well, call `SecTrustSetAnchorCertificatesOnly` with false afterwards.
///
/// - Parameters:
///   - trust: The trust.
///   - anchorCertificates: An array of `SecCertificate`; nil for the machine's authorities alone.
/// - Returns: `errSecSuccess`; `errSecParam` if the array contains anything else; `errSecDataTooLarge` for more than
///   4096 certificates.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let anchors: [SecCertificate]? = try anchorCertificates.map { (given) throws(KeychainError) in
            try objects(given, atMost: TrustLimits.greatestAnchors)
        }
        trust.change { request in
            request.anchors = anchors
            request.usesSystemAnchors = anchors == nil
        }
    }
}

/// Sets whether a chain must end at one of the caller's own anchors. Apple:
/// [SecTrustSetAnchorCertificatesOnly](https://developer.apple.com/documentation/security/sectrustsetanchorcertificatesonly(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.change { $0.usesSystemAnchors = !anchorCertificatesOnly }
    return errSecSuccess
}

/// Gives the caller's own anchors; nil if none were set. Apple:
/// [SecTrustCopyCustomAnchorCertificates](https://developer.apple.com/documentation/security/sectrustcopycustomanchorcertificates(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
    _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    CallLog.status(of: #function) { anchors.pointee = trust.current.anchors.map { $0 as NSArray } }
}

/// Gives the authorities that the machine trusts: those of its CA bundle, or of the file that `SSL_CERT_FILE` names.
/// Apple:
/// [SecTrustCopyAnchorCertificates](https://developer.apple.com/documentation/security/sectrustcopyanchorcertificates(_:)).
///
/// The process reads the bundle once. There are no trust settings of users.
///
/// - Returns: `errSecSuccess`; `errSecUnimplemented` without OpenSSL, and `anchors` does not change.
@discardableResult
public func SecTrustCopyAnchorCertificates(_ anchors: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        guard let system = SystemAnchors.shared else { throw .unimplemented("trust needs OpenSSL 3") }
        anchors.pointee = system.store.anchors.compactMap { try? SecCertificate($0.bytes) } as NSArray
    }
}

// MARK: - Date

/// Sets the date on which the chain must be valid, instead of the present time. Apple:
/// [SecTrustSetVerifyDate](https://developer.apple.com/documentation/security/sectrustsetverifydate(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = Date(timeIntervalSinceReferenceDate: verifyDate.timeIntervalSinceReferenceDate)
    trust.change { $0.date = date }
    return errSecSuccess
}

/// Gives the date on which the chain must be valid; the present time if none was set. Apple:
/// [SecTrustGetVerifyTime](https://developer.apple.com/documentation/security/sectrustgetverifytime(_:)).
@discardableResult
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    (trust.current.date ?? Date()).timeIntervalSinceReferenceDate
}

// MARK: - Revocation, network, options

/// Sets OCSP responses that the server sent with the connection. Apple:
/// [SecTrustSetOCSPResponse](https://developer.apple.com/documentation/security/sectrustsetocspresponse(_:_:)).
///
/// A response counts if the leaf's issuer signed it, or a responder that the issuer authorised. If such a response says
/// that the leaf is revoked, the evaluation fails with `errSecCertificateRevoked`. Other responses are ignored.
///
/// - Parameters:
///   - trust: The trust.
///   - responseData: Data, an array of data, or nil for none.
/// - Returns: `errSecSuccess`; `errSecParam` for anything else; `errSecDataTooLarge` for more than 16 responses, or a
///   response above 1 MiB.
@discardableResult
public func SecTrustSetOCSPResponse(_ trust: SecTrust, _ responseData: CFTypeRef?) -> OSStatus {
    CallLog.status(of: #function) { () throws(KeychainError) in
        let given: [NSData] =
            try responseData.map { (value) throws(KeychainError) in
                try objects(value, atMost: TrustLimits.greatestResponses)
            } ?? []
        let responses = given.map(\.copiedData)
        guard responses.allSatisfy({ $0.count <= TrustLimits.greatestBytes }) else {
            throw KeychainError(errSecDataTooLarge, "a response is too large")
        }
        trust.change { $0.responses = responses }
    }
}

/// Accepts signed certificate timestamps and ignores them: certificate transparency is not checked. Apple:
/// [SecTrustSetSignedCertificateTimestamps](https://developer.apple.com/documentation/security/sectrustsetsignedcertificatetimestamps(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetSignedCertificateTimestamps(_ trust: SecTrust, _ sctArray: CFArray?) -> OSStatus {
    errSecSuccess
}

/// Sets whether the network may be used for missing certificates and revocation. This library never uses the network,
/// so the setting has no effect. Apple:
/// [SecTrustSetNetworkFetchAllowed](https://developer.apple.com/documentation/security/sectrustsetnetworkfetchallowed(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.fetchAllowed = allowFetch
    return errSecSuccess
}

/// Gives the setting for the network. If none was made, it is false if the basic policy is the only one, and otherwise
/// true. Apple:
/// [SecTrustGetNetworkFetchAllowed](https://developer.apple.com/documentation/security/sectrustgetnetworkfetchallowed(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
    _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    allowFetch.pointee = DarwinBoolean(trust.fetchAllowed)
    return errSecSuccess
}

/// Tolerates some failures: `allowExpired`, `allowExpiredRoot` and `implicitAnchors`. The other options have no effect.
/// Apple:
/// [SecTrustSetOptions](https://developer.apple.com/documentation/security/sectrustsetoptions(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetOptions(_ trustRef: SecTrust, _ options: SecTrustOptionFlags) -> OSStatus {
    trustRef.change { $0.options = options }
    return errSecSuccess
}
