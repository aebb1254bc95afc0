// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import SecItemConformance
import Security

/// Random bytes in an item, read by every function that reads items. None ends the process, and objects that could be
/// decoded can be stored again.
enum RandomBytes {
    private static let service = "com.example.bytes.key"
    /// The number of lists and archives that are kept for later rounds.
    private static let remembered = 50

    /// - Parameter fixtures: Bytes for the first rounds, in addition to those that are made here.
    static func check(_ rounds: Int, _ fixtures: [Data], _ generator: inout SeededGenerator) throws {
        let readers = Readers(service: service)
        var made: [Data] = []
        for round in 0..<rounds {
            FXKeychain.usesNSCoding = round.isMultiple(of: 2)
            if round.isMultiple(of: 8) || made.isEmpty { made.append(WholeBytes.random(&generator)) }
            if made.count > remembered { made.removeFirst() }
            let pool = !fixtures.isEmpty && generator.next() % 2 == 0 ? fixtures : made
            let data = ChangedBytes.changed(pool.randomElement(using: &generator) ?? Data(), made, &generator)
            try readers.read(data, round)
        }
    }

    /// The files in the folder and its subfolders.
    static func fixtures(in folder: String) throws -> [Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        return paths.compactMap { try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")) }
    }
}

/// All functions that read an item, called with the same bytes.
private struct Readers {
    let service: String
    let keychain: FXKeychain
    let box: Lockbox = Lockbox(keyPrefix: "com.example.bytes")
    let objects: KeychainObjectStore<Stored>
    let dictionaryService: String

    init(service: String) {
        self.service = service
        keychain = FXKeychain(service: service, accessGroup: nil)
        objects = KeychainObjectStore(service: service)
        let application = Bundle.main.bundleIdentifier ?? LinuxKeychain.applicationIdentifier
        dictionaryService = "\(application).__KCMutableDictionary__.bytes"
    }

    func read(_ data: Data, _ round: Int) throws {
        put(data, service)
        put(data, dictionaryService)
        if let object = keychain.object(forKey: ""), !keychain.setObject(object, forKey: "again") {
            throw Broken(description: "FXKeychain read a \(type(of: object)) it cannot store in round \(round)")
        }
        if let object: Any = box.unarchiveObject(forKey: "key") {
            guard let coding = object as? any NSSecureCoding, box.archiveObject(coding, forKey: "again") else {
                throw Broken(description: "Lockbox read a \(type(of: object)) it cannot store in round \(round)")
            }
        }
        readTexts(box)
        do throws(KeychainObjectError) { _ = try objects.all() } catch {}
        let dictionary = KCMutableDictionary.dictionary(withName: "bytes")
        _ = dictionary.allValues
        dictionary["new"] = 1
        dictionary.forget()
    }

    private func readTexts(_ box: any OldLockbox) {
        _ = box.string(forKey: "key")
        _ = box.array(forKey: "key")
        _ = box.setForKey("key")
        _ = box.dictionary(forKey: "key")
        _ = box.date(forKey: "key")
    }

    private func put(_ data: Data, _ service: String) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "",
        ]
        let item = query.merging([kSecValueData: data]) { $1 }
        if SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem {
            SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
        }
    }
}

/// The methods of Lockbox version 2, without a warning at each call.
private protocol OldLockbox {
    func string(forKey key: String!) -> String!
    func array(forKey key: String!) -> [Any]!
    func setForKey(_ key: String!) -> Set<AnyHashable>!
    func dictionary(forKey key: String!) -> [AnyHashable: Any]!
    func date(forKey key: String!) -> Date!
}

extension Lockbox: OldLockbox {}

/// An object with a field of each type that JSON supports.
struct Stored: Codable, Sendable {
    var name = "name"
    var number: Int? = 1
    var small: UInt8? = 2
    var real: Double? = 1.5
    var amount: Decimal? = 9.99
    var date: Date? = Date(timeIntervalSinceReferenceDate: 1)
    var data: Data? = Data([1, 2])
    var address: URL? = URL(string: "https://example.com")
    var identifier: UUID? = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var nested: [String: [[Double]]]? = ["a": [[1, 2], []]]
}
