// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security
import TestSupport
import Testing

/// The array of a look-up of all items. It makes an element when something first reads it, which callers cannot notice.
@Suite struct ResultArrayTests {
    private static let count = 150

    private let keychain = KeychainCalls(
        store: InMemoryStore(), application: ClientApplication(identifier: "org.example.results"))

    init() throws {
        for number in 0..<Self.count {
            let item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: "\(number)",
                kSecValueData: Data("secret \(number)".utf8),
            ]
            #expect(keychain.add(item as CFDictionary, nil) == errSecSuccess)
        }
    }

    private func all(_ returning: [CFString] = [kSecReturnAttributes, kSecReturnData]) throws -> NSArray {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll]
        for key in returning { query[key] = true }
        var result: CFTypeRef?
        #expect(keychain.copyMatching(query as CFDictionary, &result) == errSecSuccess)
        return try #require(result as? NSArray)
    }

    private static func secret(_ number: Int) -> Data { Data("secret \(number)".utf8) }

    private func expectWhole(_ items: [[String: Any]]?, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(items?.count == Self.count, sourceLocation: sourceLocation)
        for (number, item) in (items ?? []).enumerated() {
            #expect(item[kSecAttrAccount as String] as? String == "\(number)", sourceLocation: sourceLocation)
            #expect(item[kSecValueData as String] as? Data == Self.secret(number), sourceLocation: sourceLocation)
            #expect(item[kSecAttrModificationDate as String] is Date, sourceLocation: sourceLocation)
        }
    }

    @Test func elements_ofEveryCast_areWhole() throws {
        expectWhole(try all() as? [[String: Any]])
        expectWhole(try all() as? [[String: AnyObject]])
        expectWhole((try all() as? [NSDictionary])?.compactMap { $0 as? [String: Any] })
        expectWhole((try all() as? [Any])?.compactMap { $0 as? [String: Any] })
        expectWhole(
            (try all() as? [[AnyHashable: Any]])?.map { item in
                Dictionary(uniqueKeysWithValues: item.compactMap { key, value in (key as? String).map { ($0, value) } })
            })
        expectWhole(try all().compactMap { $0 as? [String: Any] })
        #expect(try all() as? [Data] == nil)
        #expect(try all([kSecReturnData]) as? [Data] == (0..<Self.count).map(Self.secret))
        #expect(
            (try all([kSecReturnPersistentRef]) as? [Data])?.map(\.count) == Array(repeating: 20, count: Self.count))
        #expect(try all([kSecReturnRef]).count == 0)
    }

    /// Every access to an element returns the same object.
    @Test func element_isAlwaysTheSameObject() throws {
        nonisolated(unsafe) let items = try all()
        let seen = Shared([Set<ObjectIdentifier>]())
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var own = Set<ObjectIdentifier>()
            for index in 0..<items.count {
                let position = thread.isMultiple(of: 2) ? index : items.count - 1 - index
                if thread < 4 {
                    own.insert(ObjectIdentifier(items.object(at: position) as AnyObject))
                } else if let address = CFArrayGetValueAtIndex(items, position) {
                    own.insert(ObjectIdentifier(Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()))
                }
            }
            seen.change { $0.append(own) }
        }
        let all = seen.value
        #expect(all.count == 8)
        #expect(all.allSatisfy { $0 == all.first && $0.count == Self.count })
    }

    /// The elements are as they were at the time of the look-up, whenever they are read.
    @Test func elements_lookedAtAfterAChange_areAsTheyWereFound() throws {
        let items = try all()
        let everything = [kSecClass: kSecClassGenericPassword] as CFDictionary
        let changes = [kSecAttrLabel: "new", kSecValueData: Data()] as CFDictionary
        #expect(keychain.update(everything, changes) == errSecSuccess)
        #expect(keychain.delete(everything) == errSecSuccess)
        expectWhole(items as? [[String: Any]])
        #expect((items.firstObject as? NSDictionary)?[kSecAttrLabel] == nil)
    }

    @Test func copies_comparisonsAndArchives_areThoseOfAnArray() throws {
        let items = try all([kSecReturnData])
        #expect(CFGetTypeID(items) == CFArrayGetTypeID())
        #expect(items.copy() as? NSArray === items)
        let mutable = try #require(items.mutableCopy() as? NSMutableArray)
        mutable.removeLastObject()
        #expect(mutable.count == Self.count - 1)
        #expect(items.count == Self.count)
        let same = try all([kSecReturnData])
        #expect(items.isEqual(same))
        #expect(items == same)
        #expect(items.hash == same.hash)
        #expect(!items.isEqual(mutable))
        #expect(NSArray(array: (0..<Self.count).map(Self.secret)).isEqual(items))
        #expect(items.index(of: Self.secret(7)) == 7)
        #expect(items.lastObject as? Data == Self.secret(Self.count - 1))
        #expect(Array(items.reverseObjectEnumerator()).first as? Data == Self.secret(Self.count - 1))
        let archive = try NSKeyedArchiver.archivedData(withRootObject: items, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSData.self], from: archive)
        #expect(read as? [Data] == (0..<Self.count).map(Self.secret))
        let list = try PropertyListSerialization.data(fromPropertyList: items, format: .binary, options: 0)
        let listed = try PropertyListSerialization.propertyList(from: list, options: [], format: nil)
        #expect(listed as? [Data] == (0..<Self.count).map(Self.secret))
        // A description shows no secret.
        #expect(!"\(items)".contains("secret"))
    }
}
