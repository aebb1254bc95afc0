// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// A file in the user's state folder that records something about one application.
struct StateFile: Sendable {
    /// The application's name and the kind of record.
    let name: String
    private let environment: [String: String]

    /// The kind of record, as the file's name has it after the application's.
    enum Kind: String {
        case secretService = "secret-service"
        case embedded
    }

    init(environment: [String: String], identifier: String, kind: Kind) {
        self.environment = environment
        name = "\(Self.encoded(identifier)).\(kind.rawValue)"
    }

    /// The identifier as part of a file name. All characters except ASCII letters and digits are percent-encoded. A
    /// long identifier is represented by its beginning and digest.
    private static func encoded(_ identifier: String) -> String {
        var encoded: [UInt8] = []
        for byte in identifier.utf8 {
            if isLetterOrDigit(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        if !encoded.isEmpty && encoded.count <= 160 { return String(decoding: encoded, as: UTF8.self) }
        let digest = SHA256.hash(data: Data(identifier.utf8))
        return String(decoding: encoded.prefix(80), as: UTF8.self) + "-" + digest.hexadecimal
    }

    /// The identifier that ``encoded(_:)`` made that text of. Of a long one, only the beginning is known, before `…`.
    static func identifier(encodedAs text: some StringProtocol) -> String {
        let all = Array(text.utf8), known = all.prefix { $0 != UInt8(ascii: "-") }
        var bytes: [UInt8] = [], rest = known[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let decoded = UInt8(digits, radix: 16) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self) + (known.count == all.count ? "" : "…")
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// The folder.
    var folder: String {
        get throws(StoreError) { try UserFolder.state.path(environment: environment) + "/secitem" }
    }

    var path: String {
        get throws(StoreError) { try folder + "/" + name }
    }

    // MARK: What is there

    /// The names of this file, if it exists, and of those beside it (``writeBeside(_:)``).
    var existing: [String] {
        get throws(StoreError) {
            try Self.names(in: folder).filter { $0 == name || $0.hasPrefix(name + ".") }
        }
    }

    /// The names of everything in that folder; none if there is no such folder.
    static func names(in folder: String) throws(StoreError) -> [String] {
        guard let directory = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw failure("\(folder) cannot be read")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                if errno != 0 { throw failure("\(folder) cannot be read") }
                return names
            }
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
    }

    // MARK: Changes

    /// Writes a file beside this one whose name begins with the same text. Content and name are on disk afterwards.
    ///
    /// - Returns: The path.
    func writeBeside(_ content: String) throws(StoreError) -> String {
        let folder = try folder
        try Self.makeFolder(folder)
        let path = try path + "." + Self.newEnding()
        let file = OwnDescriptor.aboveStandard(open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
        guard file >= 0 else { throw Self.failure("\(path) cannot be created") }
        defer { close(file) }
        do throws(StoreError) {
            let bytes = Array(content.utf8)
            guard bytes.isEmpty || write(file, bytes, bytes.count) == bytes.count, Self.sync(file) == 0 else {
                throw Self.failure("\(path) cannot be written")
            }
            try Self.bringToDisk(folder)
        } catch {
            unlink(path)
            throw error
        }
        return path
    }

    private static func newEnding() -> String { String(UInt64.random(in: .min ... .max), radix: 16) }

    /// Removes the file, on disk too.
    func remove() throws(StoreError) {
        let path = try path
        guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("\(path) cannot be removed") }
        try Self.bringToDisk(folder)
    }

    /// Creates a folder and the missing folders above it, on disk too.
    private static func makeFolder(_ path: String) throws(StoreError) {
        if isFolder(path) { return }
        let parent = (path as NSString).deletingLastPathComponent
        if parent != path { try makeFolder(parent) }
        // Another process may have been faster.
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("the folder \(path) cannot be created") }
        guard isFolder(path) else { throw failure("\(path) is not a folder", ENOTDIR) }
        try bringToDisk(parent)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Writes the names in a folder to disk, if the file system supports that.
    private static func bringToDisk(_ folder: String) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // This may be a folder above ours, in which the user may only create entries.
        if descriptor < 0 && errno == EACCES { return }
        guard descriptor >= 0 else { throw failure("\(folder) cannot be opened") }
        defer { close(descriptor) }
        guard sync(descriptor) == 0 || [EINVAL, EOPNOTSUPP].contains(errno) else {
            throw failure("\(folder) cannot be written")
        }
    }

    private static func failure(_ what: String, _ number: Int32 = errno) -> StoreError {
        StoreError(.unavailable, "\(what) (\(String(cString: strerror(number))))")
    }

    // MARK: Tests

    /// Writes a file to disk. A test counts the calls, or makes them fail.
    @TaskLocal static var sync: @Sendable (_ descriptor: Int32) -> Int32 = { fsync($0) }
}
