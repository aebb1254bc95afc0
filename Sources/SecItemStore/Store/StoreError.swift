// SPDX-License-Identifier: Apache-2.0

/// Why a store could not do what it was asked.
///
/// Made by stores, turned into an `OSStatus` in one place. Neither `message` nor `underlying` may hold a secret.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is. A struct, not an enum: a new kind breaks nobody's code.
    public struct Code: Hashable, Sendable {
        /// A short name for logs.
        public let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// An item with that primary key is there already.
        public static let duplicate = Code("duplicate")
        /// What is needed is locked, and nobody may be asked to unlock it.
        public static let locked = Code("locked")
        /// The person asked said no.
        public static let cancelled = Code("cancelled")
        /// The passphrase is wrong.
        public static let authenticationFailed = Code("authenticationFailed")
        /// The store is not there, or refuses to be used as it is.
        public static let unavailable = Code("unavailable")
        /// What is stored cannot be read back: damaged, or sealed with another key.
        public static let corrupt = Code("corrupt")
        /// The store may be read and not written.
        public static let readOnly = Code("readOnly")
        /// There is no room left.
        public static let full = Code("full")
        /// The secret or an attribute is larger than the store takes.
        public static let tooLarge = Code("tooLarge")
        /// A change means more records than it may (``RecordStep/greatestCount``). Nothing has changed.
        public static let tooMany = Code("tooMany")
        /// A value that this store cannot hold.
        public static let unrepresentable = Code("unrepresentable")
        /// The store cannot do this at all.
        public static let unsupported = Code("unsupported")
        /// Reading or writing failed.
        public static let io = Code("io")
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, for a log.
    public let message: String
    /// The error below, where there was one.
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
