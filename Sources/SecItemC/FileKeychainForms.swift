// SPDX-License-Identifier: Apache-2.0

// Programs in C were mostly written for macOS's file-based keychain. These calls take its forms, too.

import Foundation
import SecItemShim

/// `SecItemAdd` for programs in C. It takes a string as `kSecValueData` too, and stores its UTF-8.
@_cdecl("SecItemAdd")
public func cSecItemAdd(_ attributes: UnsafeRawPointer?, _ result: ReceivedObject?) -> OSStatus {
    guard let attributes = argument(attributes, NSDictionary.self) else { return refusalStatus() }
    return receive(result) { result in
        withDefaultStore(takingFileKeychainForms: true) { $0.add(attributes, result) }
    }
}

/// `SecItemCopyMatching` for programs in C. A number is a boolean for `kSecReturn…`, too. A list of references to passwords has
/// their persistent references.
@_cdecl("SecItemCopyMatching")
public func cSecItemCopyMatching(_ query: UnsafeRawPointer?, _ result: ReceivedObject?) -> OSStatus {
    guard let query = argument(query, NSDictionary.self) else { return refusalStatus() }
    return receive(result) { result in
        withDefaultStore(takingFileKeychainForms: true) { $0.copyMatching(query, result) }
    }
}

/// `SecItemUpdate` for programs in C. The changes may repeat the query's `kSecClass`.
@_cdecl("SecItemUpdate")
public func cSecItemUpdate(_ query: UnsafeRawPointer?, _ attributesToUpdate: UnsafeRawPointer?) -> OSStatus {
    guard let query = argument(query, NSDictionary.self),
        let changes = argument(attributesToUpdate, NSDictionary.self)
    else { return refusalStatus() }
    return withDefaultStore(takingFileKeychainForms: true) { $0.update(query, changes) }
}
