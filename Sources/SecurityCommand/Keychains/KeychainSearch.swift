// SPDX-License-Identifier: Apache-2.0

import SecItemShim

/// Looks through keychains one after another: those that the arguments name, else those of the search list.
///
/// One that cannot be looked through, as it is damaged or locked, keeps no other from being looked through. It is said on
/// standard error, once.
struct KeychainSearch {
    private let names: [KeychainName]
    private var failures = KeychainFailures()

    /// - Throws: ``CommandFailure`` when the list cannot be read, or an argument is no name.
    init(_ arguments: [String]) throws {
        names = try KeychainList.names(arguments)
    }

    /// The first failure, to be thrown after it was said: it gives the exit status and no second message.
    var failure: CommandFailure? {
        failures.first.map { CommandFailure(nil, exit: $0.exitStatus) }
    }

    /// Runs `body` with each keychain.
    ///
    /// - Throws: What is no ``CommandFailure``. Those are said, and ``failure`` tells of them.
    mutating func forEach(_ body: (Keychain) throws -> Void) throws {
        for name in names {
            do {
                guard let keychain = try Keychain.openIfAny(name) else { continue }
                try body(keychain)
            } catch let failure as CommandFailure {
                tell(failure, of: name)
            }
        }
    }

    /// What `body` finds in the keychains, in their order.
    mutating func all<Found>(_ body: (Keychain) throws -> [Found]) throws -> [Found] {
        var all: [Found] = []
        try forEach { all += try body($0) }
        return all
    }

    /// What `body` finds in the keychains, in their order.
    ///
    /// - Throws: ``failure`` when nothing was found and one of them could not be looked through.
    static func found<Found>(in arguments: [String], _ body: (Keychain) throws -> [Found]) throws -> [Found] {
        var search = try KeychainSearch(arguments)
        let found = try search.all(body)
        if found.isEmpty, let failure = search.failure { throw failure }
        return found
    }

    private mutating func tell(_ failure: CommandFailure, of name: KeychainName) {
        if failures.add(failure, of: name) { KeychainFailures.tell(failure, of: name) }
    }
}
