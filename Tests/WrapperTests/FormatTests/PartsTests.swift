// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import FoundationExtras
import Lockbox
import Security
import Testing

extension WrapperTests {
    /// A value is read back with all its parts, or refused.
    @Suite struct PartsTests {
        private let keychain = FXKeychain(service: "com.example.parts", accessGroup: nil)
        private let box: Lockbox = Lockbox(keyPrefix: "com.example.parts")

        @Test func dateComponents_keepAllParts() throws {
            let numbers: [WritableKeyPath<DateComponents, Int?>] = [
                \.era, \.year, \.yearForWeekOfYear, \.quarter, \.month, \.day, \.hour, \.minute, \.second, \.nanosecond,
                \.weekday, \.weekdayOrdinal, \.weekOfMonth, \.weekOfYear, \.dayOfYear,
            ]
            var all = numbers.map { path in
                var components = DateComponents()
                components[keyPath: path] = 77
                return components
            }
            for flag in [true, false] {
                all.append(DateComponents(month: 1))
                all[all.count - 1].isLeapMonth = flag
                all.append(DateComponents(month: 1))
                all[all.count - 1].isRepeatedDay = flag
            }
            all.append(DateComponents(calendar: Calendar(identifier: .hebrew), timeZone: TimeZone(identifier: "GMT")))
            try TestStore.memory.run { (_) throws in
                for components in all {
                    #expect(box.archiveObject(components as NSDateComponents, forKey: "key"), "\(components)")
                    let object = box.unarchiveObject(forKey: "key") as? NSDateComponents
                    let read = try #require(object.map { $0 as DateComponents })
                    for path in numbers { #expect(read[keyPath: path] == components[keyPath: path]) }
                    #expect((read.isLeapMonth ?? false) == (components.isLeapMonth ?? false))
                    #expect(read.isRepeatedDay == components.isRepeatedDay)
                    #expect(read.calendar?.identifier == components.calendar?.identifier)
                    #expect(read.timeZone?.identifier == components.timeZone?.identifier)
                }
            }
        }

        @Test func addressesOfFiles_leadToTheSameFileOrAreRefused() throws {
            try TestStore.memory.run { (_) throws in
                for name in ["/tmp/x", "notes:today.txt", "a b", "%41", "\u{E9}", "../x"] {
                    for base in [nil, URL(fileURLWithPath: "/tmp")] {
                        let url = NSURL(fileURLWithPath: name, relativeTo: base)
                        guard box.archiveObject(url, forKey: "key") else { continue }
                        #expect((box.unarchiveObject(forKey: "key") as? NSURL)?.path == url.path, "\(name)")
                    }
                }
                #expect(box.archiveObject(NSURL(fileURLWithPath: "/tmp/x"), forKey: "key"))
            }
        }

        @Test func classOfAModuleNamedLikeFoundation_isTheApplications() throws {
            try TestStore.memory.run { (_) throws in
                #expect(box.archiveObject(ExtraBadge(number: 5), forKey: "key"))
                #expect((box.unarchiveObject(forKey: "key") as? ExtraBadge)?.number == 5)
            }
        }

        @Test func tooManyValues_areNotTooDeep() throws {
            try TestStore.memory.run { (_) throws in
                #expect(!keychain.setObject(Array(repeating: 1, count: 300_000), forKey: "key"))
                #expect(keychain.lastError?.code == .tooManyValues)
                let deep = (0..<300).reduce(NSArray()) { nested, _ in NSArray(object: nested) }
                #expect(!keychain.setObject(deep, forKey: "key"))
                #expect(keychain.lastError?.code == .nestedTooDeeply)
            }
        }

        /// A range in front of all others moves them. With so many ranges, this would take hours.
        @Test(.timeLimit(.minutes(60)))
        func indexesThatFall_areReadInTime() throws {
            let count = 300_000
            var packed: [UInt8] = []
            for index in (0..<count).reversed() {
                var rest = index * 2
                while rest >= 0x80 {
                    packed.append(UInt8(rest & 0x7F) | 0x80)
                    rest >>= 7
                }
                packed += [UInt8(rest), 1]
            }
            func reference(_ index: Int) -> String { "<dict><key>CF$UID</key><integer>\(index)</integer></dict>" }
            let xml = """
                <plist><dict><key>$top</key><dict><key>key</key>\(reference(1))</dict><key>$objects</key><array>
                <string>$null</string><dict><key>$class</key>\(reference(2))<key>NSRangeCount</key>
                <integer>\(count)</integer><key>NSRangeData</key><data>\(Data(packed).base64EncodedString())</data></dict>
                <dict><key>$classname</key><string>NSIndexSet</string></dict></array></dict></plist>
                """
            try TestStore.memory.run { (_) throws in
                #expect(RawItems.add(Data(xml.utf8), service: "com.example.parts.key") == errSecSuccess)
                #expect((box.unarchiveObject(forKey: "key") as? NSIndexSet)?.count == count)
            }
        }
    }
}
