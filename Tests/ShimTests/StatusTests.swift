// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import Security
import Testing

/// The codes, their names and the sentences.
@Suite struct StatusTests {
    static func message(_ status: OSStatus) throws -> String {
        let message: CFString? = SecCopyErrorMessageString(status, nil)
        return try #require(message) as String
    }

    @Test func table_namesEveryStatusOnce() {
        #expect(StatusTable.rows.count == 382)
        #expect(Set(StatusTable.rows.map(\.name)).count == StatusTable.rows.count)
    }

    @Test func constants_someOfEachFamily_haveApplesValues() {
        #expect(errSecSuccess == 0)
        #expect(errSecParam == -50)
        #expect(errSecUserCanceled == -128)
        #expect(errSecMissingEntitlement == -34018)
        #expect(errSecDuplicateItem == -25299)
        #expect(errSecItemNotFound == -25300)
        #expect(errSecInteractionNotAllowed == -25308)
        #expect(errSecDecode == -26275)
        #expect(errSecMissingQualifiedCertStatement == -67904)
    }

    @Test func constants_inASwitch_areUsableAsPatterns() {
        func kind(_ status: OSStatus) -> String {
            switch status {
            case errSecSuccess: "success"
            case errSecItemNotFound, errSecDuplicateItem: "item"
            default: "other"
            }
        }
        #expect(kind(-25299) == "item")
        #expect(kind(-50) == "other")
    }

    @Test func message_everyStatus_isOneSentence() throws {
        for row in StatusTable.rows {
            let message = try Self.message(row.status)
            #expect(message == row.sentence, "\(row.name)")
            #expect(message.hasSuffix("."), "\(row.name)")
            #expect(message.first?.isUppercase == true, "\(row.name)")
            #expect(message.allSatisfy { $0.isASCII }, "\(row.name)")
            #expect(!message.contains("errSec"), "\(row.name)")
            #expect((10...100).contains(message.count), "\(row.name)")
        }
    }

    @Test func message_ofTwoStatuses_differsUnlessTheCodeIsTheSame() {
        for (sentence, rows) in Dictionary(grouping: StatusTable.rows, by: \.sentence) {
            #expect(Set(rows.map(\.status)).count == 1, "\(sentence) \(rows.map(\.name))")
        }
        for (status, rows) in Dictionary(grouping: StatusTable.rows, by: \.status) {
            #expect(Set(rows.map(\.sentence)).count == 1, "\(status)")
        }
    }

    @Test(arguments: [OSStatus(1), -1, -34000, 100_001, .min, .max])
    func message_unknownStatus_givesTheNumber(_ status: OSStatus) throws {
        #expect(try Self.message(status) == "OSStatus \(status)")
    }

    @Test func name_everyStatus_isTheConstants() {
        var seen: Set<OSStatus> = []
        for row in StatusTable.rows where seen.insert(row.status).inserted {
            #expect(statusName(row.status) == row.name)
            #expect(statusDescription(row.status) == "\(row.name) (\(row.status))")
        }
    }

    @Test func name_aliasedStatus_isThePreferredOne() {
        #expect(statusName(errSecDskFull) == "errSecDiskFull")
    }

    @Test func name_unknownStatus_isNil() {
        #expect(statusName(-1) == nil)
        #expect(statusDescription(-1) == "OSStatus -1")
    }
}
