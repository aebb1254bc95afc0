// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// The inputs that are necessary to get the root key, computed here from the bytes of the files.
@Suite struct RootKeyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func secret(_ text: String) -> Secret { Secret(Data(text.utf8)) }

    /// HKDF as described in docs/file-format.md.
    private func derive(_ key: Data, _ info: String, salt: Data = Data()) -> Data {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: Data(info.utf8), outputByteCount: 32
        ).withUnsafeBytes { Data($0) }
    }

    /// The root key, if `wrapping` is its wrapping key.
    private func open(_ root: WrappedKey, of storeID: [UInt8], with wrapping: Data) -> Secret? {
        root.unwrapped(with: Secret(wrapping), storeID: storeID)
    }

    private func scrypt(_ passphrase: String, _ parameters: [UInt8]) throws -> Data {
        try KDF.Scrypt.deriveKey(
            from: Data(passphrase.utf8), salt: parameters[3...], outputByteCount: 32, rounds: 1 << Int(parameters[0]),
            blockSize: Int(parameters[1]), parallelism: Int(parameters[2])
        ).withUnsafeBytes { Data($0) }
    }

    @Test func databaseAndPassphrase_withoutDeviceKey_openNothing() throws {
        let store = try openStore(folder.location, passphrase: "right")
        let header = try store.connection.read(StoreHeader.read)
        let root = try #require(header.keys[.root])
        #expect(root.wrapper == "scrypt+device")
        let stretched = try scrypt("right", root.parameters)
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath))
        let device = derive(file[24..<56], "secitem/1 device bind root", salt: Data(header.storeID))

        // With both inputs, the key opens, so the derivation in this test is the right one.
        let both = derive(stretched + device, "secitem/1 passphrase and device wrap root")
        #expect(open(root, of: header.storeID, with: both) != nil)

        // With the passphrase and other values in the database, it does not.
        let public32 = [
            Data(), Data(count: 32), stretched, Data(header.storeID), Data(header.deviceKeyID), Data(root.parameters),
        ]
        for other in public32 {
            for info in ["secitem/1 passphrase and device wrap root", "secitem/1 passphrase wrap root"] {
                #expect(open(root, of: header.storeID, with: derive(stretched + other, info)) == nil)
                let bound = derive(other, "secitem/1 device bind root", salt: Data(header.storeID))
                #expect(open(root, of: header.storeID, with: derive(stretched + bound, info)) == nil)
            }
        }
        #expect(open(root, of: header.storeID, with: stretched) == nil)
        // With the device key and another passphrase or none, it does not either.
        for other in [try scrypt("wrong", root.parameters), Data(), Data(count: 32)] {
            #expect(
                open(
                    root, of: header.storeID, with: derive(other + device, "secitem/1 passphrase and device wrap root"))
                    == nil)
        }
        #expect(open(root, of: header.storeID, with: device) == nil)

        // A new device key does not replace a lost one.
        try FileManager.default.removeItem(atPath: folder.location.keyFilePath)
        expect(.corrupt) { _ = try openStore(folder.location, passphrase: "right") }
    }

    /// The file states the cost of deriving the key. Somebody who can write the file must not be able to use up all
    /// memory or time.
    @Test func costInTheFile_isBounded() throws {
        let edges: [UInt8] = [0, 1, 2, 8, 15, 16, 17, 23, 24, 31, 32, 33, 63, 64, 127, 128, 255]
        for rounds in edges {
            for size in edges {
                for lanes in edges {
                    let cost = ScryptCost(logarithmOfRounds: rounds, blockSize: size, parallelism: lanes)
                    let isUseful = rounds > 0 && size > 0 && lanes > 0
                    let memory = rounds < 40 ? 128 * Int(size) << Int(rounds) : .max
                    let isBounded = memory <= 1 << 30 && rounds <= 23 && size <= 32 && lanes <= 16
                    #expect((cost != nil) == (isUseful && isBounded), "N = 2^\(rounds), r = \(size), p = \(lanes)")
                }
            }
        }
        let device = try DeviceKey().keys(ofStore: [UInt8](repeating: 1, count: 16))
        let protector = PassphraseProtector(sources: [], cost: .lowest)
        let good = protector.newParameters()
        let damaged: [[UInt8]] = [
            [], Array(good.dropLast()), good + [0], [24] + good.dropFirst(), [0] + good.dropFirst(),
            [good[0], 0] + good.dropFirst(2), [good[0], good[1], 17] + good.dropFirst(3),
        ]
        for parameters in damaged {
            expect(.corrupt) {
                _ = try protector.wrappingKey(parameters: parameters, device: device, passphrase: secret("right"))
            }
        }
        expect(.locked) { _ = try protector.wrappingKey(parameters: good, device: device, passphrase: nil) }
        _ = try protector.wrappingKey(parameters: good, device: device, passphrase: secret("right"))
        #expect(ScryptCost(logarithmOfRounds: 17, blockSize: 8, parallelism: 1) == .standard)
    }

    /// Of two passphrases that differ only in zero bytes at the end, scrypt makes the same key. One of them is refused, unless
    /// both are so long that all their bytes count.
    @Test func zerosAtTheEndOfAPassphrase_neverOpenWhatItOpens() throws {
        let device = try DeviceKey().keys(ofStore: [UInt8](repeating: 1, count: 16))
        let protector = PassphraseProtector(sources: [], cost: .lowest)
        let parameters = protector.newParameters()
        func key(_ passphrase: [UInt8]) throws(StoreError) -> Data {
            try protector.wrappingKey(parameters: parameters, device: device, passphrase: Secret(Data(passphrase)))
                .data()
        }
        for count in [1, 2, 31, 32, 33, 62, 63, 64, 65, 100] {
            var passphrase = (0..<count).map { UInt8($0 + 1) }
            // Zeros elsewhere are like all other bytes.
            passphrase[0] = count > 1 ? 0 : 1
            let right = try key(passphrase)
            for zeros in 1...3 {
                let longer = passphrase + [UInt8](repeating: 0, count: zeros)
                if longer.count <= 64 {
                    expect(.authenticationFailed) { _ = try key(longer) }
                } else {
                    #expect(try key(longer) != right)
                }
            }
        }
        // This stands for an empty password in the command.
        _ = try key([0])
        for passphrase in [[], [0, 0], [0, 0, 0]] as [[UInt8]] {
            expect(.authenticationFailed) { _ = try key(passphrase) }
        }
    }

    @Test func portalsSecret_withoutDeviceKey_opensNothing() throws {
        let portal = PortalProtector { (_) throws(StoreError) in
            PortalProtector.Answer(secret: Secret(Data("portal's secret".utf8)), token: nil)
        }
        let store = try SQLiteStore(
            location: folder.location, protector: portal, cache: .none, logger: CollectedLog().logger)
        let header = try store.connection.read(StoreHeader.read)
        let root = try #require(header.keys[.root])
        #expect(root.wrapper == "portal+device")
        let half = derive(
            Data("portal's secret".utf8), "secitem/1 portal wrap root", salt: Data(root.parameters.prefix(32)))
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath))
        let device = derive(file[24..<56], "secitem/1 device bind root", salt: Data(header.storeID))
        #expect(
            open(root, of: header.storeID, with: derive(half + device, "secitem/1 portal and device wrap root")) != nil)
        #expect(open(root, of: header.storeID, with: half) == nil)
        #expect(open(root, of: header.storeID, with: device) == nil)
    }

    /// A program that does not know a method of a later version, as an earlier version does not know today's methods.
    @Test func unknownMethod_isUnavailable_notDamaged() throws {
        let store = try openStore(folder.location)
        try store.insert(.password())
        let header = try store.connection.read(StoreHeader.read)
        let file = try Secret(Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath)))
        let device = try header.check(DeviceKey(file: file, path: ""))
        let root = try header.unlocked(KeyFileProtector(), device: device, passphrase: nil).root
        let wrapped = try WrappedKey(
            wrapping: root, name: .root, wrapper: "method+of+tomorrow", parameters: [1, 2, 3],
            storeID: header.storeID, with: device.wrappingRoot, device: device)
        try store.connection.write { try wrapped.write($0) }
        let before = try folder.location.contents()
        for passphrase in [nil, "passphrase"] {
            expect(.unavailable) { _ = try openStore(folder.location, passphrase: passphrase) }
        }
        #expect(try folder.location.contents()["device.key"] == before["device.key"])
    }
}
