// SPDX-License-Identifier: Apache-2.0

import SecItemStore
import Testing

@testable import SecItemSelection
@testable import SecItemShim

/// The rules of the automatic choice, for every combination of facts.
@Suite struct StoreRulesTests {
    /// What a choice finds out.
    struct Facts: Sendable {
        var word: String?
        var variable: Bool
        var isTestRun: Bool
        var record: ItemPlace?
        var hasStore: Bool
        var hasItems: Bool
        var answers: Bool

        static let folder = "/home/anna/.local/share/secitem"

        static var all: [Facts] {
            var all: [Facts] = []
            let words = [nil, "", "automatic", "embedded", "secret-service", "postgresql", "memory", "Memory", "gnome"]
            let records: [ItemPlace?] = [
                nil, .secretService, .embedded(folder: folder), .embedded(folder: "/mnt/other"),
            ]
            for word in words {
                for record in records {
                    for bits in 0..<32 where bits & 8 != 0 || bits & 4 == 0 {
                        all.append(
                            Facts(
                                word: word, variable: bits & 1 != 0, isTestRun: bits & 2 != 0, record: record,
                                hasStore: bits & 8 != 0, hasItems: bits & 4 != 0, answers: bits & 16 != 0))
                    }
                }
            }
            return all
        }

        var environment: [String: String] {
            var environment = variable ? ["SECITEM_PROTECTOR": "tpm"] : [:]
            environment["SECITEM_STORE"] = word
            return environment
        }

        /// The store, and the facts that were asked for, in their order.
        func choose() -> (store: StoreRules.Store?, reason: StoreRules.Reason?, asked: [String]) {
            var asked: [String] = []
            do throws(KeychainError) {
                let chosen = try StoreRules(environment: environment, isTestRun: isTestRun).choose(
                    record: { () throws(KeychainError) in
                        asked.append("record")
                        return record
                    },
                    folder: { () throws(KeychainError) in
                        asked.append("folder")
                        return hasStore ? Self.folder : nil
                    },
                    hasItems: { () throws(KeychainError) in
                        asked.append("items")
                        return hasItems
                    },
                    answers: {
                        asked.append("answer")
                        return answers
                    })
                return (chosen.store, chosen.reason, asked)
            } catch {
                #expect(error.status == errSecNotAvailable)
                return (nil, nil, asked)
            }
        }
    }

    /// The rules, in the order of the README.
    private func expected(_ facts: Facts) -> StoreRules.Store? {
        switch facts.word {
        case "embedded": return .embedded
        case "secret-service": return .secretService
        case "postgresql": return .postgreSQL
        case "memory": return .memory
        case nil, "", "automatic": break
        default: return nil
        }
        if facts.variable { return .embedded }
        if facts.isTestRun && facts.word != "automatic" { return .memory }
        switch facts.record {
        case .secretService: return .secretService
        case .embedded(Facts.folder) where facts.hasStore: return .embedded
        default: return facts.hasItems ? .embedded : facts.answers ? .secretService : .embedded
        }
    }

    @Test func everyCombination_givesTheStoreOfTheRules() {
        for facts in Facts.all {
            let (store, _, asked) = facts.choose()
            #expect(store == expected(facts), "\(facts)")
            let order = ["record", "folder", "items", "answer"]
            #expect(asked == order.filter(asked.contains), "\(facts) \(asked)")
        }
    }

    /// The law: items that are recorded in the Secret Service never give way to an embedded store, whatever is there and
    /// whatever answers, and the reverse, as long as the store is there.
    @Test func itemsThatAreRecorded_areNeverLeft_unlessSomebodyAsksForAnotherStore() {
        for facts in Facts.all where [nil, "", "automatic"].contains(facts.word) && !facts.variable {
            let (store, reason, asked) = facts.choose()
            if facts.isTestRun && facts.word != "automatic" { continue }
            switch facts.record {
            case .secretService: #expect(store == .secretService && reason == .items && asked == ["record"], "\(facts)")
            case .embedded(Facts.folder) where facts.hasStore:
                #expect(store == .embedded && reason == .items && asked == ["record", "folder"], "\(facts)")
            default:
                if facts.hasItems { #expect(store == .embedded && reason == .items && !asked.contains("answer")) }
            }
        }
    }
}
