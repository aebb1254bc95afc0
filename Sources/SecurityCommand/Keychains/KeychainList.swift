// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemShim
import SecItemStore

/// Which keychains a command looks through, where new items go, and when each locks itself.
struct KeychainList: Sendable, Equatable {
    /// The keychains that are looked through, in this order.
    var search: [KeychainName] = [.login, .embedded]
    /// Where new items go.
    var defaultName: KeychainName = .login
    /// When keychains lock themselves, by the names of their folders.
    var limits: [KeychainName: UnlockLimits] = [:]

    /// What a new keychain has on a Mac: it locks itself after five minutes without use, and when the machine sleeps.
    static let limitsOfNew = UnlockLimits(timeout: 300, endsAtSleep: true)

    // MARK: Which keychains

    /// The keychains that the arguments name, else those of the search list.
    ///
    /// - Throws: ``CommandFailure`` when one that is named cannot be opened. One of the list that is no longer there is left
    ///   out.
    static func searched(_ arguments: [String]) throws -> [Keychain] {
        if !arguments.isEmpty { return try arguments.map { try Keychain.open(KeychainName($0)) } }
        return try KeychainListFile.readOfUser().search.compactMap(openIfThere)
    }

    private static func openIfThere(_ name: KeychainName) throws -> Keychain? {
        switch name {
        case .login: try Keychain.login()
        case .embedded: try Keychain.embedded()
        case .folder(let path): KeychainFolder.isKeychain(path) ? try Keychain.open(name) : nil
        }
    }

    /// The names of the keychains that the arguments name, else of those of the search list, for who opens one after another.
    static func names(_ arguments: [String]) throws -> [KeychainName] {
        try arguments.isEmpty
            ? KeychainListFile.readOfUser().search.filter { $0.path.map(KeychainFolder.isKeychain) ?? true }
            : arguments.map { try KeychainName($0) }
    }

    /// The keychain that an argument names, else the default one.
    static func target(_ argument: String?) throws -> Keychain {
        try Keychain.open(name(argument))
    }

    /// The name that an argument is, else that of the default keychain.
    static func name(_ argument: String?) throws -> KeychainName {
        try argument.map(KeychainName.init) ?? KeychainListFile.readOfUser().defaultName
    }

    // MARK: Changes

    /// Takes a keychain out of everything.
    mutating func remove(_ name: KeychainName) {
        search.removeAll { $0 == name }
        if defaultName == name { defaultName = .login }
        limits[name] = nil
    }
}
