// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemStore

/// The file in the user's state folder that says where an application's items are. It has one line: ``ItemPlace/text``.
///
/// It is on the disk before the first item is stored there, and is removed if that item was not stored. If the program dies
/// in between, it stays, because the item may be there. If somebody deletes it, the store is chosen again.
struct PlaceFile: Sendable {
    /// The application's name, encoded, and the ending.
    let name: String
    private let environment: [String: String]

    private static let ending = ".store"

    init(environment: [String: String], identifier: String) {
        self.environment = environment
        name = Self.encoded(identifier) + Self.ending
    }

    var folder: String {
        get throws(StoreError) { try UserFolder.state.path(environment: environment) + "/secitem" }
    }

    var path: String {
        get throws(StoreError) { try folder + "/" + name }
    }

    // MARK: Name

    /// The identifier as part of a file name. All characters except ASCII letters and digits are percent-encoded. A
    /// long identifier is represented by its beginning and digest.
    private static func encoded(_ identifier: String) -> String {
        var encoded: [UInt8] = []
        for byte in identifier.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        if !encoded.isEmpty && encoded.count <= 160 { return String(decoding: encoded, as: UTF8.self) }
        let digest = SHA256.hash(data: Data(identifier.utf8))
        return String(decoding: encoded.prefix(80), as: UTF8.self) + "-" + digest.hexadecimal
    }

    /// The identifier of the application whose file has that name. Of a long one, only the beginning is known, before
    /// `…`. Nil for any other file.
    static func identifier(ofFile name: String) -> String? {
        guard name.hasSuffix(ending) else { return nil }
        let all = Array(name.dropLast(ending.count).utf8), known = all.prefix { $0 != UInt8(ascii: "-") }
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

    // MARK: Reading

    /// The recorded place; nil if there is none.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if that cannot be determined.
    var place: ItemPlace? {
        get throws(StoreError) {
            // If there is no such folder, the error is a different one, with its own remedy.
            let path = try path
            do throws(StoreError) {
                return try Self.read(path)
            } catch {
                try UserFolder.requireOwn(folder)
                throw StoreError(
                    error.code,
                    "\(error.message), and so it is not known where the application has items. Let this user read it, or set "
                        + "SECITEM_STORE", underlying: error.underlying)
            }
        }
    }

    /// The place that the file at that path names; nil if there is no such file, or if it was never finished.
    static func read(_ path: String) throws(StoreError) -> ItemPlace? {
        // A pipe has nothing to read, and nobody waits for it.
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if file < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("\(path) cannot be read")
        }
        defer { close(file) }
        return try read(file, path)
    }

    private static func read(_ file: Int32, _ path: String) throws(StoreError) -> ItemPlace? {
        // Longer than any path that the system takes.
        var bytes = [UInt8](repeating: 0, count: 2 * Int(PATH_MAX))
        let count = pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw failure("\(path) cannot be read") }
        let line = bytes[..<count].prefix { $0 != newLine }
        // Nothing was stored yet when the writing of a line was interrupted.
        if line.count == count { return nil }
        guard let text = String(validating: line, as: UTF8.self), let place = ItemPlace(text: text) else {
            throw StoreError(.unavailable, "\(path) names no place for items: delete it")
        }
        return place
    }

    private static let newLine = UInt8(ascii: "\n")

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

    /// What a write has done.
    enum Outcome: Equatable {
        /// The file names the place now. Before, it named that one, if any.
        case written(before: ItemPlace?)
        /// The file named the place before.
        case unchanged
        /// The file names another place, which did not give way.
        case kept(ItemPlace)
    }

    /// Writes the place, on disk too.
    ///
    /// - Parameter replaces: Whether a recorded place gives way.
    func write(_ place: ItemPlace, _ replaces: (ItemPlace) -> Bool) throws(StoreError) -> Outcome {
        let line = Array((place.text + "\n").utf8)
        guard !place.text.utf8.contains(Self.newLine) else {
            throw StoreError(.unrepresentable, "the folder's name has a line break")
        }
        let folder = try folder, path = try path
        // Also where nobody may write any more.
        if try Self.read(path) == place { return .unchanged }
        try OwnFolder.make(folder, sync: Self.bringToDisk)
        while true {
            let outcome = try Self.alone(path, O_CREAT) { (file) throws(StoreError) -> Outcome in
                let before = try Self.read(file, path)
                if before == place { return .unchanged }
                if let before, !replaces(before) { return .kept(before) }
                do throws(StoreError) {
                    // First the new line, so that there is a complete one at every moment.
                    guard pwrite(file, line, line.count, 0) == line.count, ftruncate(file, off_t(line.count)) == 0,
                        Self.sync(file) == 0
                    else { throw Self.failure("\(path) cannot be written") }
                    try Self.bringToDisk(folder)
                } catch {
                    if before == nil { unlink(path) }
                    throw error
                }
                return .written(before: before)
            }
            if let outcome { return outcome }
        }
    }

    /// Takes back what ``write(_:_:)`` wrote, unless somebody has changed it since.
    func takeBack(_ place: ItemPlace, before: ItemPlace?) throws(StoreError) {
        if let before {
            _ = try write(before) { $0 == place }
        } else {
            try remove { $0 == place }
        }
    }

    /// Removes the file, on disk too.
    ///
    /// - Parameter condition: Whether a file that names that place is to be removed.
    func remove(if condition: (ItemPlace) -> Bool = { _ in true }) throws(StoreError) {
        let folder = try folder, path = try path
        if access(path, F_OK) != 0 && errno == ENOENT { return }
        try Self.alone(path, 0) { (file) throws(StoreError) in
            if let place = try? Self.read(file, path), !condition(place) { return }
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("\(path) cannot be removed") }
            try Self.bringToDisk(folder)
        }
    }

    /// How often to try to get the lock of the file, and the pause in between, in microseconds. Others have it for some
    /// writes to the disk.
    private static let attempts = 2_000, pause: UInt32 = 1_000

    /// Opens the file and runs `body` while no other process or thread changes it.
    ///
    /// - Returns: Nil if somebody removed the file meanwhile, or if there is none.
    @discardableResult
    private static func alone<Result>(
        _ path: String, _ flags: Int32, _ body: (Int32) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        let file = OwnDescriptor.aboveStandard(open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0o600))
        if file < 0 && errno == ENOENT && flags & O_CREAT == 0 { return nil }
        guard file >= 0 else { throw failure("\(path) cannot be opened for writing") }
        defer { close(file) }
        var left = attempts
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            // Some file systems have no such locks.
            if errno != EWOULDBLOCK && errno != EINTR { break }
            left -= 1
            if left == 0 { throw StoreError(.unavailable, "another process keeps \(path) locked") }
            usleep(pause)
        }
        var own = stat(), there = stat()
        guard fstat(file, &own) == 0, lstat(path, &there) == 0, own.st_ino == there.st_ino, own.st_dev == there.st_dev
        else { return nil }
        return try body(file)
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
