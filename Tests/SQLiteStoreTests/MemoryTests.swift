// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemShim
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// Where the memory of a process contains keys and secrets, and where it does not.
@Suite struct MemoryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: A process that uses a store

    /// How often a value is in memory that is locked and left out of dumps, and where else it is.
    private struct Sight {
        var guarded = 0
        var elsewhere = ""
    }

    /// The results of the probe, by phase and by name of the value.
    private func sights(_ command: String, _ needles: [String: Data]) throws -> [String: [String: Sight]] {
        let masked = needles.map { name, bytes in
            name + ":" + bytes.map { byte in String(format: "%02x", byte ^ 0xa5) }.joined()
        }
        let probe = try Program.built(
            "StoreProbe", [command, folder.location.folder, masked.joined(separator: ",")])
        var result: [String: [String: Sight]] = [:]
        for line in try probe.run().lines {
            let fields = line.split(separator: " ", maxSplits: 4).map(String.init)
            guard fields.count >= 4, let guarded = Int(fields[2]) else {
                Issue.record("\(line)")
                continue
            }
            let elsewhere = fields[3] == "0" ? "" : fields.dropFirst(4).joined()
            result[fields[0], default: [:]][fields[1]] = Sight(guarded: guarded, elsewhere: elsewhere)
        }
        return result
    }

    /// All keys of the store, the keys from which they are derived, and the keys derived from them.
    private func keys(_ passphrase: String) throws -> [String: Data] {
        let store = try openStore(folder.location, passphrase: passphrase)
        try store.insert(.guarded("a"))
        let header = try store.connection.read(StoreHeader.read)
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath))
        let device = try header.check(DeviceKey(file: Secret(file), path: ""))
        let protector = try #require(PassphraseProtector(sources: []).protector(for: header.rootMethod))
        let (root, guardWrapping) = try header.unlocked(
            protector, device: device, passphrase: Secret(Data(passphrase.utf8)))
        var keys = [
            "device": Secret(file[24..<56]), "root": root, "device-wrapping": device.wrapping,
            "device-binding": device.binding, "device-authenticating": device.authenticating,
            "root-wrapping": root.derived("secitem/1 root wrap"),
        ]
        keys["guard-wrapping"] = guardWrapping
        keys["guard"] = try GuardKeyRow(header)?.key(guardWrapping, storeID: header.storeID)
        for (name, key) in try header.otherKeys(root).entries { keys[name.rawValue] = key }
        for (name, key) in try header.alwaysKeys(device).entries { keys[name.rawValue] = key }
        if let metadata = keys["metadata"] {
            for purpose in ["attributes", "row", "blind index"] {
                keys["metadata-" + purpose.prefix(5)] = metadata.derived("secitem/1 " + purpose)
            }
        }
        return keys.mapValues { $0.data() }
    }

    /// The key of an item with this application password, with the probe's salt.
    private func keyOfItem(_ password: Data) throws -> Data {
        let length = withUnsafeBytes(of: UInt64(password.count).bigEndian) { Data($0) }
        let stretched = try Secret(password).stretched(
            salt: Data(repeating: 7, count: 32) + length, ScryptCost.lowest, byteCount: 40)
        return stretched.data().prefix(Secret.keyByteCount)
    }

    /// No secret is in memory that may be swapped out or dumped, and a key only where a library has freed it. Values that
    /// are no longer needed are not in the package's memory at all.
    @Test func keysAndSecrets_areInGuardedMemory_andGoWhenTheyAreLetGo() throws {
        let passphrase = "a passphrase of no meaning"
        let keys = try keys(passphrase)
        let random = Data(RandomBytes.bytes(48)), password = Data(RandomBytes.bytes(24))
        let others = [
            "secret": random, "guarded": Data(RandomBytes.bytes(48)), "passphrase": Data(passphrase.utf8),
            "canary": Data(RandomBytes.bytes(32)), "item-data": Data(RandomBytes.bytes(48)), "item-password": password,
            "item-key": try keyOfItem(password), "item-key-half": try keyOfItem(password).suffix(16),
        ]
        let sights = try sights("memory", keys.merging(others) { first, _ in first })
        #expect(
            Set(sights.keys) == [
                "unlocked", "released", "guarded", "authenticated", "authentication-over", "password-opened",
                "password-over", "locked", "closed",
            ])
        for (phase, needles) in sights {
            for (name, sight) in needles {
                // swift-crypto and BoringSSL free what they compute with keys as it is.
                let isKey = keys[name] != nil || name.hasPrefix("item-key")
                #expect(
                    isKey || (sight.elsewhere != "") == (name == "canary"), "\(phase): \(name) in \(sight.elsewhere)")
                let isThere: Bool? =
                    switch name {
                    case "secret": phase == "unlocked"
                    // Only during an authentication.
                    case "guarded", "guard": phase == "authenticated"
                    case "guard-wrapping": false
                    case "item-data", "item-password", "item-key", "item-key-half": phase == "password-opened"
                    // The application's closure holds it.
                    case "passphrase": phase == "closed" ? false : nil
                    case "ak", "aku", "akpu": !["locked", "closed"].contains(phase)
                    case "ck", "cku", "dk", "dku": phase != "closed"
                    // Derived when needed, or needed only once.
                    case "root", "root-wrapping", "device", "device-wrapping", "device-binding",
                        "device-authenticating":
                        false
                    default: phase == "closed" ? false : nil
                    }
                if let isThere { #expect((sight.guarded > 0) == isThere, "\(phase): \(name)") }
            }
        }
    }

    private func newKey(_ type: CFString, _ size: Int) throws -> Data {
        let parameters = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: size] as [CFString: Any]
        let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
        return try #require(SecKeyCopyExternalRepresentation(key, nil) as Data?)
    }

    /// The bytes of private keys are only in guarded memory, however the keys are used, and only while something holds
    /// them.
    @Test func privateKeys_areInGuardedMemoryOnly() throws {
        let curve = try newKey(kSecAttrKeyTypeECSECPrimeRandom, 256), rsa = try newKey(kSecAttrKeyTypeRSA, 2048)
        let sights = try sights(
            "key-memory",
            [
                "curve": curve, "number": curve.suffix(32), "rsa": rsa, "coefficient": rsa.suffix(64),
                "canary": Data(RandomBytes.bytes(32)),
            ])
        #expect(Set(sights.keys) == ["used", "stored", "given", "released"])
        for (phase, needles) in sights {
            for (name, sight) in needles {
                // Calls that have returned may leave parts of a key on the stack, until other calls overwrite them.
                let isElsewhere = !["", "[stack]×1"].contains(sight.elsewhere)
                #expect(isElsewhere == (name == "canary"), "\(phase): \(name) in \(sight.elsewhere)")
                #expect((sight.guarded > 0) == (phase == "given" && name != "canary"), "\(phase): \(name)")
            }
        }
    }

    /// If the process may not lock memory, everything works, and the log says so once.
    @Test func noLockedMemory_isSaidOnce() throws {
        if geteuid() == 0 { chown(folder.path, 65_534, 65_534) }
        let program = try Program.built("StoreProbe", ["no-locked-memory", folder.location.folder]).run()
        #expect(program.lines == ["found 6"])
        #expect(program.errors.split(separator: "\n").filter { $0.contains("swapped out") }.count == 1)
    }

    // MARK: The allocator

    /// Blocks of all sizes are allocated and freed. Each block starts with zeros, and no block overlaps another.
    @Test func blocks_doNotOverlap_andComeEmpty() throws {
        var random = SeededGenerator()
        var blocks: [(block: SecretMemory.Block, mark: UInt8)] = []
        for round in 0..<4_000 {
            if blocks.count > 300 || (!blocks.isEmpty && Bool.random(using: &random)) {
                let (block, mark) = blocks.remove(at: Int.random(in: blocks.indices, using: &random))
                #expect(block.bytes.allSatisfy { $0 == mark })
                block.deallocate()
            } else {
                let size = Int.random(in: 1...(1 << Int.random(in: 1...13, using: &random)), using: &random)
                let block = try #require(SecretMemory.allocate(size))
                #expect(block.bytes.count == size && block.bytes.allSatisfy { $0 == 0 })
                let mark = UInt8(truncatingIfNeeded: round) | 1
                for index in block.bytes.indices { block.bytes[index] = mark }
                blocks.append((block, mark))
            }
        }
        for (block, mark) in blocks {
            #expect(block.bytes.allSatisfy { $0 == mark })
            block.deallocate()
        }
    }

    /// Freed blocks are used again even if their neighbours are not freed, so that a long process does not grow.
    @Test(arguments: [40, 100, 200, 400, 800, 1_500])
    func freedBlocks_areUsedAgain(_ size: Int) throws {
        func blocks(_ count: Int) throws -> [SecretMemory.Block] {
            try (0..<count).map { _ in try #require(SecretMemory.allocate(size)) }
        }
        let first = try blocks(400)
        let freed = first.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        let addresses = Set(freed.map(\.bytes.baseAddress))
        for block in freed { block.deallocate() }
        let second = try blocks(freed.count)
        // Other tests allocate too.
        #expect(second.count { addresses.contains($0.bytes.baseAddress) } > freed.count / 2)
        for block in second { block.deallocate() }
        for (index, block) in first.enumerated() where index % 2 == 0 { block.deallocate() }
    }

    /// An impossible size is an error, and does not end the process.
    @Test func tooManyBytes_areAnError() {
        for count in [1 << 46, Int.max - 10] {
            expect(.unavailable) { _ = try Secret.make(count: count) { (_) throws(StoreError) in } }
        }
    }
}
