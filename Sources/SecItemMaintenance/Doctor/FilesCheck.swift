// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

/// Checks who may read and write the files of the embedded store and its passphrase.
struct FilesCheck {
    let environment: [String: String]
    /// The folder of the open store, if there is one.
    let folder: String?
    /// Whether the store in use has files here. Otherwise only the passphrase's file and the state are checked.
    var hasStore = true

    var findings: [Finding] {
        var findings: [Finding] = []
        for folder in hasStore ? folders : [] { findings += Self.storeFindings(folder, usual: usual) }
        if let path = environment["SECITEM_PASSPHRASE_FILE"], !path.isEmpty {
            findings.append(Self.passphraseFinding(path))
        }
        if let state = try? UserFolder.state.path(environment: environment) + "/secitem" {
            findings += Self.privateFolder(state, "state")
        }
        return findings
    }

    /// The folder that is used without a setting.
    private var usual: String? { try? StoreLocation.user(environment: environment).folder }

    /// The possible folders of a store: the configured one, and the default one.
    private var folders: [String] {
        var folders: [String] = []
        if let folder { folders.append(folder) }
        if let path = environment["SECITEM_DIRECTORY"], path.hasPrefix("/") {
            folders.append(StoreLocation(folder: path).folder)
        }
        if let usual { folders.append(usual) }
        return folders.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func storeFindings(_ folder: String, usual: String?) -> [Finding] {
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            if errno == ENOENT {
                return [Finding("files", .fine, "\(folder) does not exist, so there is no keychain in it")]
            }
            return [Finding("files", .problem, "\(folder): \(String(cString: strerror(errno)))", remedy: above)]
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            return [
                Finding(
                    "files", .problem, "\(folder) is a symbolic link",
                    remedy: "name the folder that it leads to (SECITEM_DIRECTORY)")
            ]
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [Finding("files", .problem, "\(folder) is not a folder", remedy: "move it away")]
        }
        let location = StoreLocation(folder: folder)
        // Such as /tmp or a volume: others may need it as it is.
        let isForOthers = folder != usual && location.filePaths.allSatisfy { access($0, F_OK) != 0 }
        let ofItsOwn = isForOthers ? "name a folder of its own below it, such as \(folder)/keychain" : nil
        var findings = refusal(folder, status, remedy: ofItsOwn).map { [$0] } ?? []
        guard access(folder, R_OK | X_OK) == 0 else {
            return findings + [Finding("files", .problem, "\(folder) cannot be read by this user", remedy: above)]
        }
        let database = location.databasePath, key = folder + "/device.key"
        let hasDatabase = access(database, F_OK) == 0, hasKey = access(key, F_OK) == 0
        if hasDatabase != hasKey {
            findings.append(
                Finding(
                    "files", .problem,
                    "\(hasDatabase ? key : database) is missing, and \(hasDatabase ? database : key) is there",
                    remedy: "put the whole folder back from a backup"))
        }
        for name in ["items.db", "items.db-wal", "items.db-shm", "device.key"] {
            let path = folder + "/" + name
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT != S_IFREG {
                findings.append(Finding("files", .problem, "\(path) is not a plain file", remedy: "move it away"))
            } else if let refusal = refusal(path, status) {
                findings.append(refusal)
            }
        }
        if findings.isEmpty && hasDatabase { findings += obstacles(in: folder, database: database, key: key) }
        if findings.isEmpty {
            findings.append(
                Finding(
                    "files", .fine,
                    "\(folder) belongs to this user alone\(hasDatabase ? "" : ", and has no keychain yet")"))
        }
        return findings
    }

    /// What keeps the store from being read or changed, although nobody else has access to it.
    private static func obstacles(in folder: String, database: String, key: String) -> [Finding] {
        func first(of paths: [String], without right: Int32) -> String? {
            paths.first { faccessat(AT_FDCWD, $0, right, AT_EACCESS) != 0 }
        }
        if let path = first(of: [database, key], without: R_OK) {
            return [
                Finding("files", .problem, "\(path) cannot be read by this user", remedy: "run chmod u=rw \(path)")
            ]
        }
        var disk = statvfs()
        let isKnown = statvfs(folder, &disk) == 0, isReadOnly = isKnown && disk.f_flag & UInt(ST_RDONLY) != 0
        if let path = first(of: [folder, database], without: W_OK) {
            return [
                Finding(
                    "files", .warning, "\(path) cannot be written: items can be read, but not changed",
                    remedy: isReadOnly ? "mount it for writing" : "let this user write it (chmod u+w, chattr -i)")
            ]
        }
        // File systems without a size tell of no blocks.
        guard isKnown, disk.f_blocks > 0 else { return [] }
        let blocks = geteuid() == 0 ? disk.f_bfree : disk.f_bavail
        let room = UInt64(blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        if room.overflow || room.partialValue >= roomForAWrite { return [] }
        return [
            Finding(
                "files", .warning, "the file system of \(folder) is full: items can be read, but may not be changed",
                remedy: "make room on it; never delete \(database)-wal")
        ]
    }

    /// About as much as a write of a small item takes in the log.
    private static let roomForAWrite: UInt64 = 65_536

    /// The reason why the store refuses a file or folder; nil if it does not.
    ///
    /// - Parameter remedy: What to do instead of a change of the file's owner or mode.
    private static func refusal(_ path: String, _ status: stat, remedy: String? = nil) -> Finding? {
        guard status.st_uid == geteuid() else {
            return Finding(
                "files", .problem, "\(path) belongs to user \(status.st_uid)",
                remedy: remedy ?? "run the program as that user, or give the file to this one (chown)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            return Finding(
                "files", .problem, "\(path) has mode \(mode), which gives other users access",
                remedy: remedy ?? "run chmod go= \(path), and security rekey if somebody may have read it")
        }
        return nil
    }

    private static func passphraseFinding(_ path: String) -> Finding {
        let protector = PassphraseProtector(sources: [.file(path: path)])
        do throws(StoreError) {
            guard let passphrase = try protector.passphrase(mayAsk: false), passphrase.count > 0 else {
                return Finding("passphrase-file", .problem, "\(path) is empty", remedy: "put the passphrase there")
            }
            return Finding("passphrase-file", .fine, "\(path) can be read")
        } catch {
            return Finding(
                "passphrase-file", .problem, error.message,
                remedy: "make sure that the file exists, belongs to this user and has mode 0600")
        }
    }

    private static func privateFolder(_ path: String, _ topic: String) -> [Finding] {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return [] }
            return [Finding(topic, .problem, "\(path): \(String(cString: strerror(errno)))", remedy: above)]
        }
        guard access(path, R_OK | X_OK) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return [
                Finding(
                    topic, .problem, "\(path) cannot be read, so the store of the programs' items is unknown",
                    remedy: "let this user read it, or set SECITEM_STORE")
            ]
        }
        return []
    }

    private static let above =
        "give this user access to the folders above it, or choose another folder (SECITEM_DIRECTORY)"
}
