// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// Keeps the keys of "after first unlock" items from the first unlock until the machine restarts, for other processes
/// of the same user.
package enum FirstUnlockCache: Sendable, Hashable {
    /// The kernel's keyring if it can be used, otherwise the run-time folder.
    case automatic
    /// The user keyring of the kernel.
    case kernelKeyring
    /// A file in the user's run-time folder (`XDG_RUNTIME_DIR`), if that is in memory (tmpfs).
    case runtimeFolder
    /// A file in that folder, which must be in memory.
    case folder(String)
    /// No cache: each process unlocks for itself.
    case none

    /// Reads `SECITEM_KEY_CACHE`.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the value is unknown.
    package init(environment: [String: String]) throws(StoreError) {
        let word = environment["SECITEM_KEY_CACHE"] ?? ""
        switch word.isEmpty ? .automatic : ConfigurationWord.KeyCache(rawValue: word) {
        case .automatic: self = .automatic
        case .kernel: self = .kernelKeyring
        case .runtime: self = .runtimeFolder
        case .some(.none): self = .none
        case nil: throw StoreError(.unavailable, "SECITEM_KEY_CACHE is not automatic, kernel, runtime or none")
        }
    }

    /// The kinds of data that are kept for a store.
    enum Entry: String, CaseIterable {
        /// The keys.
        case keys = ""
        /// Identifies the passphrase file that gave the keys (``StoreHeader/witness(of:)``).
        case passphraseFile = ":passphrase-file"
        /// All keys, until a configured end (``SharedUnlock``).
        case unlocked = ":unlocked"
    }

    private var usesKernel: Bool { self == .automatic || self == .kernelKeyring }

    private var folder: RuntimeFolder? {
        switch self {
        case .automatic, .runtimeFolder: RuntimeFolder(path: nil)
        case .folder(let path): RuntimeFolder(path: path)
        case .kernelKeyring, .none: nil
        }
    }

    /// What was kept for the store, if anything.
    func content(_ entry: Entry = .keys, storeID: [UInt8], logger: Logger) -> Secret? {
        let name = Self.name(entry, storeID)
        if usesKernel, let content = KernelKeyring.read(name) { return content }
        return folder?.read(name, logger: logger)
    }

    /// Keeps the content until the machine restarts, if the machine supports that.
    ///
    /// - Returns: Whether it is kept.
    @discardableResult
    func keep(_ content: Secret, as entry: Entry = .keys, storeID: [UInt8], logger: Logger) -> Bool {
        guard self != .none else { return false }
        let name = Self.name(entry, storeID)
        let isKept =
            usesKernel && KernelKeyring.write(name, content) || folder?.write(name, content, logger: logger) ?? false
        if !isKept && entry == .keys {
            logger.notice(
                "Neither the kernel's keyring nor a run-time folder keeps keys here: each process unlocks alone")
        }
        return isKept
    }

    /// Removes the content.
    func forget(storeID: [UInt8], logger: Logger) {
        for entry in Entry.allCases {
            let name = Self.name(entry, storeID)
            if usesKernel { KernelKeyring.remove(name) }
            folder?.remove(name, logger: logger)
        }
    }

    /// A description of the cache; nil if each process unlocks for itself. This is tested with a dummy key, which is
    /// removed afterwards.
    package var place: String? {
        let name = "secitem:trial:\(getpid())"
        if usesKernel && KernelKeyring.write(name, Secret(Data([0]))) {
            KernelKeyring.remove(name)
            return "the kernel's keyring"
        }
        return folder.map { "the run-time folder \($0.path)" }
    }

    static func name(_ entry: Entry = .keys, _ storeID: [UInt8]) -> String {
        "secitem:" + storeID.hexadecimal
            + entry.rawValue
    }
}

/// The kernel's user keyring, through `add_key(2)` and `keyctl(2)`.
enum KernelKeyring {
    // From <linux/keyctl.h>.
    private static let threadKeyring = -1
    private static let userKeyring = -4
    private static let setPermissions = 5
    private static let link = 8
    private static let unlink = 9
    private static let search = 10
    private static let readKey = 11
    private static let invalidate = 21
    /// All rights for a process that possesses the key; view, read, search and link for every process of the user, in
    /// any session.
    private static let permissions = 0x3f1b_0000

    #if arch(x86_64)
        private static let addKeyNumber = 248
        private static let keyctlNumber = 250
    #elseif arch(arm64) || arch(riscv64)
        private static let addKeyNumber = 217
        private static let keyctlNumber = 219
    #else
        private static let addKeyNumber = -1
        private static let keyctlNumber = -1
    #endif

    private typealias SystemCall = @convention(c) (Int, Int, Int, Int, Int, Int) -> Int

    // `syscall` takes a variable number of arguments, which Swift does not import. Its arguments are words, which the
    // machines above pass in the same way.
    private static let systemCall: SystemCall? =
        addKeyNumber < 0
        ? nil : dlsym(nil, "syscall").map { unsafeBitCast($0, to: SystemCall.self) }

    private static func keyctl(_ operation: Int, _ a: Int, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) -> Int {
        systemCall?(keyctlNumber, operation, a, b, c, d) ?? -1
    }

    private static func find(_ name: String) -> Int? {
        let found = "user".withCString { type in
            name.withCString { name in
                keyctl(search, userKeyring, Int(bitPattern: type), Int(bitPattern: name), 0)
            }
        }
        return found > 0 ? found : nil
    }

    static func read(_ name: String) -> Secret? {
        guard let key = find(name) else { return nil }
        let count = keyctl(readKey, key)
        guard (1...4096).contains(count) else { return nil }
        var got = 0
        let secret = Secret(count: count) { target in
            got = keyctl(readKey, key, Int(bitPattern: target.baseAddress), count)
        }
        return got == count ? secret : nil
    }

    static func write(_ name: String, _ content: Secret) -> Bool {
        guard let systemCall else { return false }
        // Made in the thread's own keyring first: only a key that one possesses lets its permissions be set, and
        // the user keyring is not possessed in sessions that do not link it (services, containers).
        let key = "user".withCString { type in
            name.withCString { name in
                content.withUnsafeBytes { bytes in
                    systemCall(
                        addKeyNumber, Int(bitPattern: type), Int(bitPattern: name), Int(bitPattern: bytes.baseAddress),
                        bytes.count, threadKeyring
                    )
                }
            }
        }
        guard key > 0 else { return false }
        defer { _ = keyctl(unlink, key, threadKeyring) }
        return keyctl(setPermissions, key, permissions) == 0 && keyctl(link, key, userKeyring) == 0
            && read(name) != nil
    }

    static func remove(_ name: String) {
        guard let key = find(name) else { return }
        _ = keyctl(unlink, key, userKeyring)
        _ = keyctl(invalidate, key)
    }
}

/// A folder in memory that the system creates for each user at log-in and clears at log-out or restart.
struct RuntimeFolder {
    let path: String

    /// The folder at that path, or at `XDG_RUNTIME_DIR`; nil if it is not in memory, or if another user may change its
    /// content.
    init?(path: String?) {
        guard let parent = path ?? SecureExecution.variable("XDG_RUNTIME_DIR"), parent.hasPrefix("/") else {
            return nil
        }
        guard Self.isInOwnMemory(parent) else { return nil }
        self.path = parent + "/secitem"
    }

    private static func isInOwnMemory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_uid == geteuid() && status.st_mode & 0o022 == 0
            && MountTable.isInMemory(status)
    }

    private func open(_ logger: Logger) -> PrivateFolder? {
        do throws(StoreError) {
            return try PrivateFolder(StoreLocation(folder: path), makingIt: true, isNamed: false)
        } catch {
            logger.once(.error, "The run-time folder keeps no keys", metadata: ["reason": "\(error.message)"])
            return nil
        }
    }

    private func path(_ name: String) -> String {
        path + "/" + name.replacingOccurrences(of: ":", with: "-") + ".keys"
    }

    func read(_ name: String, logger: Logger) -> Secret? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        return try? open(logger)?.read(path(name))
    }

    func write(_ name: String, _ content: Secret, logger: Logger) -> Bool {
        guard let folder = open(logger) else { return false }
        return (try? folder.write(content, to: path(name))) != nil
    }

    func remove(_ name: String, logger: Logger) {
        guard FileManager.default.fileExists(atPath: path(name)) else { return }
        open(logger)?.remove(path(name))
    }
}
