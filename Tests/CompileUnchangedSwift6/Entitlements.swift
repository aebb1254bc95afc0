// SPDX-License-Identifier: Apache-2.0

// A program that reads its own entitlements, for example to find its access group.

import Foundation
import Security

private enum Entitlement {
    static func value(_ name: String) -> Any? {
        guard let task = SecTaskCreateFromSelf(kCFAllocatorDefault) else { return nil }
        var error: Unmanaged<CFError>?
        let value = SecTaskCopyValueForEntitlement(task, name as CFString, &error)
        if let error {
            error.release()
            return nil
        }
        return value
    }

    static var accessGroups: [String] {
        guard let task = SecTaskCreateFromSelf(nil) else { return [] }
        return SecTaskCopyValueForEntitlement(task, "keychain-access-groups" as CFString, nil) as? [String] ?? []
    }
}

@Sendable func checkEntitlements() throws {
    let identifier = Bundle.main.bundleIdentifier
    try expectEqual(Entitlement.value("application-identifier") as? String, identifier)
    try expectEqual(Entitlement.accessGroups, [])
    try expect(Entitlement.value("com.apple.security.app-sandbox") == nil)
    guard let task = SecTaskCreateFromSelf(nil) else { throw Failure(description: "no task") }
    try expectEqual(SecTaskCopySigningIdentifier(task, nil) as String?, identifier)
    let names = ["application-identifier", "com.apple.security.app-sandbox", "application-identifier"] as CFArray
    let values = SecTaskCopyValuesForEntitlements(task, names, nil) as? [String: Any]
    try expectEqual(values?.count, 1)
    try expectEqual(values?["application-identifier"] as? String, identifier)
    try expectEqual(CFGetTypeID(task), SecTaskGetTypeID())
}
