// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

extension ConformanceSuite {
    /// Rights that are saved in the keychain, with a key and a secret.
    static let rightCases: [ConformanceCase] = [
        /// 12.7: What the requirement demands opens key and secret, once for all uses until the right is deauthorized.
        ConformanceCase("right_whileAuthorized_opensKeyAndSecret", rules: "12.7") { keychain in
            let person = AskedPerson()
            person.knowsPassphrase = true
            let store = LARightStore(keychain)
            for (number, requirement) in requirements.enumerated() {
                let question = requirement.question(in: keychain)
                let right = LARight(requirement: requirement.value)
                let identifier = "right \(number)"
                let saved = try wait { store.saveRight(right, identifier: identifier, secret: secret, completion: $0) }
                let found = try wait { store.right(forIdentifier: identifier, completion: $0) }
                let bytes = try wait { saved.key.publicKey.exportBytes(completion: $0) }
                try expectEqual(try wait { found.key.publicKey.exportBytes(completion: $0) }, bytes)
                try expectEqual(bytes.count, 65)
                try expectEqual(right.state, .unknown)
                try expectClosed(found)
                for round in 0..<2 {
                    try expectEqual(found.state, round == 0 ? .unknown : .notAuthorized)
                    try person.expectQuestions([])
                    for _ in 0..<2 {
                        try waitDone { found.authorize(localizedReason: person.reason, completion: $0) }
                        try expectEqual(found.state, .authorized)
                        try expectOpen(found, secret)
                    }
                    try person.expectQuestions([question], "\(number)")
                    try expectClosed(saved)
                    try expectEqual(saved.state, .unknown)
                    found.deauthorize {}
                    try expectEqual(found.state, .notAuthorized)
                    try expectClosed(found)
                }
            }
            try person.expectQuestions([])
        },
        /// 12.7: If the person does not give the proof, everything stays closed.
        ConformanceCase("right_refused_opensNothing", rules: "12.7") { keychain in
            let person = AskedPerson()
            person.knowsPassphrase = true
            let store = LARightStore(keychain)
            for (number, requirement) in requirements.enumerated() {
                let right = LARight(requirement: requirement.value)
                let saved = try wait { store.saveRight(right, identifier: "\(number)", secret: secret, completion: $0) }
                for code in [LAError.Code.userCancel, .notInteractive, .authenticationFailed] {
                    person.answers { _ in throw LAError(code) }
                    try expectEqual(
                        failure { saved.authorize(localizedReason: person.reason, completion: $0) }?.code, code.rawValue
                    )
                    try expectEqual(saved.state, .notAuthorized)
                    try expectClosed(saved)
                }
                person.answers { _ in }
                try waitDone { saved.authorize(localizedReason: person.reason, completion: $0) }
                try expectOpen(saved, secret)
                // A refusal closes an open right only after `deauthorize`, because nobody is asked before.
                person.answers { _ in throw LAError(.userCancel) }
                saved.deauthorize {}
                try expectEqual(
                    failure { saved.authorize(localizedReason: person.reason, completion: $0) }?.code,
                    LAError.Code.userCancel.rawValue)
                try expectClosed(saved)
            }
        },
        /// 12.7: In a store that is sealed under a passphrase, a right that a password may authorize needs the passphrase.
        ConformanceCase("right_inASealedStore_needsThePassphrase", rules: "12.7", needs: .passphrase) { keychain in
            let person = AskedPerson()
            let store = LARightStore(keychain)
            guard keychain.store.guardedStore != nil else { return }
            for (number, requirement) in requirements.enumerated() where requirement.takesPassword {
                let right = LARight(requirement: requirement.value)
                let saved = try wait { store.saveRight(right, identifier: "\(number)", secret: secret, completion: $0) }
                try expectEqual(
                    failure { saved.authorize(localizedReason: person.reason, completion: $0) }?.code,
                    LAError.Code.notInteractive.rawValue)
                try expectClosed(saved)
                try person.expectQuestions([])
            }
        },
        /// 12.7: `deauthorize` dismisses an open question.
        ConformanceCase("right_deauthorizedWhileItAsks_isNotAuthorized", rules: "12.7") { keychain in
            let person = AskedPerson()
            person.knowsPassphrase = true
            let store = LARightStore(keychain)
            let saved = try wait { store.saveRight(LARight(), identifier: "x", secret: secret, completion: $0) }
            person.answers { _ in
                try expectEqual(saved.state, .authorizing)
                saved.deauthorize {}
            }
            try expectEqual(
                failure { saved.authorize(localizedReason: person.reason, completion: $0) }?.code,
                LAError.Code.appCancel.rawValue)
            try expectEqual(saved.state, .notAuthorized)
            try expectClosed(saved)
        },
        /// 12.7: Two rights do not see each other.
        ConformanceCase("right_authorized_opensNoOther", rules: "12.7") { keychain in
            let person = AskedPerson()
            person.knowsPassphrase = true
            let store = LARightStore(keychain)
            let one = try wait { store.saveRight(LARight(), identifier: "one", secret: secret, completion: $0) }
            let two = try wait { store.saveRight(LARight(), identifier: "two", secret: otherSecret, completion: $0) }
            try expect(
                try wait { one.key.publicKey.exportBytes(completion: $0) }
                    != wait { two.key.publicKey.exportBytes(completion: $0) }, "the same key")
            try waitDone { one.authorize(localizedReason: person.reason, completion: $0) }
            try expectOpen(one, secret)
            try expectClosed(two)
            try waitDone { store.removeRight(one, completion: $0) }
            try waitDone { two.authorize(localizedReason: person.reason, completion: $0) }
            try expectOpen(two, otherSecret)
        },
        /// 12.7, 12.8: Nothing of a removed right is in the keychain, and an authorized one is closed. Other items stay.
        ConformanceCase("right_removed_leavesNothing", rules: "12.7", "12.8") { keychain in
            let person = AskedPerson()
            person.knowsPassphrase = true
            let store = LARightStore(keychain)
            try keychain.addPassword("own")
            try expect(keychain.add([kSecValueRef: try newPrivateKey(), kSecAttrApplicationTag: "x"] as CFDictionary))
            let before = try keychain.counts()
            let removals: [@Sendable (LAPersistedRight, @escaping @Sendable ((any Error)?) -> Void) -> Void] = [
                { store.removeRight($0, completion: $1) }, { store.removeRight(forIdentifier: "x", completion: $1) },
                { store.removeAllRights(completion: $1) },
            ]
            for remove in removals {
                let saved = try wait { store.saveRight(LARight(), identifier: "x", secret: secret, completion: $0) }
                try waitDone { saved.authorize(localizedReason: person.reason, completion: $0) }
                try expectOpen(saved, secret)
                try waitDone { remove(saved, $0) }
                try expectEqual(try keychain.counts(), before)
                try expectClosed(saved, code: -1019)
                try expectEqual(failure { store.right(forIdentifier: "x", completion: $0) }?.code, -1019)
                // There is nothing to remove.
                try waitDone { remove(saved, $0) }
            }
            try waitDone { store.removeRight(forIdentifier: "never", completion: $0) }
            try expectEqual(try keychain.counts(), before)
        },
        /// 12.8: A right without a secret has a key. An empty secret is a secret.
        ConformanceCase("right_withoutASecret_hasAKey", rules: "12.7", "12.8", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            let store = LARightStore(keychain)
            let bare = try wait { store.saveRight(LARight(), identifier: "bare", completion: $0) }
            let empty = try wait { store.saveRight(LARight(), identifier: "empty", secret: Data(), completion: $0) }
            for right in [bare, empty] {
                try waitDone { right.authorize(localizedReason: person.reason, completion: $0) }
                try expectSigning(right)
            }
            try expectEqual(failure { bare.secret.loadData(completion: $0) }?.code, -1019)
            try expectEqual(try wait { empty.secret.loadData(completion: $0) }, Data())
        },
        /// 12.8: Of several saves under one identifier, one succeeds. The others change nothing.
        ConformanceCase("right_savedTwice_isTheFirst", rules: "12.8") { keychain in
            let person = AskedPerson()
            person.knowsPassphrase = true
            let store = LARightStore(keychain)
            let results = concurrently(4) { number in
                Result {
                    try wait {
                        store.saveRight(LARight(), identifier: "x", secret: Data([UInt8(number)]), completion: $0)
                    }
                }
            }
            let winners = results.indices.filter { (try? results[$0].get()) != nil }
            try expectEqual(winners.count, 1)
            for case .failure(let error) in results { try expectEqual((error as NSError).code, -1008) }
            try expectEqual(failure { store.saveRight(LARight(), identifier: "x", completion: $0) }?.code, -1008)
            try expectEqual(try keychain.counts(), [1, 1])
            let found = try wait { store.right(forIdentifier: "x", completion: $0) }
            try waitDone { found.authorize(localizedReason: person.reason, completion: $0) }
            try expectOpen(found, Data([UInt8(winners[0])]))
        },
        /// 12.8: If the secret cannot be stored, the key does not stay.
        ConformanceCase("right_thatCannotBeStored_leavesNothing", rules: "12.8", needs: .faults) { keychain in
            let store = LARightStore(FullAfterKeys(base: keychain))
            try expectEqual(
                failure { store.saveRight(LARight(), identifier: "x", secret: secret, completion: $0) }?.code,
                Int(errSecDiskFull))
            try expectEqual(try keychain.counts(), [0, 0])
        },
        /// 12.8: If the store does not answer, the error says that, and not that the identifier is taken.
        ConformanceCase("right_inAStoreThatFails_isNotTaken", rules: "12.8", needs: .faults) { keychain in
            let store = LARightStore(keychain)
            (keychain.store as? InMemoryStore)?.failNext(StoreError(.unavailable, "told to"))
            try expectEqual(
                failure { store.saveRight(LARight(), identifier: "x", secret: secret, completion: $0) }?.code,
                Int(errSecNotAvailable))
            try expectEqual(try keychain.counts(), [0, 0])
        },
        /// 12.7: A right that is authorized again on one thread stays open for the others.
        ConformanceCase("right_authorizedAgain_staysOpen", rules: "12.7") { keychain in
            let person = AskedPerson()
            person.knowsPassphrase = true
            let store = LARightStore(keychain)
            let saved = try wait { store.saveRight(LARight(), identifier: "x", secret: secret, completion: $0) }
            try waitDone { saved.authorize(localizedReason: person.reason, completion: $0) }
            let results = concurrently(2) { number in
                Result {
                    for _ in 0..<30 {
                        if number == 0 {
                            try waitDone { saved.authorize(localizedReason: person.reason, completion: $0) }
                        } else {
                            try expectEqual(saved.state, .authorized)
                            try expectEqual(try wait { saved.secret.loadData(completion: $0) }, secret)
                        }
                    }
                }
            }
            for result in results { try result.get() }
        },
        /// 12.7: A right whose items demand no proof, or different ones, is damaged.
        ConformanceCase("right_withAnItemThatDemandsLess_isDamaged", rules: "12.7", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            let store = LARightStore(keychain)
            let weaker = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .devicePasscode)
            for itemClass in [kSecClassGenericPassword, kSecClassKey] {
                for change in [
                    [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly], [kSecAttrAccessControl: weaker],
                ] as [[CFString: Any]] {
                    _ = try wait { store.saveRight(LARight(), identifier: "x", secret: secret, completion: $0) }
                    let query = [kSecClass: itemClass, kSecUseOperationPrompt: person.reason] as CFDictionary
                    try expect(keychain.update(query, change as CFDictionary))
                    try expectEqual(
                        failure { store.right(forIdentifier: "x", completion: $0) }?.code, Int(errSecDecode))
                    try waitDone { store.removeAllRights(completion: $0) }
                }
            }
        },
        /// 12.7: A right whose secret has got another access control since it was found is not authorized.
        ConformanceCase("right_withAReplacedSecret_isNotAuthorized", rules: "12.7", needs: .noPassphrase) { keychain in
            let person = AskedPerson()
            let store = LARightStore(keychain)
            let accessible = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            let changes: [[CFString: Any]] = [
                [kSecAttrAccessible: accessible],
                [kSecAttrAccessControl: try accessControl(accessible, .devicePasscode)],
            ]
            for change in changes {
                let saved = try wait { store.saveRight(LARight(), identifier: "x", secret: secret, completion: $0) }
                let found = try wait { store.right(forIdentifier: "x", completion: $0) }
                let query =
                    [kSecClass: kSecClassGenericPassword, kSecUseOperationPrompt: person.reason] as CFDictionary
                try expect(keychain.update(query, change as CFDictionary))
                for right in [saved, found] {
                    try expectEqual(
                        failure { right.authorize(localizedReason: person.reason, completion: $0) }?.code,
                        Int(errSecDecode))
                    try expectEqual(right.state, .notAuthorized)
                    try expectEqual(
                        failure { right.secret.loadData(completion: $0) }?.code, LAError.Code.notInteractive.rawValue)
                }
                try waitDone { store.removeAllRights(completion: $0) }
            }
        },
        /// 12.7: A right without a reason for the person to read asks nobody, and its state stays.
        ConformanceCase("right_withoutAReason_asksNobody", rules: "12.7") { keychain in
            let store = LARightStore(keychain)
            let saved = try wait { store.saveRight(LARight(), identifier: "x", completion: $0) }
            for reason in ["", " \n"] {
                try expectEqual(failure { saved.authorize(localizedReason: reason, completion: $0) }?.code, -1008)
                try expectEqual(saved.state, .unknown)
            }
        },
    ]

    private struct Requirement: Sendable {
        let value: LAAuthenticationRequirement
        let takesPassword: Bool

        func question(in keychain: ConformanceKeychain) -> AskedPerson.Question {
            guard takesPassword else { return .finger }
            let isSealed = keychain.store.isPassphraseProtected && keychain.store.guardedStore != nil
            return isSealed ? .passphrase : .passwordOrFinger
        }
    }

    private static let requirements = [
        Requirement(value: .default, takesPassword: true), Requirement(value: .biometry, takesPassword: false),
        Requirement(value: .biometryCurrentSet, takesPassword: false),
        Requirement(value: .biometry(fallback: .default), takesPassword: true),
        Requirement(value: .biometry(fallback: .devicePasscode), takesPassword: true),
    ]
}

/// A keychain that stores keys and has no room for passwords.
private struct FullAfterKeys: RightKeychain {
    let base: ConformanceKeychain

    func add(_ attributes: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        (base.store as? InMemoryStore)?.failNext(StoreError(.full, "told to"))
        return base.add(attributes, result)
    }

    func copyMatching(_ query: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        base.copyMatching(query, result)
    }

    func delete(_ query: CFDictionary?) -> OSStatus { base.delete(query) }

    func createRandomKey(_ parameters: CFDictionary) throws -> SecKey { try base.createRandomKey(parameters) }

    func closedKey(_ query: CFDictionary) throws -> SecKey { try base.closedKey(query) }

    var authenticator: any PresenceAuthenticator { base.authenticator }
}

extension ConformanceKeychain: RightKeychain {
    /// Sends each question to the person of its case.
    package var authenticator: any PresenceAuthenticator { AskedPeople() }

    /// How many passwords and how many keys there are.
    fileprivate func counts() throws -> [Int] {
        try [kSecClassGenericPassword, kSecClassKey].map { itemClass in
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
            ]
            let status = copyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return 0 }
            try expect(status)
            return try expectValue(result as? [Any], "items").count
        }
    }
}

// MARK: - Waiting

/// Calls a function with a completion handler, and waits for its result.
private func wait<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let answer = LockedValue<(Value?, (any Error)?)>((nil, nil))
    call { value, error in
        answer.withLock { $0 = (value, error) }
        done.signal()
    }
    done.wait()
    let (value, error) = answer.withLock { $0 }
    if let error { throw error }
    return try expectValue(value, "a result")
}

private func waitDone(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) throws {
    let _: Bool = try wait { handler in call { handler($0 == nil, $0) } }
}

private func failure(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) -> NSError? {
    do {
        try waitDone(call)
        return nil
    } catch {
        return error as NSError
    }
}

private func failure<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
) -> NSError? {
    failure { handler in call { handler($1) } }
}

// MARK: - What a right gives

private let message = Data("message".utf8)
private let signing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
private let encryption = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
private let agreement = SecKeyAlgorithm.ecdhKeyExchangeStandard

private func expectSigning(_ right: LAPersistedRight) throws {
    let signature = try wait { right.key.sign(message, algorithm: signing, completion: $0) }
    let publicKey = right.key.publicKey
    try waitDone { publicKey.verify(message, signature: signature, algorithm: signing, completion: $0) }
    try expect(
        failure { publicKey.verify(Data("x".utf8), signature: signature, algorithm: signing, completion: $0) } != nil,
        "a signature of something else")
}

/// Expects that every use of the right's key and secret works.
private func expectOpen(_ right: LAPersistedRight, _ secret: Data) throws {
    try expectEqual(try wait { right.secret.loadData(completion: $0) }, secret)
    try expectSigning(right)
    let key = right.key
    try expect(
        key.canSign(using: signing) && key.canDecrypt(using: encryption) && key.canExchangeKeys(using: agreement)
            && key.publicKey.canVerify(using: signing) && key.publicKey.canEncrypt(using: encryption)
            && !key.canSign(using: encryption) && !key.publicKey.canEncrypt(using: signing), "algorithms")
    let ciphertext = try wait { key.publicKey.encrypt(message, algorithm: encryption, completion: $0) }
    try expectEqual(try wait { key.decrypt(ciphertext, algorithm: encryption, completion: $0) }, message)
    let other = try newPrivateKey()
    let otherPublic = try expectValue(SecKeyCopyPublicKey(other), "a public key")
    let bytes = try expectValue(SecKeyCopyExternalRepresentation(otherPublic, nil) as Data?, "bytes")
    let ours = try wait { key.exchangeKeys(publicKey: bytes, algorithm: agreement, parameters: [:], completion: $0) }
    let ourBytes = try wait { key.publicKey.exportBytes(completion: $0) }
    let kind: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
    ]
    let ourPublic = try expectValue(
        SecKeyCreateWithData(ourBytes as CFData, kind as CFDictionary, nil), "our public key")
    let theirs = SecKeyCopyKeyExchangeResult(other, agreement, ourPublic, [:] as CFDictionary, nil) as Data?
    try expectEqual(ours, theirs)
}

/// Expects that no use of the right's key and secret works, and that the public key does.
private func expectClosed(_ right: LAPersistedRight, code: Int = LAError.Code.notInteractive.rawValue) throws {
    let key = right.key
    try expectEqual(failure { right.secret.loadData(completion: $0) }?.code, code)
    try expectEqual(failure { key.sign(message, algorithm: signing, completion: $0) }?.code, code)
    let ciphertext = try wait { key.publicKey.encrypt(message, algorithm: encryption, completion: $0) }
    try expectEqual(failure { key.decrypt(ciphertext, algorithm: encryption, completion: $0) }?.code, code)
    let bytes = try wait { key.publicKey.exportBytes(completion: $0) }
    try expectEqual(
        failure { key.exchangeKeys(publicKey: bytes, algorithm: agreement, parameters: [:], completion: $0) }?.code,
        code)
}
