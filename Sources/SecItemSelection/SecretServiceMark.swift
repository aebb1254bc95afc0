// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Foundation
    import Logging
    import SecItemShim
    import SecItemStore

    /// Records that an application has put items into the Secret Service. Without this, it would find an empty keychain
    /// if it is started where no service runs (over SSH, from cron).
    ///
    /// The mark is an empty file in `$XDG_STATE_HOME/secitem`, named after the application. If it is deleted, the store
    /// is chosen again. Before the first item is stored, another file with a longer name records that one is about to
    /// be. It is renamed when the item is stored, and removed if it was not. If the program dies in between, that file
    /// stays and counts as the mark, because the application may have items there.
    struct SecretServiceMark {
        private let file: StateFile

        init(environment: [String: String], identifier: String) {
            file = StateFile(environment: environment, identifier: identifier, kind: .secretService)
        }

        /// Whether the application has, or may have, items in the Secret Service.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if that cannot be determined.
        var isSet: Bool {
            get throws(StoreError) { try !existing.isEmpty }
        }

        /// The names of the mark and of unconfirmed marks.
        private var existing: [String] {
            get throws(StoreError) {
                // If there is no such folder, the error is a different one, with its own remedy.
                _ = try file.folder
                do throws(StoreError) {
                    return try file.existing
                } catch {
                    try UserFolder.requireOwn(file.folder)
                    throw StoreError(
                        error.code,
                        "\(error.message), and so it is not known whether the application has items in the Secret Service. "
                            + "Let this user read it, or set SECITEM_STORE", underlying: error.underlying)
                }
            }
        }

        /// Removes the mark after a check has shown that the application has no items in the Secret Service.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if it cannot be removed, or if an item may be about to be stored.
        func remove() throws(StoreError) {
            if let unconfirmed = try existing.first(where: { $0 != file.name }) {
                throw StoreError(
                    .unavailable,
                    "the file \(try file.folder)/\(unconfirmed) says that this application was about to store an item in "
                        + "the Secret Service. If no program is doing that now, delete the file")
            }
            try file.remove()
        }

        /// Records that the application is about to have items in the Secret Service.
        ///
        /// - Parameter isNeeded: Whether a failure to record that is an error. Otherwise it is logged as a warning.
        /// - Returns: Nil if the mark exists already, or cannot be written.
        func begin(isNeeded: Bool) throws(StoreError) -> (any Reminder)? {
            do throws(StoreError) {
                let path = try file.path
                if access(path, F_OK) == 0 { return nil }
                if let left = Self.takeLeft(beside: path) {
                    return Beginning(unconfirmed: left, path: path, mayHaveItems: true)
                }
                return Beginning(unconfirmed: try file.writeBeside(""), path: path, mayHaveItems: false)
            } catch {
                let consequence = "where no Secret Service runs, the application will not know that its items are there"
                guard isNeeded else {
                    Logger(keychain: "secitem").once(
                        .warning, "The choice of the Secret Service cannot be recorded: \(consequence)",
                        metadata: ["reason": "\(error.message)"])
                    return nil
                }
                throw StoreError(
                    .unavailable,
                    "\(error.message). Without that file, \(consequence). Make the folder writable, or set "
                        + "SECITEM_STORE=secret-service", underlying: error.underlying)
            }
        }

        /// For each mark's path, the files of this process that say that an item may have been stored. The next attempt
        /// reuses one of them, so that a program which keeps trying leaves no more files than it has threads.
        private static let left = LockedValue<[String: [String]]>([:])

        private static func takeLeft(beside path: String) -> String? {
            left.withLock { left in
                while let unconfirmed = left[path]?.popLast() {
                    if access(unconfirmed, F_OK) == 0 { return unconfirmed }
                }
                return nil
            }
        }

        private struct Beginning: Reminder {
            let unconfirmed: String
            let path: String
            /// Whether an earlier attempt may have stored an item. Then this attempt must not remove the file.
            let mayHaveItems: Bool

            func confirm() {
                // If it cannot be renamed, it stays, which means nearly the same.
                rename(unconfirmed, path)
            }

            func withdraw() {
                if mayHaveItems { leave() } else { unlink(unconfirmed) }
            }

            func leave() {
                SecretServiceMark.left.withLock { $0[path, default: []].append(unconfirmed) }
            }
        }
    }
#endif
