import Foundation
import SecItemSQLite
import SecItemStore

/// Where the keychains that have names are: a folder each.
enum KeychainFolder {
    /// The folder of those whose names are bare, and of the list of keychains.
    ///
    /// - Throws: ``CommandFailure`` when the user has no folder for data.
    static func ofAll() throws -> String {
        do throws(StoreError) {
            return try UserFolder.data.path() + "/secitem/keychains"
        } catch {
            throw CommandFailure("keychain", error)
        }
    }

    /// The folder of the keychain that is called so: a bare name lies among the user's keychains, a path where it says.
    ///
    /// - Throws: ``CommandFailure`` when no folder can be called so.
    static func path(_ name: String) throws -> String {
        guard !name.isEmpty, !name.contains("\n"), !name.contains("\0"), !["/", ".", ".."].contains(name) else {
            throw CommandFailure.usage("\"\(name)\" is no name of a keychain")
        }
        let path = name.contains("/") ? absolute(name) : try ofAll() + "/" + name
        return path.hasSuffix("-db") ? path : path + "-db"
    }

    private static func absolute(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var trimmed = whole[...]
        while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed.removeLast() }
        return String(trimmed)
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

    /// Whether there is a keychain in that folder.
    static func isKeychain(_ path: String) -> Bool {
        access(StoreLocation(folder: path).databasePath, F_OK) == 0
    }
}
