// SPDX-License-Identifier: Apache-2.0

/// The reason why a store operation failed.
///
/// Stores throw it, and one place in the library turns it into an `OSStatus`. Neither `message` nor `underlying` may
/// contain a secret.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. It is a struct, not an enum, so that a new kind does not break existing code.
    public struct Code: Hashable, Sendable {
        /// A short name for logs.
        public let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// An item with that primary key already exists.
        public static let duplicate = Code("duplicate")
        /// The needed item or store is locked, and nobody may be asked to unlock it.
        public static let locked = Code("locked")
        /// The person dismissed the prompt.
        public static let cancelled = Code("cancelled")
        /// The passphrase is wrong.
        public static let authenticationFailed = Code("authenticationFailed")
        /// The store does not exist, cannot be reached, or refuses to work in its present state.
        public static let unavailable = Code("unavailable")
        /// The stored data cannot be read: it is damaged, or sealed with another key.
        public static let corrupt = Code("corrupt")
        /// The store can be read but not written.
        public static let readOnly = Code("readOnly")
        /// There is no room left.
        public static let full = Code("full")
        /// The secret or an attribute is larger than the store accepts.
        public static let tooLarge = Code("tooLarge")
        /// A change matches more records than it may (``RecordStep/greatestCount``). Nothing has changed.
        public static let tooMany = Code("tooMany")
        /// The store cannot hold this value.
        public static let unrepresentable = Code("unrepresentable")
        /// The store does not support this operation.
        public static let unsupported = Code("unsupported")
        /// Reading or writing failed.
        public static let io = Code("io")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a log.
    public let message: String
    /// The underlying error, if there was one.
    public let underlying: (any Error)?

    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    public var description: String {
        let cause = underlying.map { ": \($0)" } ?? ""
        return "\(code.name): \(message)\(cause)"
    }
}
