// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemSQLite
import SecItemSealing
import SecItemStore
import TestSupport
import Testing

@testable import SecItemShim

private let right = "right", wrong = "wrong"
private let asked = TypingPerson.Event.asked(.passphrase)
private let wrongOnce = TypingPerson.Event.told("That passphrase is wrong. Try again.")
private let wrongAtLast = TypingPerson.Event.told("That passphrase is wrong.")

/// The passphrase of a store that a person types: how often it is asked for, and how long a context keeps it.
@Suite struct TypedPassphraseTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder(in: "/dev/shm")
        let protector = PassphraseProtector(sources: [.closure { Secret(Data(right.utf8)) }], cost: .lowest)
        store = try SQLiteStore(
            location: StoreLocation(folder: folder.url.appendingPathComponent("store").path), protector: protector,
            cache: .none, logger: CollectedLog().logger)
        var item = query()
        item[kSecValueData] = Data("note".utf8)
        item[kSecAttrAccessControl] = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlocked, .devicePasscode, nil)
        _ = try calls(TypingPerson()).add(item: item as CFDictionary)
    }

    private func calls(_ person: TypingPerson) -> KeychainCalls {
        KeychainCalls(store: store, application: ClientApplication(identifier: "app"), authenticator: person)
    }

    private func query(_ context: LAContext? = nil) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "note"]
        query[kSecUseAuthenticationContext] = context
        return query
    }

    /// The status of a look-up for the data.
    private func read(_ person: TypingPerson, _ context: LAContext? = nil, skips: Bool = false) -> OSStatus {
        var query = query(context)
        query[kSecReturnData] = true
        if skips { query[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip }
        do {
            let data = try calls(person).copy(matching: query as CFDictionary) as AnyObject? as? Data
            return data == Data("note".utf8) ? errSecSuccess : errSecDecode
        } catch {
            return error.status
        }
    }

    private func change(from old: String, to new: String) throws {
        try store.setPassphrase(Secret(Data(new.utf8)), current: Secret(Data(old.utf8)), cost: .lowest)
    }

    /// Who types a wrong one may type another, as often as one can type a user's or an item's password.
    @Test func wrongPassphrase_mayBeTypedThreeTimes() throws {
        let table: [(answers: [String], status: OSStatus, events: [TypingPerson.Event])] = [
            ([right], errSecSuccess, [asked]),
            ([wrong, right], errSecSuccess, [asked, wrongOnce, asked]),
            (["", right + "\0", right], errSecSuccess, [asked, wrongOnce, asked, wrongOnce, asked]),
            (
                [wrong, wrong, wrong, right], errSecAuthFailed,
                [asked, wrongOnce, asked, wrongOnce, asked, wrongAtLast]
            ),
            ([wrong], errSecUserCanceled, [asked, wrongOnce, asked]),
        ]
        for (answers, status, events) in table {
            for context in [nil, LAContext()] {
                let person = TypingPerson()
                person.answers.change { $0 = answers }
                #expect(read(person, context) == status, "\(answers)")
                #expect(person.events.value == events, "\(answers)")
                // Only a right one is kept.
                #expect((context?.passphrase == nil) == (context == nil || status != errSecSuccess))
            }
        }
    }

    /// A context that keeps what the person typed asks again if the passphrase has changed since, and keeps the new one.
    @Test func changedPassphrase_isAskedForAgain() throws {
        let context = LAContext()
        let first = TypingPerson(right)
        #expect(read(first, context) == errSecSuccess && read(first, context) == errSecSuccess)
        #expect(first.events.value == [asked])
        try change(from: right, to: "new")
        context.interactionNotAllowed = true
        let second = TypingPerson("new")
        #expect(read(second, context) == errSecInteractionNotAllowed && second.events.value.isEmpty)
        context.interactionNotAllowed = false
        #expect(read(second, context) == errSecSuccess && read(second, context) == errSecSuccess)
        #expect(second.events.value == [asked])
    }

    /// A look-up that skips prompts leaves the item out, as soon as the kept passphrase is an old one.
    @Test func changedPassphrase_isSkippedWherePromptsAre() throws {
        let context = LAContext()
        #expect(read(TypingPerson(right), context, skips: true) == errSecItemNotFound)
        #expect(read(TypingPerson(right), context) == errSecSuccess)
        #expect(read(TypingPerson(), context, skips: true) == errSecSuccess)
        try change(from: right, to: "new")
        let person = TypingPerson("new")
        for _ in 0..<2 { #expect(read(person, context, skips: true) == errSecItemNotFound) }
        #expect(person.events.value.isEmpty)
    }

    /// A passphrase that the application has set is not the person's slip.
    @Test func wrongPassphrase_ofTheApplication_asksNobody() throws {
        let context = LAContext()
        context.setCredential(Data(wrong.utf8), type: .devicePasscode)
        let person = TypingPerson(right)
        #expect(read(person, context) == errSecAuthFailed)
        #expect(person.events.value.isEmpty && context.isCredentialSet(.devicePasscode))
    }

    /// Threads that share a context ask once, whatever is typed first.
    @Test(arguments: [0, 1, 2]) func threads_withOneContext_askOnce(_ slips: Int) throws {
        let person = TypingPerson(), context = LAContext()
        person.answers.change { $0 = Array(repeating: wrong, count: slips) + [right] }
        let statuses = Shared<[OSStatus]>([])
        let workers = (0..<8).map { _ in
            Worker {
                let status = read(person, context)
                statuses.change { $0.append(status) }
            }
        }
        for worker in workers { worker.join() }
        #expect(statuses.value == Array(repeating: errSecSuccess, count: 8))
        #expect(person.events.value.filter { $0 == asked }.count == slips + 1)
    }
}
