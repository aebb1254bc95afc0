// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process and its entitlements. Apple:
/// [SecTask](https://developer.apple.com/documentation/security/sectask).
public final class SecTask: _CFObject, @unchecked Sendable {
    fileprivate init() {}

    /// The values of a keychain client's entitlements.
    fileprivate func value(of entitlement: String) -> CFTypeRef? {
        let application = DefaultStore.shared.application
        return switch entitlement {
        case "application-identifier", "com.apple.application-identifier": NSString(string: application.identifier)
        case "keychain-access-groups": application.entitledGroups.map { $0 as NSArray }
        default: nil
        }
    }
}

extension SecTask: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.task
}

/// Gives the identifier of processes.
@discardableResult
public func SecTaskGetTypeID() -> CFTypeID { SecTask.typeIdentifier }

/// Gives the running process. Apple:
/// [SecTaskCreateFromSelf](https://developer.apple.com/documentation/security/sectaskcreatefromself(_:)).
///
/// - Parameter allocator: Not used.
/// - Returns: The process.
public func SecTaskCreateFromSelf(_ allocator: CFAllocator?) -> SecTask? {
    SecTask()
}

/// Gives the value of an entitlement. Apple:
/// [SecTaskCopyValueForEntitlement](https://developer.apple.com/documentation/security/sectaskcopyvalueforentitlement(_:_:_:)).
///
/// Linux has no entitlements. The function gives the settings of the application or of the environment instead: the
/// identifier as `application-identifier` and `com.apple.application-identifier`, a string, and the access groups as
/// `keychain-access-groups`, an array of strings, if any were set.
///
/// - Parameters:
///   - task: The process.
///   - entitlement: The name of the entitlement.
///   - error: Set to `nil`.
/// - Returns: The value, or `nil` if the process does not have the entitlement.
public func SecTaskCopyValueForEntitlement(
    _ task: SecTask, _ entitlement: CFString, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFTypeRef? {
    error?.pointee = nil
    return task.value(of: entitlement as String)
}

/// Gives the values of several entitlements. Apple:
/// [SecTaskCopyValuesForEntitlements](https://developer.apple.com/documentation/security/sectaskcopyvaluesforentitlements(_:_:_:)).
///
/// - Parameters:
///   - task: The process.
///   - entitlements: The names of the entitlements.
///   - error: Set to `nil`.
/// - Returns: The values of those entitlements that the process has, by name; see `SecTaskCopyValueForEntitlement`.
public func SecTaskCopyValuesForEntitlements(
    _ task: SecTask, _ entitlements: CFArray, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    error?.pointee = nil
    let names = entitlements.callerElements.compactMap { ($0 as? NSString).map { $0 as String } }
    let pairs = names.compactMap { name in task.value(of: name).map { (name, $0) } }
    return Dictionary(pairs) { first, _ in first } as NSDictionary
}

/// Gives the name of a process. Apple:
/// [SecTaskCopySigningIdentifier](https://developer.apple.com/documentation/security/sectaskcopysigningidentifier(_:_:)).
///
/// - Parameters:
///   - task: The process.
///   - error: Set to `nil`.
/// - Returns: The identifier of the application's items.
public func SecTaskCopySigningIdentifier(
    _ task: SecTask, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    error?.pointee = nil
    return NSString(string: DefaultStore.shared.application.identifier)
}
