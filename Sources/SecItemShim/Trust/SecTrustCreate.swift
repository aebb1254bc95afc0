// SPDX-License-Identifier: Apache-2.0

import Foundation

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
    guard let certificates: [SecCertificate] = objects(certificates), !certificates.isEmpty,
        let policies = policies.map(objects) ?? [SecPolicyCreateBasicX509()], !policies.isEmpty
    else { return errSecParam }
    guard TrustLimits.permit(certificates, TrustLimits.greatestChain) else { return errSecDataTooLarge }
    let request = TrustRequest(certificates: certificates, policies: policies)
    trust.pointee = SecTrust(request, library: .shared)
    return errSecSuccess
}

/// The limits of one evaluation.
enum TrustLimits {
    static let greatestChain = 128
    static let greatestAnchors = 4096
    /// The limit of a response. No certificate exceeds it either, because larger ones cannot be created.
    static let greatestBytes = 1 << 20

    static func permit(_ certificates: [SecCertificate], _ greatestCount: Int) -> Bool {
        certificates.count <= greatestCount
    }
}

/// The object, or the objects of an array; nil if one has another type.
private func objects<Object: AnyObject>(_ value: CFTypeRef) -> [Object]? {
    if let one = value as? Object { return [one] }
    guard let array = value as? NSArray else { return nil }
    let objects = array.callerElements.compactMap { $0 as? Object }
    return objects.count == array.count ? objects : nil
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
    guard let policies: [SecPolicy] = objects(policies), !policies.isEmpty else { return errSecParam }
    trust.change { $0.policies = policies }
    return errSecSuccess
}

/// Gives the policies. Apple:
/// [SecTrustCopyPolicies](https://developer.apple.com/documentation/security/sectrustcopypolicies(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    policies.pointee = trust.current.policies as NSArray
    return errSecSuccess
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
    var anchors: [SecCertificate]?
    if let anchorCertificates {
        guard let given: [SecCertificate] = objects(anchorCertificates) else { return errSecParam }
        guard TrustLimits.permit(given, TrustLimits.greatestAnchors) else { return errSecDataTooLarge }
        anchors = given
    }
    trust.change { request in
        request.anchors = anchors
        request.usesSystemAnchors = anchors == nil
    }
    return errSecSuccess
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
    anchors.pointee = trust.current.anchors.map { $0 as NSArray }
    return errSecSuccess
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
    guard let system = SystemAnchors.shared else { return errSecUnimplemented }
    anchors.pointee = system.store.anchors.compactMap { try? SecCertificate($0.bytes) } as NSArray
    return errSecSuccess
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
    var responses: [Data] = []
    if let responseData {
        guard let given: [NSData] = objects(responseData) else { return errSecParam }
        responses = given.map(\.copiedData)
    }
    guard responses.count <= 16, responses.allSatisfy({ $0.count <= TrustLimits.greatestBytes }) else {
        return errSecDataTooLarge
    }
    trust.change { $0.responses = responses }
    return errSecSuccess
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
