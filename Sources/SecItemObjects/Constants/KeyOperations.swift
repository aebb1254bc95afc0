// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// What keys do, how blocks are padded, and how long keys are.

/// An operation a key may be asked to support.
public enum SecKeyOperationType: CFIndex, Sendable {
    /// Make a signature.
    case sign = 0

    /// Verify a signature.
    case verify = 1

    /// Encrypt.
    case encrypt = 2

    /// Decrypt.
    case decrypt = 3

    /// Agree on a secret with the holder of another key.
    case keyExchange = 4
}

/// Whether the use of a key in a macOS file keychain may ask the user. Deprecated by Apple.
public enum SecCredentialType: UInt32, Sendable {
    /// As the system is set up.
    case `default` = 0

    /// The user may be asked.
    case withUI = 1

    /// The user is not asked.
    case noUI = 2
}

/// The padding of the older functions on RSA keys. Deprecated by Apple in favour of `SecKeyAlgorithm`.
public struct SecPadding: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Makes a set of flags of its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// No flag at all. As on Apple's platforms it is spelt `[]` in Swift.
    @available(*, unavailable, message: "use [] to construct an empty option set")
    public static var none: SecPadding { [] }

    /// PKCS #1 v1.5.
    public static let PKCS1 = SecPadding(rawValue: 1 << 0)

    /// OAEP.
    public static let OAEP = SecPadding(rawValue: 1 << 1)

    /// A signature of plain numbers instead of DER.
    public static let sigRaw = SecPadding(rawValue: 1 << 14)

    /// PKCS #1 v1.5 over a digest of MD2.
    public static let PKCS1MD2 = SecPadding(rawValue: 1 << 15)

    /// PKCS #1 v1.5 over a digest of MD5.
    public static let PKCS1MD5 = SecPadding(rawValue: 0x8001)

    /// PKCS #1 v1.5 over a digest of SHA-1.
    public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)

    /// PKCS #1 v1.5 over a digest of SHA-224.
    public static let PKCS1SHA224 = SecPadding(rawValue: 0x8003)

    /// PKCS #1 v1.5 over a digest of SHA-256.
    public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)

    /// PKCS #1 v1.5 over a digest of SHA-384.
    public static let PKCS1SHA384 = SecPadding(rawValue: 0x8005)

    /// PKCS #1 v1.5 over a digest of SHA-512.
    public static let PKCS1SHA512 = SecPadding(rawValue: 0x8006)
}

/// Common sizes of keys in bits. Deprecated by Apple.
public enum SecKeySizes: UInt32, Sendable {
    /// The size a key type has by default.
    case secDefaultKeySize = 0

    /// Triple DES.
    case sec3DES192 = 192

    /// AES with 128 bits.
    case secAES128 = 128

    /// AES with 256 bits.
    case secAES256 = 256

    /// The curve P-384.
    case secp384r1 = 384

    /// The curve P-521.
    case secp521r1 = 521

    /// The smallest RSA key.
    case secRSAMin = 1024

    /// The largest RSA key.
    case secRSAMax = 4096

    /// AES with 192 bits.
    public static var secAES192: SecKeySizes { .sec3DES192 }

    /// The curve P-192.
    public static var secp192r1: SecKeySizes { .sec3DES192 }

    /// The curve P-256.
    public static var secp256r1: SecKeySizes { .secAES256 }
}
