import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainCoding
import Lockbox
import Security

/// Bytes of all kinds in an item: whole archives and lists of random objects with bits flipped, cut short, spliced, and
/// bytes without any meaning. None ends the process.
enum RandomBytes {
    static func check(_ rounds: Int, _ generator: inout SeededGenerator) throws {
        let keychain = FXKeychain(service: "com.example.bytes.key", accessGroup: nil)
        let box: Lockbox = Lockbox(keyPrefix: "com.example.bytes")
        let application = LinuxKeychain.applicationIdentifier
        var whole: [Data] = []
        for round in 0..<rounds {
            FXKeychain.usesNSCoding = round.isMultiple(of: 2)
            if round.isMultiple(of: 8) || whole.isEmpty { whole.append(self.whole(&generator)) }
            if whole.count > 50 { whole.removeFirst() }
            let data = changed(whole.randomElement(using: &generator) ?? Data(), whole, &generator)
            put(data, "com.example.bytes.key")
            _ = keychain.object(forKey: "")
            _ = box.unarchiveObject(forKey: "key")
            put(data, "\(Bundle.main.bundleIdentifier ?? application).__KCMutableDictionary__.bytes")
            let dictionary = KCMutableDictionary.dictionary(withName: "bytes")
            _ = dictionary.allValues
            dictionary["new"] = 1
            dictionary.forget()
        }
    }

    /// An archive or a list as it should be.
    private static func whole(_ generator: inout SeededGenerator) -> Data {
        while true {
            let object = RandomObjects.object(depth: 0, &generator)
            switch generator.next() % 4 {
            case 0:
                guard let list = try? PropertyList(object, nulls: .leftOut) else { continue }
                return list.binary
            case 1: return xml(&generator)
            default:
                let key = generator.next() % 2 == 0 ? "key" : "root"
                guard let data = try? KeyedArchive.data(of: object, key: key, classes: .supportingSecureCoding) else {
                    continue
                }
                return data
            }
        }
    }

    private static func xml(_ generator: inout SeededGenerator) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>a</key><string>&lt;&#x41;\(generator.next())</string><key>b</key><array>
            <integer>-5</integer><real>1.5</real><true/><date>2020-01-01T00:00:00Z</date><data>AQID</data><dict/>
            <!-- a comment --><dict><key>CF$UID</key><integer>3</integer></dict></array></dict></plist>
            """.utf8)
    }

    private static func changed(_ data: Data, _ others: [Data], _ generator: inout SeededGenerator) -> Data {
        var bytes = Array(data)
        guard !bytes.isEmpty else { return data }
        switch generator.next() % 6 {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
        case 1:
            let other = others.randomElement(using: &generator) ?? data
            bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)) + other.suffix(64)
        case 2:
            bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if generator.next() % 2 == 0 { bytes = Array("bplist00".utf8) + bytes }
        default:
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                // Most of what tells a reader where to go is at the end.
                let isLate = generator.next() % 2 == 0
                let first = isLate ? max(0, bytes.count - 120) : 0
                let place = Int.random(in: first..<bytes.count, using: &generator)
                bytes[place] =
                    generator.next() % 2 == 0
                    ? bytes[place] ^ (1 << UInt8(generator.next() % 8)) : UInt8.random(in: 0...255, using: &generator)
            }
        }
        return Data(bytes)
    }

    private static func put(_ data: Data, _ service: String) {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "",
        ]
        let item = query.merging([kSecValueData: data]) { $1 }
        if SecItemAdd(item as CFDictionary, nil) == errSecDuplicateItem {
            SecItemUpdate(query as CFDictionary, [kSecValueData: data] as CFDictionary)
        }
    }
}
