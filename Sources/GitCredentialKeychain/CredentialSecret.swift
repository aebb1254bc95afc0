// SPDX-License-Identifier: Apache-2.0

/// What of a credential is secret: the password or the ready-made credential, and what goes with it.
///
/// An item's data is the password, followed by a line `key=value` for each of the others, as git writes it on a Mac. A
/// credential that is sent as it is, without a password, has an empty first line and `credential` below.
struct CredentialSecret: Equatable {
    var password: [UInt8]?
    private var lines: [Key: [UInt8]] = [:]

    /// The lines below the password, in the order in which they are written.
    enum Key: String, CaseIterable {
        case authenticationType = "authtype"
        case credential
        case expiry = "password_expiry_utc"
        case refreshToken = "oauth_refresh_token"
    }

    init() {}

    /// - Parameter data: An item's. Lines that mean nothing here are passed over: they are never shown to git, which would
    ///   take them for its own.
    init(data: some Collection<UInt8>) {
        let parts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in parts.dropFirst() {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            take(String(decoding: line[..<equals], as: UTF8.self), Array(line[line.index(after: equals)...]))
        }
        if credential == nil { password = parts.first.map { Array($0) } ?? [] }
    }

    /// Keeps a value of one of the keys above.
    mutating func take(_ key: String, _ value: [UInt8]) {
        if let key = Key(rawValue: key) { lines[key] = value }
    }

    subscript(key: Key) -> [UInt8]? { lines[key] }

    var credential: [UInt8]? { lines[.credential] }

    /// Whether git can use it: a password, or a credential with its type.
    var isComplete: Bool { credential == nil ? password != nil : lines[.authenticationType] != nil }

    /// Whether git before 2.46, and a git that does not say that it knows better, can use it.
    var isPassword: Bool { credential == nil }

    /// What an item keeps.
    var data: [UInt8] {
        (isPassword ? password ?? [] : []) + keptKeys.flatMap { Array("\n\($0.rawValue)=".utf8) + (lines[$0] ?? []) }
    }

    /// The password, and whatever else there is, as lines for git.
    var answer: [UInt8] {
        let first = isPassword ? password.map { Array("password=".utf8) + $0 + [UInt8(ascii: "\n")] } ?? [] : []
        return first
            + keptKeys.flatMap { Array("\($0.rawValue)=".utf8) + (lines[$0] ?? []) + [UInt8(ascii: "\n")] }
    }

    /// A password has no authentication type: git chooses one that the server offers.
    private var keptKeys: [Key] {
        Key.allCases.filter { lines[$0] != nil && !(isPassword && $0 == .authenticationType) }
    }

    /// Seconds since 1970 from which on the password is of no use, nil for never.
    var expiry: UInt64? { lines[.expiry].flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } }

    /// Whether an item with this secret is meant by a request to delete one with the other.
    func matches(_ asked: CredentialSecret) -> Bool {
        (asked.password == nil || asked.password == password)
            && (asked.credential == nil || asked.credential == credential)
    }
}
