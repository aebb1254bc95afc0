// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemMaintenance
import SecItemSQLite
import SecItemStore

/// Where the keychains that have names are: a folder each.
enum KeychainFolder {
    /// The folder of those whose names are bare, and of the list of keychains.
    ///
    /// - Throws: ``CommandFailure`` when the user has no folder for data.
    static func ofAll() throws -> String {
        do throws(StoreError) {
            return try UserFolder.data.path(alternative: "XDG_DATA_HOME") + "/secitem/keychains"
        } catch {
            throw CommandFailure("keychain", error)
        }
    }

    /// The folder of the keychain that is called so: a bare name lies among the user's keychains, a path where it says.
    ///
    /// Scripts name a keychain that they made under a bare name by the path that it has on a Mac,
    /// `~/Library/Keychains/NAME`. That is the bare name, unless there is a keychain at the path itself.
    ///
    /// - Throws: ``CommandFailure`` when no folder can be called so; as ``FolderPath/canonical(_:)``.
    static func path(_ name: String) throws -> String {
        let components = FolderPath.components(of: name)
        guard let last = components.last, ![".", ".."].contains(last),
            !name.utf8.contains(where: { $0 == 0 || $0 == 0x0a })
        else {
            throw CommandFailure.usage("\"\(name)\" is not the name of a keychain")
        }
        let ending = last.hasSuffix("-db") ? "" : "-db"
        if !isBare(name) {
            let start = name.utf8.first == UInt8(ascii: "/") ? "/" : ""
            let path = try FolderPath.canonical(start + components.joined(separator: "/") + ending)
            if try !isOfAMac(path) || isKeychain(path) { return path }
        }
        return try FolderPath.canonical("\(try ofAll())/\(last)\(ending)")
    }

    /// Whether the keychain that is called so lies among the user's keychains if there is none at the path itself: a bare name,
    /// or a path of a Mac.
    static func isAmongUsers(_ name: String) throws -> Bool { try isBare(name) || isOfAMac(name) }

    private static func isBare(_ name: String) -> Bool { !name.utf8.contains(UInt8(ascii: "/")) }

    /// Whether that is where a Mac has the keychains of a user. Those of the system are elsewhere.
    private static func isOfAMac(_ path: String) throws -> Bool {
        let folders = FolderPath.components(of: try FolderPath.canonical(path)).dropLast()
        return folders.suffix(2) == ["Library", "Keychains"] && folders.count > 2
            && folders != ["System", "Library", "Keychains"]
    }

    static func isOfSystemOfAMac(_ path: String) -> Bool {
        let folders = FolderPath.components(of: path).dropLast()
        return folders == ["Library", "Keychains"] || folders == ["System", "Library", "Keychains"]
    }

    /// Whether programs may use the store in that folder, whatever the folder is called here. It is not opened.
    static func isOfPrograms(_ path: String) -> Bool {
        let named = SecureExecution.environment["SECITEM_DIRECTORY"] ?? ""
        let folders = [named, (try? StoreLocation.user().folder) ?? ""]
        return folders.contains { !$0.isEmpty && isSame($0, path) }
    }

    /// Whether both paths lead to one folder.
    static func isSame(_ first: String, _ second: String) -> Bool {
        var one = stat(), other = stat()
        guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    static func isKeychain(_ path: String) -> Bool {
        access(StoreLocation(folder: path).databasePath, F_OK) == 0
    }
}
