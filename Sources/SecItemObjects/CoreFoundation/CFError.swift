// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on errors.

import Foundation

// MARK: - Types

/// An error.
public typealias CFError = NSError

/// The name of a family of errors.
public typealias CFErrorDomain = CFString

// MARK: - Domains

/// Errors of the operating system; the code is an `errno`.
public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain! = "NSPOSIXErrorDomain"

/// Errors whose code is an `OSStatus`, as the functions of this library give.
public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = "NSOSStatusErrorDomain"

/// Errors of the Mach kernel.
public nonisolated(unsafe) let kCFErrorDomainMach: CFErrorDomain! = "NSMachErrorDomain"

/// Errors of Foundation.
public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain! = "NSCocoaErrorDomain"

// MARK: - Entries of the user information

/// The description for users. String.
public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString! = "NSLocalizedDescription"

/// The operation that failed. String.
public nonisolated(unsafe) let kCFErrorLocalizedFailureKey: CFString! = "NSLocalizedFailure"

/// The reason of the failure. String.
public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString! = "NSLocalizedFailureReason"

/// What the user can do about it. String.
public nonisolated(unsafe) let kCFErrorLocalizedRecoverySuggestionKey: CFString! = "NSLocalizedRecoverySuggestion"

/// The description for developers. String.
public nonisolated(unsafe) let kCFErrorDescriptionKey: CFString! = "NSDescription"

/// The error behind this one. `CFError`.
public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString! = "NSUnderlyingError"

/// The URL the error is about. `CFURL`.
public nonisolated(unsafe) let kCFErrorURLKey: CFString! = "NSURL"

/// The path the error is about. String.
public nonisolated(unsafe) let kCFErrorFilePathKey: CFString! = "NSFilePath"

// MARK: - Functions

/// Makes an error.
///
/// - Parameters:
///   - allocator: Not used.
///   - domain: The family of errors the code belongs to.
///   - code: The code.
///   - userInfo: More about the error; ignored unless every key is a string.
@discardableResult
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    NSError(domain: (domain ?? "") as String, code: code, userInfo: userInfo as? [String: Any])
}

/// Gives the domain of an error.
@discardableResult
public func CFErrorGetDomain(_ err: CFError!) -> CFErrorDomain! {
    (err?.domain).map { NSString(string: $0) }
}

/// Gives the code of an error.
@discardableResult
public func CFErrorGetCode(_ err: CFError!) -> CFIndex {
    err?.code ?? 0
}

/// Gives the user information of an error; empty if there is none.
@discardableResult
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! {
    (err?.userInfo).map { $0 as CFDictionary }
}

/// Gives the description of an error for users.
@discardableResult
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! {
    (err?.localizedDescription).map { NSString(string: $0) }
}

/// Gives the reason of an error, or `nil`.
@discardableResult
public func CFErrorCopyFailureReason(_ err: CFError!) -> CFString! {
    (err?.localizedFailureReason).map { NSString(string: $0) }
}

/// Gives what the user can do about an error, or `nil`.
@discardableResult
public func CFErrorCopyRecoverySuggestion(_ err: CFError!) -> CFString! {
    (err?.localizedRecoverySuggestion).map { NSString(string: $0) }
}
