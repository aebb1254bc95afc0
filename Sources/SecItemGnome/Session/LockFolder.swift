// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The folder of the writers' locks. It belongs to the user, and is the same for all programs of one login.
struct LockFolder: Sendable {
    private let path: String?

    /// `$XDG_RUNTIME_DIR/secitem`, or else the run-time folder at its usual place, or else the user's state folder.
    /// Never a folder that others can write to.
    init(environment: [String: String], logins: String = "/run/user") {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let login = "\(logins)/\(getuid())"
        if let runtime = absolute("XDG_RUNTIME_DIR") {
            path = runtime + "/secitem"
        } else if OwnFolder.isPrivate(login) {
            path = login + "/secitem"
        } else {
            path = (absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }).map { $0 + "/secitem" }
        }
    }

    /// Creates the folder if it is missing, and refuses one that others can use.
    func make() throws(StoreError) -> String {
        guard let path else {
            throw StoreError(.unavailable, "neither XDG_RUNTIME_DIR, XDG_STATE_HOME nor HOME names a folder")
        }
        try OwnFolder.make(path)
        guard OwnFolder.isPrivate(path) else { throw StoreError(.io, "\(path) is not a folder of this user alone") }
        return path
    }
}
