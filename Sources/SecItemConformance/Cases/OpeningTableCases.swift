// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim

extension ConformanceSuite {
    /// Every kind of result, class and limit, with every way to ask or not to ask: data and references open an item,
    /// and nothing else does. A usual run takes a random third of this table on each store.
    static let openingTableCases: [ConformanceCase] = GuardedClass.allCases.map { itemClass in
        ConformanceCase(
            "guardedItem_\(itemClass)_isOpenedByDataAndReferencesAlone", rules: "4.15", "4.16", "5.1", "12.3", "12.4",
            "12.5", "12.6", needs: [.noPassphrase, .speed]
        ) { keychain in
            var random = SeededGenerator(for: "guardedItem_\(itemClass)")
            for flags in [SecAccessControlCreateFlags.userPresence, .applicationPassword] {
                let table = OpeningTable(keychain, itemClass, flags)
                try table.add()
                for kinds in 0..<(1 << OpeningTable.kinds.count) {
                    for isAll in [false, true] {
                        for way in OpeningTable.ways where random.chance(34 * RandomRounds.factor) {
                            try table.look(kinds, isAll, way)
                        }
                    }
                }
            }
        }
    }
}

/// The classes of guarded items. An identity is guarded by its key, with a certificate that is free or guarded too.
private enum GuardedClass: String, CaseIterable {
    case genericPassword, internetPassword, certificate, key, identity, wholeIdentity

    var value: CFString {
        switch self {
        case .genericPassword: kSecClassGenericPassword
        case .internetPassword: kSecClassInternetPassword
        case .certificate: kSecClassCertificate
        case .key: kSecClassKey
        case .identity, .wholeIdentity: kSecClassIdentity
        }
    }
}

/// One guarded item and, added later, one free item, with look-ups of both.
private struct OpeningTable {
    /// How a look-up asks: what the query says, what the context has, and what the person answers.
    struct Way {
        var userInterface: CFString?
        var isForbiddenByOldKey = false
        var context: Context?
        var answer: LAError.Code?

        enum Context: CaseIterable {
            case fresh, notInteractive, proven, provenAndNotInteractive, wrong, invalidated
        }
    }

    static var kinds: [CFString] { [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] }

    static var ways: [Way] {
        let interfaces = [nil, kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip]
        var ways = [Way(isForbiddenByOldKey: true)]
        for interface in interfaces {
            for context in [nil] + Way.Context.allCases.map(Optional.some) {
                ways.append(Way(userInterface: interface, context: context))
                guard interface == nil, [nil, .fresh].contains(context) else { continue }
                for answer in [LAError.Code.userCancel, .authenticationFailed] {
                    ways.append(Way(userInterface: interface, context: context, answer: answer))
                }
            }
        }
        return ways
    }

    private let keychain: ConformanceKeychain
    private let itemClass: GuardedClass
    private let flags: SecAccessControlCreateFlags
    private let person = AskedPerson()

    init(_ keychain: ConformanceKeychain, _ itemClass: GuardedClass, _ flags: SecAccessControlCreateFlags) {
        (self.keychain, self.itemClass, self.flags) = (keychain, itemClass, flags)
    }

    // MARK: Adding

    func add() throws {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
            keychain.delete([kSecClass: itemClass] as CFDictionary)
        }
        let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags)
        let protection: [CFString: Any] = [
            kSecAttrAccessControl: control, kSecUseAuthenticationContext: context(.proven),
        ]
        for (name, more) in [("guarded", protection), ("free", [:])] {
            for (item, isGuarded) in try items(name) {
                let item = isGuarded ? more.reduce(item) { $0.with($1.key, $1.value) } : item
                try expect(keychain.add(item), errSecSuccess, "\(itemClass) \(name)")
            }
        }
        try person.expectQuestions([])
    }

    /// The dictionaries that add one item, and whether access control belongs to them.
    private func items(_ name: String) throws -> [(CFDictionary, Bool)] {
        switch itemClass {
        case .genericPassword, .internetPassword:
            return [
                ([kSecClass: itemClass.value, kSecAttrAccount: name, kSecValueData: secret] as CFDictionary, true)
            ]
        case .certificate:
            return [([kSecValueRef: try newCertificate(name, of: newPrivateKey())] as CFDictionary, true)]
        case .key: return [([kSecValueRef: try newPrivateKey()] as CFDictionary, true)]
        case .identity:
            let (certificate, key) = try halves(of: newIdentity(name))
            return [([kSecValueRef: certificate] as CFDictionary, false), ([kSecValueRef: key] as CFDictionary, true)]
        case .wholeIdentity: return [([kSecValueRef: try newIdentity(name)] as CFDictionary, true)]
        }
    }

    // MARK: Looking up

    private func context(_ kind: Way.Context) -> LAContext {
        let context = LAContext()
        context.localizedReason = person.reason
        context.interactionNotAllowed = [.notInteractive, .provenAndNotInteractive].contains(kind)
        if [.proven, .provenAndNotInteractive, .invalidated].contains(kind) {
            _ = context.noteProof(of: .password)
            context.setCredential(Data("right".utf8), type: .applicationPassword)
        }
        if kind == .wrong { context.setCredential(Data("wrong".utf8), type: .applicationPassword) }
        if kind == .invalidated { context.invalidate() }
        return context
    }

    /// The status and the number of results that such a look-up must have.
    private func expected(_ way: Way, opens: Bool, isAll: Bool) -> (status: OSStatus, count: Int, asks: Bool) {
        let found = (errSecSuccess, isAll ? 2 : 1, false)
        if way.context == .invalidated { return (errSecAuthFailed, 0, false) }
        if !opens || [.proven, .provenAndNotInteractive].contains(way.context) { return found }
        let isPassword = flags == .applicationPassword
        // A password that the application has set is tried, and asks nobody.
        if isPassword, way.context == .wrong { return (errSecAuthFailed, 0, false) }
        if way.userInterface == kSecUseAuthenticationUISkip { return (errSecSuccess, 1, false) }
        let isForbidden =
            way.userInterface == kSecUseAuthenticationUIFail || way.isForbiddenByOldKey
            || way.context == .notInteractive
        // The people of these cases type no password of an item.
        if isForbidden || isPassword { return (errSecInteractionNotAllowed, 0, false) }
        switch way.answer {
        case .userCancel?: return (errSecUserCanceled, 0, true)
        case nil: return (errSecSuccess, isAll ? 2 : 1, true)
        default: return (errSecAuthFailed, 0, true)
        }
    }

    func look(_ kinds: Int, _ isAll: Bool, _ way: Way) throws {
        let names = Self.kinds.enumerated().filter { kinds >> $0.offset & 1 == 1 }.map(\.element)
        var query = [kSecClass: itemClass.value, kSecUseOperationPrompt: person.reason] as CFDictionary
        for name in names { query = query.with(name, true) }
        if isAll { query = query.with(kSecMatchLimit, kSecMatchLimitAll) }
        if let interface = way.userInterface { query = query.with(kSecUseAuthenticationUI, interface) }
        if way.isForbiddenByOldKey { query = query.with(kSecUseNoAuthenticationUI, true) }
        if let context = way.context { query = query.with(kSecUseAuthenticationContext, self.context(context)) }
        let answer = way.answer
        person.answers { _ in if let answer { throw LAError(answer) } }
        let opens = names.contains(kSecReturnData) || names.contains(kSecReturnRef)
        let expected = expected(way, opens: opens, isAll: isAll)
        var result: CFTypeRef?
        let status = keychain.copyMatching(query, &result)
        let what = "\(names) of \(itemClass) under \(flags.rawValue), all: \(isAll), \(way):"
        try expect(status, expected.status, what)
        try person.expectQuestions(expected.asks ? [.passwordOrFinger] : [], what)
        let isPassword = [.genericPassword, .internetPassword].contains(itemClass)
        // A password has no object, so a look-up for it alone has no result.
        let hasResult = !names.isEmpty && !(isPassword && names == [kSecReturnRef])
        let results = (result as? [Any]) ?? result.map { [$0] } ?? []
        try expectEqual(results.count, hasResult ? expected.count : 0, what)
        for result in results {
            // The object is open: its use asks nobody.
            let object = (result as? [String: Any])?[kSecValueRef as String] ?? result
            if let key = try (object as? SecIdentity).map({ try halves(of: $0).key }) ?? (object as? SecKey) {
                try expect(SecKeyCopyExternalRepresentation(key, nil) != nil, "\(what) a closed key")
            }
        }
        try person.expectQuestions([], what)
    }
}
