// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemStore

/// The file that the user's list of keychains is in: one line of text a fact, readable by this user alone.
///
///     default login
///     search login
///     search /home/anna/.local/share/secitem/keychains/build.keychain-db
///     limits 300 sleep /home/anna/.local/share/secitem/keychains/build.keychain-db
struct KeychainListFile {
    private let folder: String
    private var path: String { folder + "/list" }

    init(folder: String) {
        self.folder = folder
    }

    /// The user's file, for who changes the list.
    ///
    /// - Throws: ``CommandFailure`` when the user has no folder for data.
    static func user() throws -> KeychainListFile { KeychainListFile(folder: try KeychainFolder.ofAll()) }

    /// The user's list. Without a folder for data, there are no keychains but those that programs use.
    ///
    /// - Throws: As ``read()``.
    static func readOfUser() throws -> KeychainList { try (try? user())?.read() ?? KeychainList(search: [.login]) }

    /// The list; that of a user who has never changed it where there is none.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read, or is no such list.
    func read() throws -> KeychainList {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if file < 0 && (errno == ENOENT || errno == ENOTDIR) { return KeychainList() }
        guard file >= 0 else { throw failure(path) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure(path) }
        // What is in it says where passwords go.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw CommandFailure("\(path) is refused: it must be a regular file that only this user can write")
        }
        guard let bytes = try? handle.read(upToCount: Self.greatestSize + 1) ?? Data() else {
            throw CommandFailure("\(path) cannot be read")
        }
        guard bytes.count <= Self.greatestSize, let text = String(validating: bytes, as: UTF8.self) else {
            throw damaged
        }
        return try parsed(text)
    }

    /// No list is longer.
    private static let greatestSize = 16 << 20

    /// Changes the list. No other process changes it meanwhile.
    func change(_ body: (inout KeychainList) throws -> Void) throws {
        try exclusively { list in try list.change(body) }
    }

    /// The list while this process alone may change it.
    struct Held {
        fileprivate let file: KeychainListFile

        /// Changes the list, and writes it at once.
        func change(_ body: (inout KeychainList) throws -> Void) throws {
            let before = try file.read()
            var list = before
            try body(&list)
            if list != before { try file.write(file.text(of: list)) }
        }
    }

    /// Makes changes, and what goes with them. No other process changes the list meanwhile.
    func exclusively<Result>(_ body: (Held) throws -> Result) throws -> Result {
        do throws(StoreError) { try OwnFolder.make(folder) } catch { throw CommandFailure(error.message) }
        let lock = open(folder + "/list.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure(folder + "/list.lock") }
        defer { close(lock) }
        let patience = ContinuousClock.now + .seconds(20)
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(folder + "/list.lock") }
            guard ContinuousClock.now < patience else {
                throw CommandFailure("another process has been changing \(path) for too long")
            }
            usleep(2_000)
        }
        return try body(Held(file: self))
    }

    private func write(_ text: String) throws {
        do throws(StoreError) {
            try UnnamedFile.write(Array(text.utf8), to: path)
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private func failure(_ path: String, _ number: Int32 = errno) -> CommandFailure {
        CommandFailure("\(path): \(String(cString: strerror(number)))")
    }

    // MARK: Text

    private func text(of list: KeychainList) -> String {
        var lines = ["default \(text(of: list.defaultName))"]
        lines += list.search.map { "search \(text(of: $0))" }
        let limits = list.limits.map { (text(of: $0.key), $0.value) }.sorted { $0.0 < $1.0 }
        lines += limits.map { path, limits in
            let timeout = limits.timeout.map { "\($0)" } ?? "none"
            return "limits \(timeout) \(limits.endsAtSleep ? "sleep" : "awake") \(path)"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func text(of name: KeychainName) -> String {
        switch name {
        case .login: "login"
        case .embedded: "embedded"
        case .folder(let path): path
        }
    }

    private func parsed(_ text: String) throws -> KeychainList {
        var list = KeychainList()
        list.search = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch (parts.first, parts.last) {
            case ("default", let name?) where parts.count == 2: list.defaultName = self.name(name)
            case ("search", let name?) where parts.count == 2:
                let name = self.name(name)
                if !list.search.contains(name) { list.search.append(name) }
            case ("limits", let rest?) where parts.count == 2: try read(limits: rest, &list)
            default: throw damaged
            }
        }
        return list
    }

    private func name(_ text: String) -> KeychainName {
        switch text {
        case "login": .login
        case "embedded": .embedded
        default: folder(text)
        }
    }

    /// The folder that it is in may have become reachable by a symbolic link since.
    private func folder(_ path: String) -> KeychainName { .folder((try? FolderPath.canonical(path)) ?? path) }

    private func read(limits text: String, _ list: inout KeychainList) throws {
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[0] == "none" || UInt32(parts[0]) != nil, ["sleep", "awake"].contains(parts[1])
        else {
            throw damaged
        }
        list.limits[folder(parts[2])] = UnlockLimits(
            timeout: UInt32(parts[0]), endsAtSleep: parts[1] == "sleep")
    }

    private var damaged: CommandFailure {
        CommandFailure("\(path) is damaged: correct it, or remove it and set the search list again")
    }
}
