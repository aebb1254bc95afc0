// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The user who runs the program, from the machine's user database.
struct MachineUser: Sendable {
    let name: String
    private let password: String

    static var current: MachineUser? { MachineUser(getuid()) }

    private init?(_ id: uid_t) {
        let user = UserFolder.inUserDatabase(id) { entry -> (String, String)? in
            guard let name = entry.pw_name.flatMap({ String(validatingCString: $0) }) else { return nil }
            return (name, entry.pw_passwd.map { String(cString: $0) } ?? "")
        }
        guard let user else { return nil }
        (name, password) = user
    }

    /// Whether it is known that no password opens the account. The entry of such an account has a mark instead of a password.
    /// For most users, only root can read it.
    var hasNoPassword: Bool {
        var hash = password
        if hash == "x" {
            guard let shadow = Self.shadowEntry(of: name) else { return false }
            hash = shadow
        }
        return hash.isEmpty || hash.hasPrefix("!") || hash.hasPrefix("*")
    }

    /// The second field of the user's line in the shadow file; nil if that file cannot be read.
    private static func shadowEntry(of name: String) -> String? {
        guard geteuid() == 0, let text = try? String(contentsOfFile: "/etc/shadow", encoding: .utf8) else { return nil }
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 1, fields[0] == name { return String(fields[1]) }
        }
        return ""
    }
}
