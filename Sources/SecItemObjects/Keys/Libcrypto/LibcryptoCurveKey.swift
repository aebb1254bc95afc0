// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import SwiftASN1

/// A key on a curve in OpenSSL's memory, for the curves that swift-crypto lacks. Any thread may use it, because each
/// operation has a separate context.
final class LibcryptoCurveKey: @unchecked Sendable {
    private let library: Libcrypto
    private let key: Libcrypto.Key
    /// The public half: `04 || X || Y`.
    let point: Data

    private static let algorithm: CInt = 408

    /// The key with that private number, which has as many bytes as a coordinate.
    ///
    /// - Returns: nil without OpenSSL, and for a number outside the range of the curve.
    init?(_ curve: CurveParameters, privateNumber number: Secret) {
        guard let library = Libcrypto.shared else { return nil }
        defer { library.clearErrors() }
        var bytes = number.withUnsafeBytes { number in
            try? derBytes { serializer in
                try serializer.sequence { serializer in
                    try serializer.serialize(1)
                    serializer.octets(number)
                    try serializer.tagged(0) { try $0.serialize(curve.identifier) }
                }
            }
        }
        defer { bytes?.wipe() }
        let key = bytes?.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return library.readPrivateKey(Self.algorithm, nil, &start, buffer.count)
        }
        guard let key = key ?? nil else { return nil }
        guard library.isValid(key, library.checkPrivate), let point = library.point(of: key, curve) else {
            library.freeKey(key)
            return nil
        }
        (self.library, self.key, self.point) = (library, key, point)
    }

    /// The public key at that point, in X9.63 without compression.
    ///
    /// - Returns: nil without OpenSSL, and for a point that is not on the curve.
    init?(_ curve: CurveParameters, point: Data) {
        guard let library = Libcrypto.shared, point.first == 4, point.count == 1 + 2 * curve.coordinateSize else {
            return nil
        }
        defer { library.clearErrors() }
        let bytes = try? derBytes { serializer in
            try serializer.sequence { serializer in
                try serializer.sequence { serializer in
                    try serializer.serialize(ASN1ObjectIdentifier.curveKey)
                    try serializer.serialize(curve.identifier)
                }
                serializer.bits(point)
            }
        }
        let key = bytes?.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return library.readPublicKeyInfo(nil, &start, buffer.count)
        }
        guard let key = key ?? nil else { return nil }
        guard library.isValid(key, library.checkPublic) else {
            library.freeKey(key)
            return nil
        }
        (self.library, self.key, self.point) = (library, key, point)
    }

    deinit {
        library.freeKey(key)
    }

    /// A signature of a digest, in DER.
    func signature(of digest: [UInt8]) -> Data? {
        library.withContext(of: key) { context in
            guard library.beginSigning(context) == 1 else { return nil }
            // A sequence of two numbers, each with a sign.
            var output = [UInt8](repeating: 0, count: 2 * point.count)
            var count = output.count
            guard library.sign(context, &output, &count, digest, digest.count) == 1 else { return nil }
            return Data(output.prefix(count))
        }
    }

    /// - Parameter signature: In DER.
    func isValid(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        library.withContext(of: key) { context in
            guard library.beginVerifying(context) == 1 else { return nil }
            return library.verify(context, signature, signature.count, digest, digest.count) == 1
        } ?? false
    }

    /// The first coordinate of the product with another key's point.
    func sharedSecret(with other: LibcryptoCurveKey) -> Secret? {
        library.withContext(of: key) { context in
            guard library.beginDeriving(context) == 1, library.setPeer(context, other.key) == 1 else { return nil }
            var output = [UInt8](repeating: 0, count: point.count)
            defer { output.wipe() }
            var count = output.count
            guard library.derive(context, &output, &count) == 1 else { return nil }
            return output.prefix(count).withUnsafeBytes { Secret(copying: $0) }
        }
    }
}

extension Libcrypto {
    fileprivate func isValid(_ key: Key, _ check: Begin) -> Bool {
        withContext(of: key) { check($0) == 1 } ?? false
    }

    fileprivate func point(of key: Key, _ curve: CurveParameters) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 1 + 2 * curve.coordinateSize)
        var count = 0
        guard octets(key, "encoded-pub-key", &bytes, bytes.count, &count) == 1, count == bytes.count, bytes[0] == 4
        else {
            return nil
        }
        return Data(bytes)
    }
}
