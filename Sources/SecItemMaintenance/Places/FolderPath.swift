// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// Paths of keychains' folders, as a person spells them.
package enum FolderPath {
    /// The one spelling of a path: absolute, without `.`, `..` and empty components, and with no symbolic link but the last
    /// component.
    ///
    /// It leads where the system would go: `link/..` is the folder above the one that the link leads to. Otherwise another
    /// keychain would be meant than the one that the path opens.
    ///
    /// - Throws: `errSecNotAvailable` if the path is relative and the current folder is gone, or if a folder on the way has a
    ///   name that is not UTF-8 text.
    package static func canonical(_ path: String) throws(KeychainError) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let whole = isAbsolute ? path : try currentFolder() + "/" + path
        var components = Self.components(of: whole).filter { $0 != "." }
        let last = components.last == ".." ? nil : components.popLast()
        var parent = ""
        for component in components {
            parent = component == ".." ? above(parent) : try withoutLinks(parent + "/" + component)
        }
        guard let last else { return parent.isEmpty ? "/" : parent }
        return parent + "/" + last
    }

    /// A slash parts them for the system, whatever joins it to a character for a reader.
    package static func components(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    private static func above(_ path: String) -> String {
        String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)])
    }

    /// The path itself where there is nothing.
    private static func withoutLinks(_ path: String) throws(KeychainError) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        let text = try Self.text(real)
        return text == "/" ? "" : text
    }

    private static func currentFolder() throws(KeychainError) -> String {
        guard let path = getcwd(nil, 0) else {
            throw KeychainError(errSecNotAvailable, "the current folder: \(String(cString: strerror(errno)))")
        }
        defer { free(path) }
        // One that lies outside of what this process sees begins otherwise.
        guard path.pointee == Int8(bitPattern: UInt8(ascii: "/")) else {
            throw KeychainError(errSecNotAvailable, "the current folder cannot be reached from /")
        }
        return try text(path)
    }

    private static func text(_ path: UnsafePointer<CChar>) throws(KeychainError) -> String {
        guard let text = String(validatingCString: path) else {
            throw KeychainError(errSecNotAvailable, "a folder on the way has a name that is not UTF-8 text")
        }
        return text
    }
}
