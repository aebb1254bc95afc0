// SPDX-License-Identifier: Apache-2.0

/// The secret part of a credential: a password, or a ready-made credential, with related values.
///
/// The data of an item is the password, followed by a line `key=value` for each other value, as git writes it on a Mac.
/// A credential without a password has an empty first line, and `credential` in a later one.
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

    /// - Parameter data: The data of an item. Lines with unknown keys are ignored and never sent to git, which would
    ///   interpret them.
    init(data: some Collection<UInt8>) {
        let parts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in parts.dropFirst() {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            take(String(decoding: line[..<equals], as: UTF8.self), Array(line[line.index(after: equals)...]))
        }
        if credential == nil { password = parts.first.map { Array($0) } ?? [] }
    }

    /// Sets a value, if it has one of the keys above.
    mutating func take(_ key: String, _ value: [UInt8]) {
        if let key = Key(rawValue: key) { lines[key] = value }
    }

    subscript(key: Key) -> [UInt8]? { lines[key] }

    var credential: [UInt8]? { lines[.credential] }

    /// Whether git can use it: it has a password, or a credential with its type.
    var isComplete: Bool { credential == nil ? password != nil : lines[.authenticationType] != nil }

    /// Whether it is a password, which every version of git can use. Other credentials need git 2.46 and its capability
    /// `authtype`.
    var isPassword: Bool { credential == nil }

    /// The data of an item for this secret.
    var data: [UInt8] {
        (isPassword ? password ?? [] : []) + keptKeys.flatMap { Array("\n\($0.rawValue)=".utf8) + (lines[$0] ?? []) }
    }

    /// The password and all other values, as lines for git.
    var answer: [UInt8] {
        let first = isPassword ? password.map { Array("password=".utf8) + $0 + [UInt8(ascii: "\n")] } ?? [] : []
        return first
            + keptKeys.flatMap { Array("\($0.rawValue)=".utf8) + (lines[$0] ?? []) + [UInt8(ascii: "\n")] }
    }

    /// A password is stored without an authentication type, because git chooses one that the server offers.
    private var keptKeys: [Key] {
        Key.allCases.filter { lines[$0] != nil && !(isPassword && $0 == .authenticationType) }
    }

    /// The time from which the password is invalid, in seconds since 1970; nil if it never expires.
    var expiry: UInt64? { lines[.expiry].flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } }

    /// Whether a request to erase credentials with `asked` includes this one.
    func matches(_ asked: CredentialSecret) -> Bool {
        (asked.password == nil || asked.password == password)
            && (asked.credential == nil || asked.credential == credential)
    }
}
