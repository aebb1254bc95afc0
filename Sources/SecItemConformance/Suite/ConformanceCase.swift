// SPDX-License-Identifier: Apache-2.0

/// One promise of the keychain, as a function that any store can be put through.
///
/// A case builds its own items on an empty store and says, by throwing a ``ConformanceFailure``, which expectation did
/// not hold.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// The promise: `subject_condition_result`.
    public let name: String
    /// The rules of `docs/compatibility.md` that the case checks, for example `3.1`.
    public let rules: [String]
    /// What a store must be able to do for the case to mean anything.
    public let needs: Needs

    private let body: @Sendable (ConformanceKeychain) throws -> Void

    /// What a case asks of a store beyond the basic contract.
    public struct Needs: OptionSet, Sendable, CustomStringConvertible {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// It can be locked and unlocked (`LockableStore`).
        public static let lock = Needs(rawValue: 1 << 0)
        /// A passphrase protects it (`KeychainStore.isPassphraseProtected`).
        public static let passphrase = Needs(rawValue: 1 << 1)
        /// It has no passphrase.
        public static let noPassphrase = Needs(rawValue: 1 << 2)
        /// Attributes and secrets may hold NUL and be large.
        public static let anyBytes = Needs(rawValue: 1 << 3)
        /// It fails when told to (`InMemoryStore.failNext`).
        public static let faults = Needs(rawValue: 1 << 4)
        /// An item may have secrets beside its data.
        public static let manySecrets = Needs(rawValue: 1 << 5)
        /// A look-up sees all of a change that is made at the same time, or nothing of it.
        public static let isolation = Needs(rawValue: 1 << 6)
        /// It is no slow one: the case repeats a random test with other numbers, and a store that takes milliseconds for
        /// each call does enough with the seeds that do not ask for this.
        public static let speed = Needs(rawValue: 1 << 7)

        private static let names: [(Needs, String)] = [
            (.lock, "a lock"), (.passphrase, "a passphrase"), (.noPassphrase, "no passphrase"),
            (.anyBytes, "any bytes and sizes"), (.faults, "injected faults"),
            (.manySecrets, "several secrets an item"), (.isolation, "isolated look-ups"), (.speed, "speed"),
        ]

        public var description: String {
            Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
        }
    }

    /// A case. The rules are documented, the body throws when an expectation does not hold.
    public init(
        _ name: String,
        rules: String...,
        needs: Needs = [],
        body: @escaping @Sendable (ConformanceKeychain) throws -> Void
    ) {
        self.name = name
        self.rules = rules
        self.needs = needs
        self.body = body
    }

    public var description: String { name }

    /// Puts a store through the case.
    ///
    /// - Parameter keychain: The calls on an empty store.
    /// - Throws: ``ConformanceFailure`` for the first expectation that does not hold.
    public func run(on keychain: ConformanceKeychain) throws {
        try body(keychain)
    }
}

/// An expectation that did not hold.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// What was expected, and what was there instead.
    public let description: String
    /// Where in the suite the expectation stands.
    public let file: StaticString
    public let line: UInt

    init(description: String, file: StaticString, line: UInt) {
        self.description = "\(description) (\(file):\(line))"
        self.file = file
        self.line = line
    }
}
