// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemSealing
import SecItemStore

// Searches this process's memory for keys and secrets. The test passes the values in masked form. The unmasked bytes
// are in one mapping that is not searched, and in the copies that the store makes.

/// Bytes to search for.
struct Needle {
    let name: String
    let bytes: UnsafeRawBufferPointer

    var secret: Secret { Secret(copying: bytes) }
}

/// The mapping that is not searched: the needles, and a buffer for reading memory.
final class SearchRoom {
    static let mask: UInt8 = 0xa5
    private static let byteCount = 4 << 20
    static let bufferByteCount = 2 << 20
    private let start: UnsafeMutableRawBufferPointer
    private(set) var needles: [Needle] = []

    /// - Parameter masked: "name:hexadecimal digits", separated by commas.
    init?(masked: String) {
        let start = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, Int(bitPattern: start) != -1 else { return nil }
        self.start = UnsafeMutableRawBufferPointer(start: start, count: Self.byteCount)
        var offset = Self.bufferByteCount
        for part in masked.split(separator: ",") {
            let fields = part.split(separator: ":")
            guard fields.count == 2 else { return nil }
            let digits = Array(fields[1].utf8), first = offset
            for index in stride(from: 0, to: digits.count - 1, by: 2) {
                guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
                self.start[offset] = (high << 4 | low) ^ Self.mask
                offset += 1
            }
            let bytes = UnsafeRawBufferPointer(rebasing: self.start[first..<offset])
            needles.append(Needle(name: String(fields[0]), bytes: bytes))
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
    }

    var buffer: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: start[..<Self.bufferByteCount])
    }

    subscript(_ name: String) -> Needle? { needles.first { $0.name == name } }

    /// The parts of a mapping that are outside this one.
    func outside(_ range: Range<UInt>) -> [Range<UInt>] {
        let own = UInt(bitPattern: start.baseAddress)..<UInt(bitPattern: start.baseAddress) + UInt(start.count)
        guard range.overlaps(own) else { return [range] }
        return [
            range.lowerBound..<max(range.lowerBound, own.lowerBound),
            min(range.upperBound, own.upperBound)..<range.upperBound,
        ].filter { !$0.isEmpty }
    }
}

/// A mapping in /proc/self/smaps, with its flags.
private struct MemoryRange {
    let range: Range<UInt>
    let name: String
    let isReadable: Bool
    var flags: Set<Substring> = []

    /// Whether it is neither swapped out nor dumped.
    var isGuarded: Bool { flags.isSuperset(of: ["lo", "dd"]) }

    init?(_ line: Substring) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        let bounds = fields.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
        guard bounds.count == 2, fields.count >= 5 else { return nil }
        range = bounds[0]..<bounds[1]
        isReadable = fields[1].hasPrefix("r")
        name = fields.count > 5 ? String(fields[5]) : ""
    }

    static func all() -> [MemoryRange] {
        var result: [MemoryRange] = []
        for line in MountTable.content("/proc/self/smaps").split(separator: "\n") {
            if let range = MemoryRange(line) {
                result.append(range)
            } else if line.hasPrefix("VmFlags:"), !result.isEmpty {
                result[result.count - 1].flags = Set(line.split(separator: " ").dropFirst())
            }
        }
        return result
    }
}

/// Prints how often each needle is in guarded memory, how often elsewhere, and where.
func look(_ phase: String, _ room: SearchRoom) {
    let memory = open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    var guarded: [String: Int] = [:], other: [String: [String]] = [:]
    for mapping in MemoryRange.all() where mapping.isReadable && !mapping.name.hasPrefix("[v") {
        for range in room.outside(mapping.range) {
            var address = range.lowerBound
            while address < range.upperBound {
                let wanted = min(UInt(SearchRoom.bufferByteCount), range.upperBound - address)
                let got = pread(memory, room.buffer.baseAddress, Int(wanted), off_t(address))
                guard got > 0 else { break }
                for needle in room.needles {
                    let count = occurrences(of: needle.bytes, in: UnsafeRawBufferPointer(rebasing: room.buffer[..<got]))
                    if mapping.isGuarded {
                        guarded[needle.name, default: 0] += count
                    } else if count > 0 {
                        other[needle.name, default: []].append(
                            "\(mapping.name.isEmpty ? "anonymous" : mapping.name)×\(count)")
                    }
                }
                // Behind the end of a mapped file, nothing can be read.
                if UInt(got) < wanted || wanted == range.upperBound - address { break }
                // Values that span two pieces are found in the next one.
                address += UInt(got) - 256
            }
        }
    }
    room.buffer.wipe()
    for needle in room.needles {
        let places = other[needle.name, default: []]
        say(
            "\(phase) \(needle.name) \(guarded[needle.name, default: 0]) \(places.count) \(places.joined(separator: " "))"
        )
    }
}

/// A function of the C library that is not declared without `_GNU_SOURCE`. Without optimisation, a loop in Swift would
/// take minutes.
private let memmem = dlsym(nil, "memmem").map {
    unsafeBitCast(
        $0, to: (@convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeMutableRawPointer?).self)
}

private func occurrences(of needle: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Int {
    guard var start = bytes.baseAddress, let first = needle.baseAddress else { return 0 }
    let end = start + bytes.count
    var count = 0
    while let found = memmem?(start, end - start, first, needle.count) {
        count += 1
        start = UnsafeRawPointer(found) + needle.count
    }
    return count
}

/// Uses a store, and searches the process's memory after each step.
func lookAtMemory(_ location: StoreLocation, _ masked: String) throws {
    guard let room = SearchRoom(masked: masked), room["secret"] != nil else { return failure("no room to search") }
    // A value in ordinary memory, which must be found. Otherwise, the search itself does not work.
    let canary = room["canary"].map { Array($0.bytes) }
    try useAndLook(location, room)
    look("closed", room)
    withExtendedLifetime(canary) {}
}

private func useAndLook(_ location: StoreLocation, _ room: SearchRoom) throws {
    let source = PassphraseSource.closure { [bytes = room["passphrase"]?.secret] in bytes }
    let protector = PassphraseProtector(sources: [source], cost: .lowest)
    let store = try SQLiteStore(location: location, protector: protector, cache: .none)
    try store.insert(
        ItemRecord(
            reference: record("a", Data()).reference, attributes: record("a", Data()).attributes,
            secrets: room["secret"].map { [.valueData: $0.secret] } ?? [:]), interaction: .allowed)
    try lookUpAndLook(store, room)
    look("released", room)
    try authenticateAndLook(store, room)
    look("authentication-over", room)
    try openUnderPasswordAndLook(store, room)
    look("password-over", room)
    try store.lock()
    look("locked", room)
}

/// Adds and finds an item that only an authentication opens, then opens it. Searches after each step.
private func authenticateAndLook(_ store: SQLiteStore, _ room: SearchRoom) throws {
    guard let secret = room["guarded"], let passphrase = room["passphrase"] else { return failure("no guarded secret") }
    try store.insert(guardedRecord("guarded", secret.secret), interaction: .allowed)
    guard let found = try find(store, "guarded").first, let guarded = found.guardedSecrets else {
        return failure("the item is not guarded")
    }
    look("guarded", room)
    let key = try store.guardKey(passphrase: passphrase.secret)
    let secrets = try store.secrets(in: guarded, of: found, with: key)
    look("authenticated", room)
    withExtendedLifetime((key, secrets)) {}
}

/// Adds an item with an application password, opens it, and searches.
private func openUnderPasswordAndLook(_ store: SQLiteStore, _ room: SearchRoom) throws {
    guard let secret = room["item-data"], let password = room["item-password"]?.secret else {
        return failure("no item under a password")
    }
    // The test derives the same key.
    let derivation = AccessConstraints.PasswordDerivation(
        logarithmOfRounds: ScryptCost.lowest.logarithmOfRounds, blockSize: ScryptCost.lowest.blockSize,
        parallelism: ScryptCost.lowest.parallelism, salt: Data(repeating: 7, count: 32))
    guard let constraints = AccessConstraints(flags: .applicationPassword, password: derivation) else {
        return failure("no constraints")
    }
    let free = record("under a password", Data())
    let plain = ItemRecord(
        reference: free.reference,
        attributes: free.attributes.merging([.accessControl: .data(constraints.encoded)]) { $1 },
        secrets: [.valueData: secret.secret])
    try store.insert(PasswordSeal(password, derivation).sealing(plain), interaction: .allowed)
    guard let sealed = try find(store, "under a password").first else { return failure("no item under a password") }
    let seal = try PasswordSeal(password, derivation)
    let opened = try seal.opening(sealed)
    look("password-opened", room)
    withExtendedLifetime((password, seal, opened, plain)) {}
}

private func lookUpAndLook(_ store: SQLiteStore, _ room: SearchRoom) throws {
    let found = try find(store)
    look("unlocked", room)
    withExtendedLifetime(found) {}
}

/// Uses a store in a process that may not lock memory.
func useWithoutLockedMemory(_ location: StoreLocation) throws {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none)
    // Root has no such limit.
    if geteuid() == 0 { guard setgid(65_534) == 0, setuid(65_534) == 0 else { return failure("setuid: \(errno)") } }
    let store = try SQLiteStore(location: location, cache: .none)
    for number in 0..<3 {
        try store.insert(record("\(number)", Data("secret".utf8)), interaction: .allowed)
        try store.insert(record("large \(number)", Data(count: 10_000)), interaction: .allowed)
    }
    let found = try find(store)
    say("found \(found.filter { [6, 10_000].contains($0.secrets[.valueData]?.count) }.count)")
    // Another store in the same process does not log the line again.
    guard try find(SQLiteStore(location: location, cache: .none)).count == 6 else {
        return failure("items are missing")
    }
}
