// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import SwiftASN1

// Keys on P-192 and P-224, which swift-crypto lacks and OpenSSL has.

struct SmallCurvePublicKeyMaterial: KeyMaterial {
    fileprivate let curve: CurveParameters
    fileprivate let key: LibcryptoCurveKey

    /// - Throws: `errSecParam` for a point that is not on the curve, `errSecUnimplemented` without OpenSSL.
    init(_ curve: CurveParameters, point: Data) throws(KeychainError) {
        guard Libcrypto.shared != nil else { throw .withoutSmallCurves }
        guard let key = LibcryptoCurveKey(curve, point: point) else { throw .param("a point is not on its curve") }
        self.init(curve, key)
    }

    fileprivate init(_ curve: CurveParameters, _ key: LibcryptoCurveKey) {
        self.curve = curve
        self.key = key
    }

    var type: KeyType { .ellipticCurve }
    var isPrivate: Bool { false }
    var sizeInBits: Int { 8 * curve.coordinateSize }
    var externalRepresentation: Secret { Secret(publicRepresentation) }
    var publicRepresentation: Data { key.point }
    var publicMaterial: any KeyMaterial { self }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary { .libcrypto }

    func isValid(_ signature: Data, of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Bool {
        let (digest, isInDER) = try algorithm.curveDigest(of: input)
        let encoded = isInDER ? signature : CurveSignature.encoded(signature, coordinateSize: curve.coordinateSize)
        return encoded.map { key.isValid([UInt8]($0), of: [UInt8](digest.bytes)) } ?? false
    }

    func encrypted(_ plaintext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        let message = try ECIESMessage(algorithm)
        let ephemeral = try SmallCurvePrivateKeyMaterial(curve)
        return try message.encrypted(
            plaintext, ephemeral.sharedSecret(with: publicRepresentation), ephemeral.publicRepresentation)
    }
}

/// A public and private key on a small curve.
struct SmallCurvePrivateKeyMaterial: KeyMaterial {
    private let curve: CurveParameters
    private let key: LibcryptoCurveKey
    private let number: Secret

    /// Makes a new key: a random number within the range of the curve, whose order is just below a power of two.
    ///
    /// - Throws: `errSecUnimplemented` without OpenSSL.
    init(_ curve: CurveParameters) throws(KeychainError) {
        guard Libcrypto.shared != nil else { throw .withoutSmallCurves }
        for _ in 0..<100 {
            let number = Secret(RandomBytes.bytes(curve.coordinateSize))
            if let key = LibcryptoCurveKey(curve, privateNumber: number) {
                (self.curve, self.key, self.number) = (curve, key, number)
                return
            }
        }
        throw KeychainError(errSecInternalComponent, "OpenSSL could not make a key")
    }

    /// - Throws: `errSecParam` for a number outside the range of the curve, `errSecUnimplemented` without OpenSSL.
    init(_ curve: CurveParameters, privateNumber number: Secret) throws(KeychainError) {
        guard Libcrypto.shared != nil else { throw .withoutSmallCurves }
        guard let key = LibcryptoCurveKey(curve, privateNumber: number) else {
            throw .param("a private key is outside the range of its curve")
        }
        (self.curve, self.key, self.number) = (curve, key, number)
    }

    /// - Parameter bytes: In X9.63: the point, and the private number.
    /// - Throws: As for a number, and `errSecParam` if the two do not belong together.
    init(_ curve: CurveParameters, x963 bytes: UnsafeRawBufferPointer) throws(KeychainError) {
        let size = curve.coordinateSize
        guard bytes.count == 1 + 3 * size else { throw .param("a key has the wrong length") }
        try self.init(
            curve, privateNumber: Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.suffix(size))))
        guard key.point == Data(bytes.dropLast(size)) else {
            throw .param("the halves of a key do not belong together")
        }
    }

    var type: KeyType { .ellipticCurve }
    var isPrivate: Bool { true }
    var sizeInBits: Int { 8 * curve.coordinateSize }
    var externalRepresentation: Secret {
        number.withUnsafeBytes { number in
            Secret(count: key.point.count + number.count) { room in
                room.copyBytes(from: key.point)
                UnsafeMutableRawBufferPointer(rebasing: room.suffix(number.count)).copyBytes(from: number)
            }
        }
    }
    var publicRepresentation: Data { key.point }
    var publicMaterial: any KeyMaterial { SmallCurvePublicKeyMaterial(curve, key) }

    func library(for algorithm: KeyAlgorithm) -> KeyLibrary { .libcrypto }

    func signature(of input: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        let (digest, isInDER) = try algorithm.curveDigest(of: input)
        guard let made = key.signature(of: [UInt8](digest.bytes)),
            let signature = isInDER ? made : CurveSignature.decoded(made, coordinateSize: curve.coordinateSize)
        else { throw .param("X962 signing failed") }
        return signature
    }

    func decrypted(_ ciphertext: Data, _ algorithm: KeyAlgorithm) throws(KeychainError) -> Data {
        try ECIESMessage(algorithm).decrypted(ciphertext, with: self)
    }

    func sharedSecret(with publicKey: Data) throws(KeychainError) -> Secret {
        guard let other = LibcryptoCurveKey(curve, point: publicKey), let secret = key.sharedSecret(with: other) else {
            throw .param("ECpriv sharedsecret: bad public key")
        }
        return secret
    }
}

/// The two forms of a signature on a curve: DER, and r followed by s.
private enum CurveSignature {
    static func encoded(_ signature: Data, coordinateSize: Int) -> Data? {
        guard signature.count == 2 * coordinateSize else { return nil }
        let bytes = try? derBytes { serializer in
            try serializer.sequence { serializer in
                for half in [signature.prefix(coordinateSize), signature.suffix(coordinateSize)] {
                    serializer.appendPrimitiveNode(identifier: .integer) { content in
                        let digits = half.drop { $0 == 0 }
                        if digits.first.map({ $0 >= 0x80 }) ?? true { content.append(0) }
                        content.append(contentsOf: digits)
                    }
                }
            }
        }
        return bytes.map { Data($0) }
    }

    static func decoded(_ signature: Data, coordinateSize: Int) -> Data? {
        var reader = BERReader([UInt8](signature)[...])
        guard var parts = (try? reader.next(BERTag.sequence))?.parts, let r = try? parts.next(BERTag.integer),
            let s = try? parts.next(BERTag.integer)
        else { return nil }
        var result = Data()
        for number in [r, s] {
            let digits = number.content.drop { $0 == 0 }
            guard digits.count <= coordinateSize else { return nil }
            result += Data(count: coordinateSize - digits.count) + digits
        }
        return result
    }
}

extension KeychainError {
    fileprivate static let withoutSmallCurves = KeychainError.unimplemented("P-192 and P-224 need OpenSSL 3")
}
