// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of the user, as defined by the XDG Base Directory Specification.
///
/// The environment's value is either used or refused, never replaced. Otherwise a program with an unusable home folder
/// would store items where nobody looks for them.
package enum UserFolder: Sendable {
    /// Data that the user would miss.
    case data
    /// Data that a program keeps between runs.
    case state

    private var variable: String {
        switch self {
        case .data: "XDG_DATA_HOME"
        case .state: "XDG_STATE_HOME"
        }
    }

    private var placeInHome: String {
        switch self {
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    /// The folder's path. The folder need not exist.
    ///
    /// - Parameters:
    ///   - environment: The environment with `HOME` and the variables of the specification.
    ///   - userID: The owner of the folder.
    ///   - alternative: The variable that names another place for what the folder is needed for, besides `HOME`.
    /// - Throws: ``StoreError/Code/unavailable`` if there is no such folder, if a path is not UTF-8, or if the folder
    ///   belongs to another user. Under `sudo`, `HOME` may be that of the calling user, who could not use files that
    ///   root leaves there.
    package func path(
        environment: [String: String] = SecureExecution.environment, userID: uid_t = geteuid(),
        alternative: String = "SECITEM_DIRECTORY"
    ) throws(StoreError) -> String {
        try SecureExecution.requireReadable(environment)
        // The specification says to ignore paths that are not absolute.
        if let path = environment[variable], path.hasPrefix("/") {
            return try Self.own(Self.trimmed(path), named: variable, userID, alternative)
        }
        if let home = environment["HOME"], !home.isEmpty {
            return try Self.home(home, userID, alternative) + "/" + placeInHome
        }
        let home = Self.inUserDatabase(userID) { $0.pw_dir.flatMap { String(validatingCString: $0) } }
        guard let home, home != "/", Self.isFolder(home) else {
            throw StoreError(
                .unavailable,
                "there is no home folder: neither \(variable) nor HOME is set, and the user database has none for user "
                    + "\(userID) that can be used. Set HOME or \(alternative)")
        }
        return try Self.own(Self.trimmed(home), named: "the user database", userID, alternative) + "/" + placeInHome
    }

    /// The folder's path, or nil if this user has no home folder.
    ///
    /// - Throws: As ``path(environment:userID:alternative:)``, for a home folder that belongs to another user or is not
    ///   UTF-8.
    package func pathIfAny(
        environment: [String: String] = SecureExecution.environment, userID: uid_t = geteuid()
    ) throws(StoreError) -> String? {
        try SecureExecution.requireReadable(environment)
        do throws(StoreError) {
            return try path(environment: environment, userID: userID)
        } catch {
            let home = environment["HOME"].map(Self.trimmed) ?? ""
            let hasNone = !(environment[variable]?.hasPrefix("/") ?? false) && (home.count < 2 || !Self.isFolder(home))
            if hasNone { return nil }
            throw error
        }
    }

    private static func home(
        _ home: String, _ userID: uid_t, _ alternative: String
    ) throws(StoreError) -> String {
        let home = trimmed(home)
        guard home.hasPrefix("/"), home != "/", isFolder(home) else {
            throw StoreError(
                .unavailable, "HOME is \"\(home)\", which is not a home folder. Correct HOME, or set \(alternative)")
        }
        return try own(home, named: "HOME", userID, alternative)
    }

    /// - Throws: An error if the folder, or the nearest existing folder above it, belongs to another user. Folders of
    ///   root that everybody may enter are accepted: root has all rights anyway, and containers have such folders for
    ///   users that exist only as a number.
    private static func own(
        _ path: String, named source: String, _ userID: uid_t, _ alternative: String
    ) throws(StoreError) -> String {
        let (existing, status) = nearest(path)
        guard status.st_uid == userID || status.st_uid == 0 && !isBarred(existing) else {
            throw StoreError(
                .unavailable,
                "\(source) leads to \(existing), which belongs to user \(status.st_uid), but the program runs as user "
                    + "\(userID). With sudo, use sudo -H; or set \(alternative)")
        }
        return path
    }

    /// Whether it is a folder that this user may not enter.
    private static func isBarred(_ path: String) -> Bool {
        isFolder(path) && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) != 0 && errno == EACCES
    }

    /// Checks a folder that could not be read. What to do about it depends on whose it is.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the folder, or the one above it that bars the way, belongs to
    ///   another user.
    package static func requireOwn(_ path: String) throws(StoreError) {
        let (existing, status) = nearest(path)
        guard status.st_uid == geteuid() else {
            throw StoreError(
                .unavailable,
                "\(existing) cannot be read: it belongs to user \(status.st_uid), but the program runs as user "
                    + "\(geteuid()). Set HOME to this user's own home folder, or set SECITEM_DIRECTORY")
        }
    }

    /// The folder, or the nearest one above it that this user can see, and its status.
    private static func nearest(_ path: String) -> (path: String, status: stat) {
        var existing = path
        var status = Foundation.stat()
        while stat(existing, &status) != 0 && existing != "/" {
            existing = trimmed(String(existing[..<(existing.lastIndex(of: "/") ?? existing.startIndex)]))
            if existing.isEmpty { existing = "/" }
        }
        return (existing, status)
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = Foundation.stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// What `body` makes of the user's entry; nil if there is none.
    package static func inUserDatabase<Value>(_ userID: uid_t, _ body: (passwd) -> Value?) -> Value? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        // `entry` points into `buffer`, so read it while the buffer cannot move.
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(userID, &entry, start, buffer.count, &found) == 0, found != nil
            else { return nil }
            return body(entry)
        }
    }
}
