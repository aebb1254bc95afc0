// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import Synchronization

extension ConformanceSuite {
    /// Rules that also hold when many threads call at the same time.
    static let concurrencyCases: [ConformanceCase] = [
        /// 3.1: If many threads add the same item, exactly one succeeds.
        ConformanceCase("concurrentAdds_ofOneItem_succeedOnce", rules: "3.1") { keychain in
            for round in 0..<10 {
                let statuses = concurrently(8) { thread in
                    keychain.add(
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "item \(round)",
                            kSecValueData: Data("\(thread)".utf8),
                        ] as CFDictionary)
                }
                try expectEqual(statuses.filter { $0 == errSecSuccess }.count, 1, "successes:")
                try expectEqual(statuses.filter { $0 == errSecDuplicateItem }.count, 7, "duplicates:")
            }
            try expectEqual(keychain.items().count, 10)
        },
        /// 3.1: Adds of different items all succeed.
        ConformanceCase("concurrentAdds_ofDifferentItems_allSucceed", rules: "3.1") { keychain in
            let statuses = concurrently(8) { thread in
                (0..<10).map { index in
                    keychain.add(
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(thread)-\(index)",
                            kSecValueData: Data("\(thread)-\(index)".utf8),
                        ] as CFDictionary)
                }
            }
            try expect(statuses.joined().allSatisfy { $0 == errSecSuccess }, "an add failed: \(statuses)")
            let items = try keychain.items()
            try expectEqual(items.count, 80)
            for item in items {
                try expectEqual(
                    (item[kSecValueData as String] as? Data).map { String(decoding: $0, as: UTF8.self) },
                    item[kSecAttrAccount as String] as? String)
            }
        },
        /// 9.1: If many threads delete the same item, exactly one succeeds.
        ConformanceCase("concurrentDeletes_ofOneItem_succeedOnce", rules: "9.1") { keychain in
            for _ in 0..<10 {
                try keychain.addPassword("account")
                let statuses = concurrently(8) { _ in keychain.delete(passwordDictionary()) }
                try expectEqual(statuses.filter { $0 == errSecSuccess }.count, 1, "successes:")
                try expectEqual(statuses.filter { $0 == errSecItemNotFound }.count, 7, "not found:")
            }
        },
        /// 8.7: If many updates set the same primary key, exactly one succeeds.
        ConformanceCase("concurrentUpdates_toOneKey_succeedOnce", rules: "8.7") { keychain in
            for thread in 0..<8 { try keychain.addPassword("\(thread)") }
            let statuses = concurrently(8) { thread in
                keychain.update(
                    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(thread)"] as CFDictionary,
                    [kSecAttrAccount: "one"] as CFDictionary)
            }
            try expectEqual(statuses.filter { $0 == errSecSuccess }.count, 1, "successes:")
            try expectEqual(statuses.filter { $0 == errSecDuplicateItem }.count, 7, "duplicates:")
            try expectEqual(keychain.items().count, 8)
        },
        /// 8.1: A look-up sees either all of an update of attributes and data, or nothing of it.
        ConformanceCase("concurrentReads_duringUpdates_seeWholeItems", rules: "8.1", needs: .isolation) { keychain in
            let first = Data(repeating: 0, count: 1000)
            try keychain.addPassword("account", [kSecAttrLabel: "0", kSecAttrComment: "0", kSecValueData: first])
            let failures = concurrently(4) { thread -> [String] in
                var failures: [String] = []
                for round in 1...40 {
                    if thread == 0 {
                        let byte = UInt8(round)
                        let changes: [CFString: Any] = [
                            kSecAttrLabel: "\(byte)", kSecAttrComment: "\(byte)",
                            kSecValueData: Data(repeating: byte, count: 1000),
                        ]
                        let status = keychain.update(passwordDictionary(), changes as CFDictionary)
                        if status != errSecSuccess { failures.append("update: \(status)") }
                        continue
                    }
                    var result: CFTypeRef?
                    let query = passwordDictionary().with(kSecReturnAttributes, true).with(kSecReturnData, true)
                    let status = keychain.copyMatching(query, &result)
                    let item = result as? [String: Any]
                    let label = item?[kSecAttrLabel as String] as? String
                    let data = item?[kSecValueData as String] as? Data
                    let isWhole =
                        label == item?[kSecAttrComment as String] as? String
                        && data?.count == 1000 && data?.allSatisfy { "\($0)" == label } == true
                    if status != errSecSuccess || !isWhole {
                        failures.append("read: \(status), label \(label ?? "nil")")
                    }
                }
                return failures
            }
            try expectEqual(Array(failures.joined()), [])
        },
        /// 8.1: A look-up of all items sees either all of an update of all items, or nothing of it.
        ConformanceCase("concurrentReads_ofAll_seeAllOrNothingOfAnUpdate", rules: "8.1", needs: .isolation) {
            keychain in
            for account in ["a", "b", "c", "d"] { try keychain.addPassword(account, [kSecAttrLabel: "0"]) }
            let failures = concurrently(3) { thread -> [String] in
                var failures: [String] = []
                for round in 1...30 {
                    if thread == 0 {
                        let status = keychain.update(
                            [kSecClass: kSecClassGenericPassword] as CFDictionary,
                            [kSecAttrLabel: "\(round)"] as CFDictionary)
                        if status != errSecSuccess { failures.append("update: \(status)") }
                        continue
                    }
                    let labels = (try? keychain.items())?.map { $0[kSecAttrLabel as String] as? String } ?? []
                    if labels.count != 4 || Set(labels).count != 1 { failures.append("\(labels)") }
                }
                return failures
            }
            try expectEqual(Array(failures.joined()), [])
        },
        /// All calls at the same time return only possible statuses, and the store works afterwards.
        ConformanceCase("concurrentCalls_ofAllKinds_leaveAWorkingStore", rules: "3.1", "8.1", "9.1") { keychain in
            let possible: Set<OSStatus> = [errSecSuccess, errSecDuplicateItem, errSecItemNotFound]
            let statuses = concurrently(6) { thread in
                (0..<30).map { round in
                    let item =
                        [
                            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "\(round % 3)",
                        ] as CFDictionary
                    return switch (thread + round) % 4 {
                    case 0: keychain.add(item.with(kSecValueData, secret))
                    case 1: keychain.copyMatching(item.with(kSecReturnData, true))
                    case 2: keychain.update(item, [kSecAttrAccount: "\((round + 1) % 3)"] as CFDictionary)
                    default: keychain.delete(item)
                    }
                }
            }
            try expect(Set(statuses.joined()).isSubset(of: possible), "statuses \(Set(statuses.joined()))")
            let accounts = try keychain.accounts()
            try expectEqual(Set(accounts).count, accounts.count, "distinct accounts:")
            try keychain.addPassword("afterwards")
        },
        /// 4.5: A look-up finds an unchanged item and its secret while other items are added and deleted.
        ConformanceCase("lookups_whileOthersComeAndGo_findTheRest", rules: "4.5") { keychain in
            try keychain.addPassword("stays")
            let failures = concurrently(4) { thread -> [String] in
                (0..<30).compactMap { _ in
                    if thread == 0 {
                        let statuses = [
                            keychain.add(passwordDictionary().with(kSecValueData, secret)),
                            keychain.delete(passwordDictionary()),
                        ]
                        return statuses == [errSecSuccess, errSecSuccess] ? nil : "\(statuses)"
                    }
                    let accounts = Result { try keychain.accounts() }
                    return (try? accounts.get().contains("stays")) == true ? nil : "\(accounts)"
                }
            }
            try expectEqual(Array(failures.joined()), [])
        },
        /// 10.4: Applications that run at the same time do not affect each other.
        ConformanceCase("concurrentApplications_stayApart", rules: "10.4", "9.4") { keychain in
            let statuses = concurrently(4) { thread -> [OSStatus] in
                let application = keychain.application("org.example.app\(thread)")
                return (0..<10).flatMap { _ in
                    [
                        application.add(passwordDictionary()),
                        application.delete([kSecClass: kSecClassGenericPassword] as CFDictionary),
                    ]
                }
            }
            try expect(statuses.joined().allSatisfy { $0 == errSecSuccess }, "statuses \(statuses)")
        },
    ]
}

/// Runs the body on that many threads at the same time, each with its number. Returns the results in the order of these
/// numbers.
func concurrently<Result: Sendable>(
    _ threads: Int, _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
    let results = Collected<Result>()
    let group = DispatchGroup()
    for number in 0..<threads {
        group.enter()
        Thread.detachNewThread {
            let result = body(number)
            results.values.withLock { $0[number] = result }
            group.leave()
        }
    }
    group.wait()
    return results.values.withLock { all in (0..<threads).compactMap { all[$0] } }
}

/// The results of the threads, by their numbers.
private final class Collected<Value: Sendable>: Sendable {
    let values = Mutex<[Int: Value]>([:])
}
