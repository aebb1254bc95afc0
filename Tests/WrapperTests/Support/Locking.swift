// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Runs something while the store is locked.
func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    try LinuxKeychain.lock()
    defer { try? LinuxKeychain.unlock() }
    return try body()
}

/// Runs something as another application.
func asAnotherApplication<Result>(_ body: () throws -> Result) rethrows -> Result {
    let name = LinuxKeychain.applicationIdentifier
    LinuxKeychain.applicationIdentifier = TestStore.anotherApplication
    defer { LinuxKeychain.applicationIdentifier = name }
    return try body()
}

/// Runs something while the application may use those access groups, nil for those of one that nobody has set any for.
func entitled<Result>(to groups: [String]?, _ body: () throws -> Result) rethrows -> Result {
    LinuxKeychain.accessGroups = groups
    defer { LinuxKeychain.accessGroups = nil }
    return try body()
}
