// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Runs the body while the store is locked.
func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    try LinuxKeychain.lock()
    defer { try? LinuxKeychain.unlock() }
    return try body()
}

/// Runs the body as another application.
func asAnotherApplication<Result>(_ body: () throws -> Result) rethrows -> Result {
    let name = LinuxKeychain.applicationIdentifier
    LinuxKeychain.applicationIdentifier = TestStore.anotherApplication
    defer { LinuxKeychain.applicationIdentifier = name }
    return try body()
}

/// Runs the body with these access groups. Nil means that no groups are set.
func entitled<Result>(to groups: [String]?, _ body: () throws -> Result) rethrows -> Result {
    LinuxKeychain.accessGroups = groups
    defer { LinuxKeychain.accessGroups = nil }
    return try body()
}
