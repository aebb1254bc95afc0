// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lockbox
import Security

/// Archives objects under keys, and converts an item of version 2 to an archive.
@main struct UseLockbox {
    static func main() {
        guard Lockbox.archiveObject(["anna", "secret"] as NSArray, forKey: "login") else {
            print("not stored: status \(Lockbox.lastStatus)")
            exit(1)
        }
        print("login: \(Lockbox.unarchiveObject(forKey: "login") as? [String] ?? [])")

        let drafts: Lockbox = Lockbox(keyPrefix: "com.example.mail.drafts")
        drafts.archiveObject(Date() as NSDate, forKey: "since", accessibility: kSecAttrAccessibleAfterFirstUnlock)
        print("since: \(drafts.unarchiveObject(forKey: "since") is Date ? "a date" : "nothing")")

        storeTheWayThatVersion2Did("colours", "red-|-green", in: drafts)
        migrate("colours", in: drafts)
        print("colours: \(drafts.unarchiveObject(forKey: "colours") as? [String] ?? [])")

        Lockbox.archiveObject(nil, forKey: "login")
        drafts.archiveObject(nil, forKey: "since")
        drafts.archiveObject(nil, forKey: "colours")
        print("afterwards: \(Lockbox.unarchiveObject(forKey: "login") ?? "none")")
    }

    /// Stores an item as an application with version 2 did.
    private static func storeTheWayThatVersion2Did(_ key: String, _ text: String, in box: Lockbox) {
        SecItemAdd(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "\(box.keyPrefix).\(key)",
                kSecValueData: Data(text.utf8),
            ] as CFDictionary, nil)
    }

    /// Uses the deprecated methods of version 2, which exist for this conversion.
    private static func migrate(_ key: String, in box: any Version2) {
        guard let elements = box.array(forKey: key) else { return }
        _ = box.archiveObject(elements as NSArray, forKey: key)
    }
}

/// The methods that the conversion uses. The protocol avoids the warnings about them.
private protocol Version2 {
    func array(forKey key: String!) -> [Any]!
    func archiveObject(_ object: (any NSSecureCoding)!, forKey key: String!) -> Bool
}

extension Lockbox: Version2 {}
