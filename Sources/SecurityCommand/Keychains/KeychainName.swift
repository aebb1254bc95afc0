// SPDX-License-Identifier: Apache-2.0

import SecItemMaintenance
import SecItemShim

/// Which keychain is meant.
enum KeychainName: Sendable {
    /// The store that programs use.
    case login
    /// The user's embedded store, where the login keychain is another: some programs may have their items there.
    case embedded
    /// The embedded store in that folder.
    case folder(String)

    private static let loginNames: Set = ["login", "login.keychain", "login.keychain-db"]

    /// The keychain that an argument names. It need not exist.
    ///
    /// - Throws: ``CommandFailure`` for what is no name.
    init(_ argument: String) throws {
        // `~/Library/Keychains/login.keychain-db`, as scripts write it, unless somebody made a keychain of that name. Elsewhere,
        // the name alone means nothing: a keychain that is not there yet, or not any more, is not the login keychain.
        let isLoginName = FolderPath.components(of: argument).last.map(Self.loginNames.contains) ?? false
        let mayBeLogin = try isLoginName && KeychainFolder.isAmongUsers(argument)
        let path: String
        do { path = try KeychainFolder.path(argument) } catch {
            // Without a folder for data, a bare name is that of a keychain that programs use, or none.
            guard let name = try mayBeLogin ? .login : Self.ofPrograms(argument) else { throw error }
            self = name
            return
        }
        if mayBeLogin && !KeychainFolder.isKeychain(path) {
            self = .login
        } else if KeychainFolder.isKeychain(path) {
            // A store that programs use may be in a folder that is called so, too.
            self = try KeychainFolder.isOfPrograms(path) ? Self.ofPrograms(path) ?? .folder(path) : .folder(path)
        } else {
            self = try Self.ofPrograms(argument) ?? .folder(path)
        }
    }

    /// The keychain that the command calls so, or that is in that folder, of those that programs use.
    private static func ofPrograms(_ argument: String) throws -> KeychainName? {
        func isMeant(_ name: String) -> Bool {
            name.utf8.elementsEqual(argument.utf8) || KeychainFolder.isSame(name, argument)
        }
        let login = Result { try Keychain.login() }
        if case .success(let login) = login, isMeant(login.name) { return .login }
        if let embedded = try Keychain.embedded(), isMeant(embedded.name) { return .embedded }
        // Whether it was meant is not known.
        _ = try login.get()
        return nil
    }
}

/// Two paths are the same only byte by byte: for the system, the two spellings of `é` are two folders.
extension KeychainName: Hashable {
    static func == (one: KeychainName, other: KeychainName) -> Bool {
        switch (one, other) {
        case (.login, .login), (.embedded, .embedded): true
        case (.folder(let path), .folder(let other)): path.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .login: hasher.combine(0)
        case .embedded: hasher.combine(1)
        case .folder(let path): hasher.combine(Array(path.utf8))
        }
    }
}
