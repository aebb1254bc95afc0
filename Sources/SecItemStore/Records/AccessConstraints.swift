// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The conditions that must be fulfilled before an item's secrets are released: the flags of its access control, and
/// the values needed to check them.
///
/// A record stores them as the attribute ``ItemAttribute/accessControl``, beside the protection class.
public struct AccessConstraints: Hashable, Sendable {
    /// The conditions, with the values of Apple's `SecAccessControlCreateFlags`.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        public static let userPresence = Flags(rawValue: 1 << 0)
        public static let biometryAny = Flags(rawValue: 1 << 1)
        public static let biometryCurrentSet = Flags(rawValue: 1 << 3)
        public static let devicePasscode = Flags(rawValue: 1 << 4)
        public static let companion = Flags(rawValue: 1 << 5)
        public static let or = Flags(rawValue: 1 << 14)
        public static let and = Flags(rawValue: 1 << 15)
        public static let privateKeyUsage = Flags(rawValue: 1 << 30)
        public static let applicationPassword = Flags(rawValue: 1 << 31)

        /// All flags that this version knows.
        public static let known: Flags = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and,
            .privateKeyUsage, .applicationPassword,
        ]

        /// The flags that require a proof. The others say how these combine, or what a key may do.
        public static let proofs: Flags = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .applicationPassword,
        ]
    }

    /// The parameters that derive a key from an application password.
    public struct PasswordDerivation: Hashable, Sendable {
        /// The binary logarithm of scrypt's N.
        public let logarithmOfRounds: UInt8
        /// scrypt's r.
        public let blockSize: UInt8
        /// scrypt's p.
        public let parallelism: UInt8
        /// The salt.
        public let salt: Data

        public init(logarithmOfRounds: UInt8, blockSize: UInt8, parallelism: UInt8, salt: Data) {
            self.logarithmOfRounds = logarithmOfRounds
            self.blockSize = blockSize
            self.parallelism = parallelism
            self.salt = salt
        }
    }

    /// The conditions. Never empty, and never with an unknown flag.
    public let flags: Flags
    /// The digest of the set of enrolled fingers, if the item is bound to one.
    public let biometrySet: Data?
    /// The parameters that derive the key of the application password.
    public let password: PasswordDerivation?
    /// The public half of a guarded private key, as Apple's functions give it. With it, an object can represent the key
    /// without its secret.
    public let publicKey: Data?

    /// Nil if there are no flags, if a flag is unknown, or if a part is too large.
    public init?(
        flags: Flags, biometrySet: Data? = nil, password: PasswordDerivation? = nil, publicKey: Data? = nil
    ) {
        guard !flags.isEmpty, flags.isSubset(of: .known) else { return nil }
        let parts = [biometrySet, password?.salt, publicKey].compactMap { $0 }
        guard parts.allSatisfy({ (1...Self.greatestPartSize).contains($0.count) }) else { return nil }
        self.flags = flags
        self.biometrySet = biometrySet
        self.password = password
        self.publicKey = publicKey
    }

    /// Whether a proof is required before the secrets are released.
    public var needsProof: Bool { !flags.isDisjoint(with: .proofs) }

    /// Whether the passphrase of a store fulfils the conditions, alone or with others. A ``GuardedStore`` seals such
    /// secrets.
    package var takePassphrase: Bool { !flags.isDisjoint(with: [.userPresence, .devicePasscode]) }

    private static let greatestPartSize = 4096
}

// MARK: Encoding: the version, the flags, and parts in the order of their tags, each with its length

extension AccessConstraints {
    private static let version: UInt8 = 1
    private static let headerSize = 5

    fileprivate enum Tag: UInt8 {
        case biometrySet = 1
        case password = 2
        case publicKey = 3
    }

    /// The constraints as bytes. Equal constraints have equal bytes.
    public var encoded: Data {
        var bytes = Data([Self.version])
        withUnsafeBytes(of: flags.rawValue.bigEndian) { bytes.append(contentsOf: $0) }
        if let biometrySet { bytes.append(.biometrySet, biometrySet) }
        if let password {
            bytes.append(
                .password,
                Data([password.logarithmOfRounds, password.blockSize, password.parallelism]) + password.salt)
        }
        if let publicKey { bytes.append(.publicKey, publicKey) }
        return bytes
    }

    /// Reads the bytes that ``encoded`` gives.
    ///
    /// - Returns: Nil for anything else, including the bytes of a later version. Such an item cannot be used.
    public init?(encoded: Data) {
        let bytes = [UInt8](encoded)
        guard bytes.count >= Self.headerSize, bytes[0] == Self.version else { return nil }
        let flags = bytes[1..<Self.headerSize].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var parts: [Tag: Data] = [:]
        var rest = bytes[Self.headerSize...]
        while !rest.isEmpty {
            guard let (tag, part) = Self.nextPart(of: &rest), parts.updateValue(part, forKey: tag) == nil else {
                return nil
            }
        }
        var password: PasswordDerivation?
        if let part = parts[.password] {
            guard let read = PasswordDerivation(part: [UInt8](part)) else { return nil }
            password = read
        }
        self.init(
            flags: Flags(rawValue: flags), biometrySet: parts[.biometrySet], password: password,
            publicKey: parts[.publicKey])
        // There is only one valid encoding, so bytes that would be written differently are refused.
        guard self.encoded == encoded else { return nil }
    }

    private static func nextPart(of rest: inout ArraySlice<UInt8>) -> (Tag, Data)? {
        guard rest.count >= 3, let tag = rest.first.flatMap(Tag.init(rawValue:)) else { return nil }
        let start = rest.startIndex
        let count = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
        let content = rest.dropFirst(3)
        guard content.count >= count else { return nil }
        rest = content.dropFirst(count)
        return (tag, Data(content.prefix(count)))
    }
}

extension AccessConstraints.PasswordDerivation {
    fileprivate init?(part: [UInt8]) {
        guard part.count > 3 else { return nil }
        self.init(
            logarithmOfRounds: part[0], blockSize: part[1], parallelism: part[2], salt: Data(part.dropFirst(3)))
    }
}

extension Data {
    fileprivate mutating func append(_ tag: AccessConstraints.Tag, _ part: Data) {
        append(contentsOf: [tag.rawValue, UInt8(part.count >> 8), UInt8(part.count & 0xff)])
        append(part)
    }
}

// MARK: Of a record

extension ItemRecord {
    /// Whether the item has constraints, readable or not. The record must have its attributes.
    package var isConstrained: Bool { has(.accessControl) }

    /// The conditions that must be fulfilled before the secrets are released; nil if only the protection class
    /// restricts the item. The record must have its attributes.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` if the constraints cannot be read. Such an item counts as damaged, never
    ///   as unrestricted.
    public var constraints: AccessConstraints? {
        get throws(StoreError) {
            guard isConstrained, let value = attributes[.accessControl] else { return nil }
            guard case .data(let bytes) = value, let constraints = AccessConstraints(encoded: bytes) else {
                throw StoreError(.corrupt, "the access control of an item cannot be read")
            }
            return constraints
        }
    }
}
