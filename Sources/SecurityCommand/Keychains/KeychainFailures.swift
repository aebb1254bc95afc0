// SPDX-License-Identifier: Apache-2.0

/// What kept keychains from being looked through, in their order.
struct KeychainFailures {
    private var all: [(name: KeychainName, failure: CommandFailure)] = []

    var first: CommandFailure? { all.first?.failure }

    /// - Returns: Whether it has to be said: the login keychain and the embedded store may be one.
    @discardableResult
    mutating func add(_ failure: CommandFailure, of name: KeychainName) -> Bool {
        let isKnown = name == .embedded && all.contains { $0.failure.message == failure.message }
        if !isKnown { all.append((name, failure)) }
        return !isKnown
    }

    /// Says all of them on standard error.
    func tell() {
        for (name, failure) in all { Self.tell(failure, of: name) }
    }

    /// Says it on standard error.
    static func tell(_ failure: CommandFailure, of name: KeychainName) {
        guard let message = failure.message else { return }
        Console.error("security: \(PrintedBytes.line("\(name.path ?? "login.keychain"): \(message)"))")
    }
}
