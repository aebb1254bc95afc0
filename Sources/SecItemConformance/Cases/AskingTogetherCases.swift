// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Questions from many threads at once.
    static let askingTogetherCases: [ConformanceCase] = [
        /// 12.4: If several threads ask for the same proof with the same reason, the person is asked once, and the
        /// answer applies to all of them.
        ConformanceCase("askingTogether_underTheSameWords_sharesTheAnswer", rules: "12.4", needs: .noPassphrase) {
            keychain in
            let person = AskedPerson()
            try keychain.addItemsForThreads()
            let begun = LockedValue(0)
            person.answers { _ in
                // Gives the other threads time to join. A thread that comes later starts another question.
                while begun.withLock({ $0 }) < Self.threads { usleep(1_000) }
                usleep(300_000)
            }
            let found = concurrently(Self.threads) { number in
                begun.withLock { $0 += 1 }
                return keychain.dataOfItem(number, [kSecUseOperationPrompt: person.reason])
            }
            try expectEqual(found, Array(repeating: secret, count: Self.threads))
            let count = person.questions().count
            try expect((1..<Self.threads).contains(count), "\(count) questions")
        },
        /// 12.4: A refusal applies to all threads too.
        ConformanceCase("askingTogether_refused_opensNothing", rules: "12.4", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            try keychain.addItemsForThreads()
            person.answers { _ in throw LAError(.userCancel) }
            let found = concurrently(Self.threads) { number in
                keychain.dataOfItem(number, [kSecUseOperationPrompt: person.reason])
            }
            try expectEqual(found, Array(repeating: nil, count: Self.threads))
        },
        /// 12.4: A thread with another reason asks a question of its own.
        ConformanceCase("askingTogether_underOtherWords_asksEach", rules: "12.4", needs: .noPassphrase) { keychain in
            try keychain.addItemsForThreads()
            let people = (0..<Self.threads).map { _ in AskedPerson() }
            people[0].answers { _ in throw LAError(.userCancel) }
            let found = concurrently(Self.threads) { number in
                keychain.dataOfItem(number, [kSecUseOperationPrompt: people[number].reason])
            }
            try expectEqual(found, [nil] + Array(repeating: secret, count: Self.threads - 1))
            for person in people { try person.expectQuestions([.passwordOrFinger]) }
        },
        /// 12.5: Threads that share a context ask once, whenever they call.
        ConformanceCase("askingTogether_withOneContext_asksOnce", rules: "12.4", "12.5", needs: .noPassphrase) {
            keychain in
            try keychain.addItemsForThreads()
            for _ in 0..<5 {
                let person = AskedPerson()
                let context = LAContext()
                context.localizedReason = person.reason
                let found = concurrently(Self.threads) { number in
                    keychain.dataOfItem(number, [kSecUseAuthenticationContext: context])
                }
                try expectEqual(found, Array(repeating: secret, count: Self.threads))
                try person.expectQuestions([.passwordOrFinger])
            }
        },
    ]

    fileprivate static let threads = 8
}

extension ConformanceKeychain {
    fileprivate func addItemsForThreads() throws {
        for number in 0..<ConformanceSuite.threads {
            try add(GuardedItem(kSecClassGenericPassword, "\(number)", .userPresence))
        }
    }

    /// The data of one of these items, or nil if the call fails.
    fileprivate func dataOfItem(_ number: Int, _ more: KeyValuePairs<CFString, any Sendable>) -> Data? {
        var query = GuardedItem(kSecClassGenericPassword, "\(number)", .userPresence).query.with(kSecReturnData, true)
        for (key, value) in more { query = query.with(key, value) }
        var result: CFTypeRef?
        return copyMatching(query, &result) == errSecSuccess ? result as? Data : nil
    }
}
