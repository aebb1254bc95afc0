// SPDX-License-Identifier: Apache-2.0

#if Gnome
    import Foundation
    import Logging
    import SecItemShim
    import SecItemStore

    /// Remembers that an application has put items into the Secret Service, so that it never finds itself with an empty
    /// keychain because it was started where none runs (over SSH, from cron).
    ///
    /// An empty file named after the application in `$XDG_STATE_HOME/secitem`; deleting it makes the choice anew. Before
    /// the first item is stored, another file says that one is about to be: its name has something added. It is renamed
    /// when the item is stored, and removed when it was not. If the program dies in between, that file stays, and counts
    /// as the mark does: the application may have items there.
    struct SecretServiceMark {
        private let file: StateFile

        init(environment: [String: String], identifier: String) {
            file = StateFile(environment: environment, identifier: identifier, kind: "secret-service")
        }

        /// Whether the application has, or may have, items in the Secret Service.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` when that cannot be known.
        var isSet: Bool {
            get throws(StoreError) { try !existing.isEmpty }
        }

        /// The names of the mark, and of what is not confirmed.
        private var existing: [String] {
            get throws(StoreError) {
                // That there is no such folder is another matter, and has a remedy of its own.
                _ = try file.folder
                do throws(StoreError) {
                    return try file.existing
                } catch {
                    throw StoreError(
                        error.code,
                        "\(error.message), and so it is not known whether the application has items in the Secret Service. "
                            + "Let this user read it, or set SECITEM_STORE", underlying: error.underlying)
                }
            }
        }

        /// Takes the mark back: the application has no items in the Secret Service, as somebody has looked.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` when it cannot be removed, or when an item may be about to be stored.
        func remove() throws(StoreError) {
            if let unconfirmed = try existing.first(where: { $0 != file.name }) {
                throw StoreError(
                    .unavailable,
                    "the file \(try file.folder)/\(unconfirmed) says that this application was about to store an item in "
                        + "the Secret Service. If no program is doing that now, delete the file")
            }
            try file.remove()
        }

        /// Says that the application is about to have items in the Secret Service.
        ///
        /// - Parameter isNeeded: Whether it is an error when that cannot be written down. Otherwise the log has a warning.
        /// - Returns: Nil when the mark is there already, or cannot be written.
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

        /// By the mark's path, the files of this process that say that an item may have been stored. The next attempt takes one of
        /// them, so that a program which tries again and again leaves no more of them than it has threads.
        private static let left = ForkableState<[String: [String]]>([:])

        /// Makes what there is one of.
        static func prepare() {
            _ = left
        }

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
            /// Whether an earlier attempt may have stored an item: then the file is not for this one to remove.
            let mayHaveItems: Bool

            func confirm() {
                // Where it cannot be renamed it stays, and says nearly the same.
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
