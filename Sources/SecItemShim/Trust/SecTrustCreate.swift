// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes a trust of certificates and policies; nothing is evaluated yet. Apple:
/// [SecTrustCreateWithCertificates](https://developer.apple.com/documentation/security/sectrustcreatewithcertificates(_:_:_:)).
///
/// - Parameters:
///   - certificates: A `SecCertificate`, or an array: the leaf, and certificates that may be in its chain, in any order.
///   - policies: A `SecPolicy`, or an array, all of which have to be satisfied; nil for the basic policy.
///   - trust: Receives the trust.
/// - Returns: `errSecSuccess`; `errSecParam` for anything else in either, or nothing in an array; `errSecDataTooLarge`
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

/// What one evaluation may be given.
enum TrustLimits {
    static let greatestChain = 128
    static let greatestAnchors = 4096
    /// Of a response. No certificate has more either: what has is none.
    static let greatestBytes = 1 << 20

    static func permit(_ certificates: [SecCertificate], _ greatestCount: Int) -> Bool {
        certificates.count <= greatestCount
    }
}

/// An object, or the objects of an array; nil if one is something else.
private func objects<Object: AnyObject>(_ value: CFTypeRef) -> [Object]? {
    if let one = value as? Object { return [one] }
    guard let array = value as? NSArray else { return nil }
    let objects = array.compactMap { $0 as? Object }
    return objects.count == array.count ? objects : nil
}

// MARK: - Policies

/// Sets the policies, all of which have to be satisfied. Apple:
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

/// Sets the certificates that a chain may end in, in place of the machine's. Apple:
/// [SecTrustSetAnchorCertificates](https://developer.apple.com/documentation/security/sectrustsetanchorcertificates(_:_:)).
///
/// An anchor may be an authority in the middle of a chain, or the leaf. To trust the machine's as well, call
/// `SecTrustSetAnchorCertificatesOnly` with false afterwards.
///
/// - Parameters:
///   - trust: The trust.
///   - anchorCertificates: An array of `SecCertificate`; nil for the machine's alone.
/// - Returns: `errSecSuccess`; `errSecParam` for anything else in the array; `errSecDataTooLarge` for more than 4096
///   certificates.
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

/// Says whether a chain has to end in one of the caller's own anchors. Apple:
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
/// The bundle is read once. A user's own trust settings are not there.
///
/// - Returns: `errSecSuccess`; `errSecUnimplemented` without OpenSSL, and `anchors` is left alone.
@discardableResult
public func SecTrustCopyAnchorCertificates(_ anchors: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    guard let system = SystemAnchors.shared else { return errSecUnimplemented }
    anchors.pointee = system.store.anchors.compactMap { try? SecCertificate($0.bytes) } as NSArray
    return errSecSuccess
}

// MARK: - Date

/// Sets the date for which the chain has to be valid, in place of the present. Apple:
/// [SecTrustSetVerifyDate](https://developer.apple.com/documentation/security/sectrustsetverifydate(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
    let date = Date(timeIntervalSinceReferenceDate: verifyDate.timeIntervalSinceReferenceDate)
    trust.change { $0.date = date }
    return errSecSuccess
}

/// Gives the date for which the chain has to be valid; the present if none was set. Apple:
/// [SecTrustGetVerifyTime](https://developer.apple.com/documentation/security/sectrustgetverifytime(_:)).
@discardableResult
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
    (trust.current.date ?? Date()).timeIntervalSinceReferenceDate
}

// MARK: - Revocation, network, options

/// Sets OCSP responses that came with the connection. Apple:
/// [SecTrustSetOCSPResponse](https://developer.apple.com/documentation/security/sectrustsetocspresponse(_:_:)).
///
/// A response that the leaf's issuer has signed, or somebody to whom it leaves that, is believed: a leaf that it calls
/// revoked fails with `errSecCertificateRevoked`. Others say nothing.
///
/// - Parameters:
///   - trust: The trust.
///   - responseData: Data, an array of data, or nil for none.
/// - Returns: `errSecSuccess`; `errSecParam` for anything else; `errSecDataTooLarge` for more than 16 responses, or one
///   above 1 MiB.
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

/// Takes signed certificate timestamps, and does nothing with them: transparency is not checked. Apple:
/// [SecTrustSetSignedCertificateTimestamps](https://developer.apple.com/documentation/security/sectrustsetsignedcertificatetimestamps(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetSignedCertificateTimestamps(_ trust: SecTrust, _ sctArray: CFArray?) -> OSStatus {
    errSecSuccess
}

/// Says whether missing certificates and revocation may be looked for in the network. Nothing is ever fetched. Apple:
/// [SecTrustSetNetworkFetchAllowed](https://developer.apple.com/documentation/security/sectrustsetnetworkfetchallowed(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
    trust.fetchAllowed = allowFetch
    return errSecSuccess
}

/// Tells what was said on the network; else true, but for the basic policy alone. Apple:
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

/// Lets some failures pass: `allowExpired`, `allowExpiredRoot` and `implicitAnchors`; the others change nothing. Apple:
/// [SecTrustSetOptions](https://developer.apple.com/documentation/security/sectrustsetoptions(_:_:)).
///
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustSetOptions(_ trustRef: SecTrust, _ options: SecTrustOptionFlags) -> OSStatus {
    trustRef.change { $0.options = options }
    return errSecSuccess
}
