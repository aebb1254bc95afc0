import Crypto
import Foundation

/// How a signature is made, as read from the identifier of a `SecKeyAlgorithm`.
package struct SignatureScheme: Sendable, Equatable {
    enum Form: Equatable {
        /// RSA, PKCS #1 v1.5.
        case pkcs1
        /// RSA, PSS, with a salt as long as the digest.
        case pss
        /// A curve; r and s in DER.
        case x962
        /// A curve; r and s one after the other.
        case rfc4754
    }

    enum Digest: String {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha384 = "SHA384"
        case sha512 = "SHA512"
    }

    let form: Form
    /// What a message is digested with, or what a given digest was made with; nil for a digest of any kind.
    let digest: Digest?
    /// Whether the caller gives a message, rather than its digest.
    let takesMessage: Bool

    /// - Returns: nil for an algorithm that is no signature or that nothing here can make.
    init?(_ algorithm: SecKeyAlgorithm) {
        let parts = (algorithm.rawValue as String).split(separator: ":").map(String.init)
        guard parts.count >= 4, parts[0] == "algid", parts[1] == "sign" else { return nil }
        let words = parts[3].split(separator: "-").map(String.init)
        guard words.count == 2, let form = Self.forms[parts[2] + " " + words[1]] else { return nil }
        self.form = form
        takesMessage = words[0] == "message"
        digest = parts.count > 4 ? Digest(rawValue: parts[4]) : nil
        let wantsDigest = parts.count > 4 || takesMessage || form == .pkcs1 || form == .pss
        guard !wantsDigest || digest != nil else { return nil }
    }

    private static let forms: [String: Form] = [
        "RSA PKCS1v15": .pkcs1, "RSA PSS": .pss, "ECDSA X962": .x962, "ECDSA RFC4754": .rfc4754,
    ]
}

extension SignatureScheme.Digest {
    var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Digests a message and hands the digest, in its own type, to a generic function.
    func withDigest<R>(of message: Data, _ body: (any Crypto.Digest) throws -> R) rethrows -> R {
        switch self {
        case .sha1: try body(Insecure.SHA1.hash(data: message))
        case .sha256: try body(SHA256.hash(data: message))
        case .sha384: try body(SHA384.hash(data: message))
        case .sha512: try body(SHA512.hash(data: message))
        }
    }
}

/// A digest that the caller made.
struct GivenDigest: Crypto.Digest {
    let bytes: [UInt8]

    /// swift-crypto asks the bytes themselves.
    static var byteCount: Int { 0 }

    var description: String { "\(bytes.count) bytes" }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }

    func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}
