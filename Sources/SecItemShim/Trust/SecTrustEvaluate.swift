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
/// Blocks for the time that some signatures take; nothing is fetched. The outcome is kept until the trust is changed.
///
/// - Parameters:
///   - trust: The trust.
///   - error: Receives, if not nil, why not: an error of the domain `NSOSStatusErrorDomain`, with the name of the
///     certificate in its description and all failures in its underlying error. Of several failures, the code is that of
///     the gravest: `errSecCertificateRevoked`, `errSecUnsupportedKeySize`, `errSecInvalidDigestAlgorithm`, codes for
///     chains that are not well formed, `errSecNotTrusted` for an unknown root, `errSecCreateChainFailed` for a missing
///     certificate, `errSecInvalidExtendedKeyUsage`, `errSecHostNameMismatch`, `errSecCertificateExpired` (which also
///     stands for "not valid yet", as with Apple). `errSecUnimplemented` without OpenSSL 3. Nil on success.
@discardableResult
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    do throws(KeychainError) {
        let evaluation = try trust.evaluation()
        error?.pointee = evaluation.error
        return evaluation.isTrusted
    } catch let failure {
        KeychainCalls.logFirst(failure, of: #function)
        error?.pointee = NSError(status: failure.status, message: failure.message)
        return false
    }
}

/// What is called with the outcome of `SecTrustEvaluateAsyncWithError`.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Tells whether a chain is trusted, on a queue. Apple:
/// [SecTrustEvaluateAsyncWithError](https://developer.apple.com/documentation/security/sectrustevaluateasyncwitherror(_:_:_:)).
///
/// - Parameters:
///   - trust: The trust.
///   - queue: Where the block is called.
///   - result: Called once, with what `SecTrustEvaluateWithError` gives.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    // Called once, on the queue that the caller names for it.
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
///   - result: Receives the outcome, of which `.unspecified` and `.proceed` (with exceptions) mean that the chain is
///     trusted.
/// - Returns: `errSecSuccess`, whatever the outcome; `errSecUnimplemented` without OpenSSL 3, with the result `.invalid`.
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    do throws(KeychainError) {
        result.pointee = try trust.evaluation().result
        return errSecSuccess
    } catch {
        KeychainCalls.logFirst(error, of: #function)
        result.pointee = .invalid
        return error.status
    }
}

/// What is called with the outcome of `SecTrustEvaluateAsync`.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void

/// Evaluates a trust, on a queue. Deprecated by Apple in favour of `SecTrustEvaluateAsyncWithError`. Apple:
/// [SecTrustEvaluateAsync](https://developer.apple.com/documentation/security/sectrustevaluateasync(_:_:_:)).
///
/// - Parameters:
///   - trust: The trust.
///   - queue: Where the block is called; nil for the main queue.
///   - result: Called once, with what `SecTrustEvaluate` gives.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus {
    // Called once, on the queue that the caller names for it.
    nonisolated(unsafe) let result = result
    (queue ?? .main).async {
        var outcome = SecTrustResultType.invalid
        SecTrustEvaluate(trust, &outcome)
        result(trust, outcome)
    }
    return errSecSuccess
}

/// Gives the outcome of the evaluation, which takes place if it has not yet. Apple:
/// [SecTrustGetTrustResult](https://developer.apple.com/documentation/security/sectrustgettrustresult(_:_:)).
///
/// - Returns: As `SecTrustEvaluate`.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    SecTrustEvaluate(trust, result)
}
