// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tells whether a chain is trusted. Apple:
/// [SecTrustEvaluateWithError](https://developer.apple.com/documentation/security/sectrustevaluatewitherror(_:_:)).
///
///     var error: CFError?
///     if !SecTrustEvaluateWithError(trust, &error) {
///         print(error?.localizedDescription ?? "")
///     }
///
/// The call blocks while it verifies signatures; it never uses the network. The result is kept until the trust changes.
/// If no date was set with `SecTrustSetVerifyDate`, it is kept for at most a minute.
///
/// - Parameters:
///   - trust: The trust.
///   - error: Receives the reason if the result is false, unless nil; set to nil on success. It is an error of the
///     domain `NSOSStatusErrorDomain`. Its description names the certificate, and its underlying error has all
///     failures. Of several failures, the code is that of the first in this list: `errSecCertificateRevoked`,
///     `errSecDataTooLarge` if the certificates cost too much to verify, `errSecUnsupportedKeySize`, `errSecInvalidDigestAlgorithm`, codes for malformed chains,
///     `errSecIncompleteCertRevocationCheck` for a missing OCSP response that the policy requires, `errSecNotTrusted`
///     for an unknown root, `errSecCreateChainFailed` for a missing certificate, `errSecInvalidExtendedKeyUsage`,
///     `errSecHostNameMismatch`, `errSecCertificateExpired` (also for a certificate that is not valid yet, as on
///     Apple's platforms). `errSecUnimplemented` without OpenSSL 3.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    do throws(KeychainError) {
        let evaluation = try trust.evaluation()
        error?.pointee = evaluation.error
        return evaluation.isTrusted
    } catch let failure {
        CallLog.log(failure, of: #function)
        error?.pointee = NSError(status: failure.status, message: failure.message)
        return false
    }
}

/// A block that receives the result of `SecTrustEvaluateAsyncWithError`.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Tells whether a chain is trusted, on a queue. Apple:
/// [SecTrustEvaluateAsyncWithError](https://developer.apple.com/documentation/security/sectrustevaluateasyncwitherror(_:_:_:)).
///
/// - Parameters:
///   - trust: The trust.
///   - queue: The queue that calls the block.
///   - result: Called once, with the result of `SecTrustEvaluateWithError`.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // Called once, on the queue that the caller names.
    nonisolated(unsafe) let result = result
    queue.async {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        result(trust, isTrusted, error)
    }
    return errSecSuccess
}

/// Evaluates a trust. Deprecated by Apple in favour of `SecTrustEvaluateWithError`. Apple:
/// [SecTrustEvaluate](https://developer.apple.com/documentation/security/sectrustevaluate(_:_:)).
///
/// - Parameters:
///   - trust: The trust.
///   - result: Receives the result. `.unspecified` and `.proceed` (with exceptions) mean that the chain is trusted.
/// - Returns: `errSecSuccess` for every result of an evaluation; `errSecUnimplemented` without OpenSSL 3, with the
///   result `.invalid`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    do throws(KeychainError) {
        result.pointee = try trust.evaluation().result
        return errSecSuccess
    } catch {
        CallLog.log(error, of: #function)
        result.pointee = .invalid
        return error.status
    }
}

/// A block that receives the result of `SecTrustEvaluateAsync`.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void

/// Evaluates a trust, on a queue. Deprecated by Apple in favour of `SecTrustEvaluateAsyncWithError`. Apple:
/// [SecTrustEvaluateAsync](https://developer.apple.com/documentation/security/sectrustevaluateasync(_:_:_:)).
///
/// - Parameters:
///   - trust: The trust.
///   - queue: The queue that calls the block; nil for the main queue.
///   - result: Called once, with the result of `SecTrustEvaluate`.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus {
    // Called once, on the queue that the caller names.
    nonisolated(unsafe) let result = result
    (queue ?? .main).async {
        var outcome = SecTrustResultType.invalid
        SecTrustEvaluate(trust, &outcome)
        result(trust, outcome)
    }
    return errSecSuccess
}

/// Gives the result of the evaluation. Evaluates the trust if necessary. Apple:
/// [SecTrustGetTrustResult](https://developer.apple.com/documentation/security/sectrustgettrustresult(_:_:)).
///
/// - Returns: As for `SecTrustEvaluate`.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    SecTrustEvaluate(trust, result)
}
