// SPDX-License-Identifier: Apache-2.0

/// One promise of the keychain, as a function that can test any store.
///
/// A case adds items to an empty store. It throws a ``ConformanceFailure`` for the first expectation that does not
/// hold.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// The name of the promise, in the form `subject_condition_result`.
    public let name: String
    /// The rules of `docs/compatibility.md` that the case checks, for example `3.1`.
    public let rules: [String]
    /// What the store must support. Skip the case for other stores.
    public let needs: Needs

    private let body: @Sendable (ConformanceKeychain) throws -> Void

    /// A requirement of a case beyond the basic contract of a store.
    public struct Needs: OptionSet, Sendable, CustomStringConvertible {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The store can be locked and unlocked (`LockableStore`).
        public static let lock = Needs(rawValue: 1 << 0)
        /// A passphrase protects the store (`KeychainStore.isPassphraseProtected`).
        public static let passphrase = Needs(rawValue: 1 << 1)
        /// No passphrase protects the store.
        public static let noPassphrase = Needs(rawValue: 1 << 2)
        /// Attributes and secrets may hold NUL and be large.
        public static let anyBytes = Needs(rawValue: 1 << 3)
        /// The store fails on request (`InMemoryStore.failNext`).
        public static let faults = Needs(rawValue: 1 << 4)
        /// An item may have further secrets beside its data.
        public static let manySecrets = Needs(rawValue: 1 << 5)
        /// A look-up sees either all of a concurrent change or nothing of it.
        public static let isolation = Needs(rawValue: 1 << 6)
        /// The store is fast. The case repeats a random test with other seeds. For a store that takes milliseconds for
        /// each call, the seeds without this requirement are enough.
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

    /// Makes a case from its name, its rules in the documentation, and a body that throws if an expectation does not
    /// hold.
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

    /// Runs the case on a store.
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
    /// The file of the expectation.
    public let file: StaticString
    /// The line of the expectation.
    public let line: UInt

    init(description: String, file: StaticString, line: UInt) {
        self.description = "\(description) (\(file):\(line))"
        self.file = file
        self.line = line
    }
}
