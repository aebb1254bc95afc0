// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemStore
import TestSupport
import Testing

@testable import SecItemShim

private let right = "right", wrong = "wrong"
private let wrongOnce = TypingPerson.Event.told("That password is wrong. Try again.")
private let wrongAtLast = TypingPerson.Event.told("That password is wrong.")
private let asked = TypingPerson.Event.asked(.applicationPassword)

/// Passwords of items that a person types: how often they are asked for, and what becomes of wrong ones.
@Suite struct TypedPasswordTests {
    private let store = InMemoryStore()

    private func calls(_ person: TypingPerson = TypingPerson()) -> KeychainCalls {
        KeychainCalls(
            store: store, application: ClientApplication(identifier: "app"), authenticator: person,
            passwordCost: .lowest)
    }

    private static func context(_ password: String? = nil) -> LAContext {
        let context = LAContext()
        if let password { context.setCredential(Data(password.utf8), type: .applicationPassword) }
        return context
    }

    private static func control(_ flags: SecAccessControlCreateFlags = .applicationPassword) throws -> SecAccessControl
    {
        try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
    }

    private func query(_ account: String?, _ more: [CFString: Any] = [:]) -> CFDictionary {
        var query = more
        query[kSecClass] = kSecClassGenericPassword
        if let account { query[kSecAttrAccount] = account }
        return query as CFDictionary
    }

    /// Adds an item under a password, whose data is its account.
    private func add(
        _ account: String, _ password: String = right, _ flags: SecAccessControlCreateFlags = .applicationPassword
    ) throws {
        _ = try calls().add(
            item: query(
                account,
                [
                    kSecValueData: Data(account.utf8), kSecAttrAccessControl: try Self.control(flags),
                    kSecUseAuthenticationContext: Self.context(password),
                ]))
    }

    /// The status of a call, and what it gives.
    private func result(_ body: () throws -> Any?) -> (status: OSStatus, value: Any?) {
        do {
            return (errSecSuccess, try body())
        } catch {
            return ((error as? KeychainError)?.status ?? -1, nil)
        }
    }

    private func find(_ account: String?, _ person: TypingPerson, _ more: [CFString: Any] = [:]) -> (OSStatus, [Data]) {
        let query = query(account, more.merging([kSecReturnData: true]) { $1 })
        let found = result { try calls(person).copy(matching: query) }
        return (found.status, found.value as? [Data] ?? (found.value as? Data).map { [$0] } ?? [])
    }

    // MARK: Wrong passwords

    /// For all numbers of wrong passwords before the right one: three tries, each wrong one is told, and a context keeps the
    /// right one only.
    @Test(arguments: 0...4, [false, true])
    func wrongPassword_isAskedForAgain(_ slips: Int, _ hasContext: Bool) throws {
        for change in [false, true] {
            let account = "\(change)"
            try add(account)
            let person = TypingPerson()
            person.answers.change { $0 = Array(repeating: wrong, count: slips) + [right] }
            let context = Self.context()
            let more: [CFString: Any] = hasContext ? [kSecUseAuthenticationContext: context] : [:]
            let status: OSStatus
            if change {
                let update = [kSecValueData: Data(account.utf8)] as CFDictionary
                status = result { try calls(person).update(matching: query(account, more), with: update) }.status
            } else {
                let found = find(account, person, more)
                status = found.0
                #expect(found.1 == (slips < 3 ? [Data(account.utf8)] : []))
            }
            #expect(status == (slips < 3 ? errSecSuccess : errSecAuthFailed))
            let tries = min(slips, 2)
            let rest: [TypingPerson.Event] = slips < 3 ? [asked] : [asked, wrongAtLast]
            #expect(person.events.value == (0..<tries).flatMap { _ in [asked, wrongOnce] } + rest)
            let kept = context.applicationPassword?.data()
            #expect(kept == (hasContext && slips < 3 ? Data(right.utf8) : nil))
        }
    }

    /// A dismissal ends the question.
    @Test func wrongPassword_thenDismissed_isCanceled() throws {
        try add("a")
        let person = TypingPerson(wrong)
        #expect(find("a", person).0 == errSecUserCanceled)
        #expect(person.events.value == [asked, wrongOnce, asked])
    }

    /// A password that the application has set is not the person's slip.
    @Test func wrongPassword_ofTheApplication_asksNobody() throws {
        try add("a")
        let person = TypingPerson(right), context = Self.context(wrong)
        #expect(find("a", person, [kSecUseAuthenticationContext: context]).0 == errSecAuthFailed)
        #expect(person.events.value.isEmpty && context.isCredentialSet(.applicationPassword))
    }

    /// Nor is one that has opened another item.
    @Test func passwordOfAnotherItem_isNotAskedForAgain() throws {
        try add("a")
        try add("b", "other")
        let person = TypingPerson(right, "other")
        #expect(find(nil, person, [kSecMatchLimit: kSecMatchLimitAll]).0 == errSecAuthFailed)
        #expect(person.events.value == [asked])
    }

    /// Who mistypes a password need not prove everything else again.
    @Test func wrongPassword_keepsTheOtherProofs() throws {
        try add("a", right, [.applicationPassword, .userPresence])
        let person = TypingPerson(wrong, wrong, right)
        #expect(find("a", person) == (errSecSuccess, [Data("a".utf8)]))
        #expect(person.events.value.count { if case .proof = $0 { true } else { false } } == 1)
    }

    /// A look-up of a key's object asks as often, and the object asks nobody.
    @Test func wrongPassword_ofAKey_isAskedForAgain() throws {
        let key = try privateKey(TypingPerson(right, right))
        let person = TypingPerson(wrong, right)
        let query =
            [kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true] as CFDictionary
        let found = try #require(try calls(person).copy(matching: query) as AnyObject? as? SecKey)
        #expect(person.events.value == [asked, wrongOnce, asked])
        #expect(SecKeyCopyPublicKey(found) == SecKeyCopyPublicKey(key))
        #expect(
            SecKeyCreateSignature(found, .ecdsaSignatureMessageX962SHA256, Data("m".utf8) as CFData, nil) != nil)
        #expect(person.events.value == [asked, wrongOnce, asked])
    }

    // MARK: Slips

    /// Nothing is sealed under a password that was typed once and has opened nothing, for example because another thread is
    /// about to find it wrong: nobody could open it.
    @Test(arguments: [false, true]) func passwordTypedOnce_sealsNothing(_ isUpdate: Bool) throws {
        let context = Self.context()
        let request = PresenceRequest([], reason: "to open another item")
        _ = try PresenceDialog.applicationPassword(isNew: false, request, for: context, through: TypingPerson(wrong))
        let person = TypingPerson(right, right)
        let use: [CFString: Any] = [kSecUseAuthenticationContext: context]
        let protection: [CFString: Any] = [kSecAttrAccessControl: try Self.control()]
        if isUpdate {
            _ = try calls().add(item: query("a", [kSecValueData: Data("a".utf8)]))
            try calls(person).update(matching: query("a", use), with: protection as CFDictionary)
        } else {
            let new = use.merging(protection) { $1 }.merging([kSecValueData: Data("a".utf8)]) { $1 }
            _ = try calls(person).add(item: query("a", new))
        }
        #expect(person.events.value == [.asked(.newApplicationPassword), .asked(.repeatedApplicationPassword)])
        #expect(find("a", TypingPerson(right)) == (errSecSuccess, [Data("a".utf8)]))
        // The context keeps that one.
        let reader = TypingPerson()
        #expect(find("a", reader, use) == (errSecSuccess, [Data("a".utf8)]))
        #expect(reader.events.value.isEmpty)
    }

    /// One that was typed twice does, or that has opened an item, although it was typed once. Nobody is asked again.
    @Test(arguments: [false, true]) func passwordThatIsNoSlip_seals(_ isNew: Bool) throws {
        try add("opened")
        let context = Self.context()
        let request = PresenceRequest([], reason: "to open another item")
        _ = try PresenceDialog.applicationPassword(
            isNew: isNew, request, for: context, through: TypingPerson(right, right))
        let use: [CFString: Any] = [kSecUseAuthenticationContext: context]
        let person = TypingPerson()
        if !isNew { #expect(find("opened", person, use).0 == errSecSuccess) }
        let protection: [CFString: Any] = [kSecAttrAccessControl: try Self.control(), kSecValueData: Data("a".utf8)]
        _ = try calls(person).add(item: query("a", use.merging(protection) { $1 }))
        #expect(person.events.value.isEmpty)
        #expect(find("a", TypingPerson(right)) == (errSecSuccess, [Data("a".utf8)]))
    }

    /// The password of an item without data has opened nothing, so the first data needs a new one.
    @Test(arguments: [false, true]) func firstData_isUnderAPasswordTypedTwice(_ hasContext: Bool) throws {
        let protection: [CFString: Any] = [kSecAttrAccessControl: try Self.control()]
        _ = try calls(TypingPerson(wrong, wrong)).add(item: query("a", protection))
        let person = TypingPerson(right, right), context = Self.context()
        let more: [CFString: Any] = hasContext ? [kSecUseAuthenticationContext: context] : [:]
        let change = [kSecValueData: Data("a".utf8)] as CFDictionary
        try calls(person).update(matching: query("a", more), with: change)
        #expect(person.events.value == [.asked(.newApplicationPassword), .asked(.repeatedApplicationPassword)])
        #expect(find("a", TypingPerson(right)) == (errSecSuccess, [Data("a".utf8)]))
    }

    // MARK: One question

    private func privateKey(_ person: TypingPerson, context: LAContext? = nil, isPair: Bool = false) throws -> SecKey {
        var own: [CFString: Any] = [kSecAttrAccessControl: try Self.control()]
        if let context { own[kSecUseAuthenticationContext] = context }
        var parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: own,
            kSecAttrIsPermanent: true,
        ]
        if isPair { parameters[kSecPublicKeyAttrs] = [kSecAttrAccessControl: try Self.control()] }
        return try calls(person).makeKeys(parameters as CFDictionary).privateKey
    }

    /// A pair, each half of which is under the password: it is typed once, and once more to repeat it.
    @Test func pair_isUnderOnePassword() throws {
        let person = TypingPerson(right, right, "surplus")
        _ = try privateKey(person, isPair: true)
        #expect(person.events.value == [.asked(.newApplicationPassword), .asked(.repeatedApplicationPassword)])
        let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true]
        let reader = TypingPerson(right)
        let found = try calls(reader).copy(matching: query as CFDictionary) as AnyObject?
        #expect((found as? [Data])?.count == 2 && reader.events.value == [asked])
    }

    /// The context may be among the attributes of the private key, and its permanence among those of the pair.
    @Test func contextOfThePrivateKey_counts() throws {
        let person = TypingPerson(), context = Self.context(right)
        let key = try privateKey(person, context: context)
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true,
            kSecUseAuthenticationContext: context,
        ]
        #expect(try calls(person).copy(matching: query as CFDictionary) as? SecKey == key)
        context.invalidate()
        #expect(result { try calls(person).copy(matching: query as CFDictionary) }.status == errSecAuthFailed)
        #expect(person.events.value.isEmpty)
    }

    private func identity() throws -> SecIdentity {
        let parameters = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary
        let key = try calls().makeKeys(parameters).privateKey
        var made = MadeCertificate()
        made.subject = [.commonName("Anna")]
        let point = try #require(SecKeyCopyPublicKey(key).flatMap { SecKeyCopyExternalRepresentation($0, nil) })
        made.publicKey = point as Data
        let certificate = try #require(SecCertificateCreateWithData(nil, made.data as CFData))
        return try #require(SecIdentityCreate(nil, certificate, key))
    }

    /// An identity: nobody is asked for a new password where both halves are there, or the key is.
    @Test func identity_isUnderOnePassword_andLooksForDuplicatesFirst() throws {
        let identity = try identity()
        let item: [CFString: Any] = [kSecValueRef: identity, kSecAttrAccessControl: try Self.control()]
        let first = TypingPerson(right, right, "surplus")
        _ = try calls(first).add(item: item as CFDictionary)
        #expect(first.events.value == [.asked(.newApplicationPassword), .asked(.repeatedApplicationPassword)])
        let second = TypingPerson(right, right)
        #expect(result { try calls(second).add(item: item as CFDictionary) }.status == errSecDuplicateItem)
        _ = try calls().delete(matching: [kSecClass: kSecClassCertificate] as CFDictionary)
        #expect(result { try calls(second).add(item: item as CFDictionary) }.status == errSecDuplicateItem)
        #expect(second.events.value.isEmpty)
    }

    /// A PKCS #12 file: its key and its certificate.
    @Test func file_isUnderOnePassword() throws {
        let identity = try identity()
        var parameters = SecItemImportExportKeyParameters()
        let passphrase = "secret" as NSString
        parameters.passphrase = .passUnretained(passphrase)
        var file: CFData?
        guard SecItemExport(identity, .formatPKCS12, [], &parameters, &file) == errSecSuccess, let file else { return }
        let person = TypingPerson(right, right, "surplus")
        var items: CFArray?
        let options: [CFString: Any] = [
            kSecImportExportPassphrase: passphrase, kSecAttrAccessControl: try Self.control(),
            kSecUseDataProtectionKeychain: true,
        ]
        #expect(calls(person).importPKCS12(file, options as CFDictionary, &items) == errSecSuccess)
        #expect(person.events.value == [.asked(.newApplicationPassword), .asked(.repeatedApplicationPassword)])
    }

    /// Threads that share a context ask once, whatever is typed first; those that do not ask each.
    @Test(arguments: [0, 1, 2]) func threads_withOneContext_askOnce(_ slips: Int) throws {
        let count = 8
        for number in 0..<count { try add("\(number)") }
        let person = TypingPerson(), context = Self.context()
        person.answers.change { $0 = Array(repeating: wrong, count: slips) + [right] }
        let statuses = Shared<[OSStatus]>([])
        let workers = (0..<count).map { number in
            Worker {
                let (status, _) = find("\(number)", person, [kSecUseAuthenticationContext: context])
                statuses.change { $0.append(status) }
            }
        }
        for worker in workers { worker.join() }
        #expect(statuses.value == Array(repeating: errSecSuccess, count: count))
        #expect(person.events.value.filter { $0 == asked }.count == slips + 1)
    }

    /// No question comes between a new password and its repetition.
    @Test func repetition_followsAtOnce() throws {
        var person = TypingPerson("one", "two", right, right)
        let others = Shared<[Worker]>([])
        let events = person.events
        person.beforeAnswer = {
            guard events.value.last == .asked(.newApplicationPassword) else { return }
            let worker = Worker {
                let request = PresenceRequest(.password, reason: "something else")
                try? PresenceDialog.ask(request, for: nil, through: OtherPerson(events: events))
            }
            others.change { $0.append(worker) }
            // Time for the other question to come by.
            usleep(100_000)
        }
        let item = query("a", [kSecValueData: Data(), kSecAttrAccessControl: try Self.control()])
        _ = try calls(person).add(item: item)
        for worker in others.value { worker.join() }
        let expected: [TypingPerson.Event] = [
            .asked(.newApplicationPassword), .asked(.repeatedApplicationPassword),
            .told("The two passwords differ. Try again."), .asked(.newApplicationPassword),
            .asked(.repeatedApplicationPassword),
        ]
        #expect(Array(events.value.prefix(5)) == expected)
        #expect(events.value.dropFirst(5).allSatisfy { $0 == .proof(PresenceRequest.Methods.password.rawValue) })
    }

    private struct OtherPerson: PresenceAuthenticator {
        let events: Shared<[TypingPerson.Event]>

        func obstacle(to methods: PresenceRequest.Methods) -> PresenceFailure? { nil }

        func authenticate(_ request: PresenceRequest) throws(PresenceFailure) {
            events.change { $0.append(.proof(request.methods.rawValue)) }
        }
    }

    // MARK: New conditions

    /// An update that sets the condition without a context gives the item the password that the person types: first the one
    /// until now, then the new one twice.
    @Test func update_thatSetsTheCondition_setsThePassword() throws {
        try add("a")
        let person = TypingPerson(right, "new", "new")
        let change = [kSecAttrAccessControl: try Self.control()] as CFDictionary
        try calls(person).update(matching: query("a"), with: change)
        #expect(
            person.events.value == [
                asked, .asked(.newApplicationPassword), .asked(.repeatedApplicationPassword),
            ])
        #expect(find("a", TypingPerson("new")) == (errSecSuccess, [Data("a".utf8)]))
        #expect(find("a", TypingPerson(right, right, right)).0 == errSecAuthFailed)
    }

    // MARK: Limits

    /// Damages the seal of an item.
    private func damage(_ account: String) throws {
        let filter = RecordFilter(itemClass: .genericPassword, attributes: [.account: .string(account)])
        let record = try #require(
            try store.records(matching: filter, parts: [.secrets], limit: 1, interaction: .allowed).first)
        var sealed = try #require(record.secrets[.valueData]).data()
        sealed[sealed.count - 1] ^= 1
        let changes = RecordChanges(attributes: [:], secrets: [.valueData: Secret(sealed)])
        _ = try store.update([RecordUpdate(filter, applying: changes)], interaction: .allowed)
    }

    /// For all sets of damaged items and all limits: the first good ones are found, as many as the limit allows.
    @Test func damagedItems_doNotCountForTheLimit() throws {
        let accounts = ["a", "b", "c", "d"]
        for account in accounts { try add(account) }
        var damaged: Set<String> = []
        for account in ["a", "c", "b", "d"] {
            try damage(account)
            damaged.insert(account)
            let good = accounts.filter { !damaged.contains($0) }.map { Data($0.utf8) }
            for limit in 1...5 {
                let context = Self.context(right)
                let more: [CFString: Any] = [kSecMatchLimit: limit, kSecUseAuthenticationContext: context]
                let (status, found) = find(nil, TypingPerson(), more)
                #expect(status == (good.isEmpty ? errSecDecode : errSecSuccess))
                #expect(found == Array(good.prefix(limit)), "\(limit) of \(good.count)")
            }
        }
    }

    /// A person is not asked for items that the limit leaves out.
    @Test func limit_asksForNoMore() throws {
        try add("a")
        try add("b", right, [.applicationPassword, .userPresence])
        let person = TypingPerson(right)
        #expect(find(nil, person, [kSecMatchLimit: 1]) == (errSecSuccess, [Data("a".utf8)]))
        #expect(person.events.value == [asked])
    }

    /// An item that is added while the person is asked counts for the limit of an update.
    @Test func itemAddedDuringTheQuestion_counts() throws {
        for isAdded in [false, true] {
            try add("\(isAdded)")
            var person = TypingPerson(right)
            person.beforeAnswer = { if isAdded { try? add("meanwhile") } }
            let change = [kSecValueData: Data("new".utf8)] as CFDictionary
            let one = query(nil, [kSecMatchLimit: kSecMatchLimitOne])
            let status = result { try calls(person).update(matching: one, with: change) }.status
            #expect(status == (isAdded ? errSecParam : errSecSuccess))
            let context = Self.context(right)
            let all: [CFString: Any] = [kSecMatchLimit: kSecMatchLimitAll, kSecUseAuthenticationContext: context]
            let found = find(nil, TypingPerson(), all)
            #expect(found.1.contains(Data("new".utf8)) == !isAdded)
            try calls().delete(matching: query(nil))
        }
    }
}
