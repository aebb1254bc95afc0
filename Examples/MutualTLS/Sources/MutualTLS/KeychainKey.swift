// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOSSL
import Security

/// A private key in the keychain, with which NIOSSL signs. NIOSSL does not get the key's bytes.
struct KeychainKey: NIOSSLCustomPrivateKey, Hashable {
    private let key: SecKey

    init(_ key: SecKey) {
        self.key = key
    }

    var signatureAlgorithms: [SignatureAlgorithm] {
        Self.algorithms.filter { SecKeyIsAlgorithmSupported(key, .sign, $0.apple) && fits($0.tls) }.map(\.tls)
    }

    /// The algorithms' names in TLS and at Apple.
    private static let algorithms: [(tls: SignatureAlgorithm, apple: SecKeyAlgorithm)] = [
        (.ecdsaSecp256R1Sha256, .ecdsaSignatureMessageX962SHA256),
        (.ecdsaSecp384R1Sha384, .ecdsaSignatureMessageX962SHA384),
        (.ecdsaSecp521R1Sha512, .ecdsaSignatureMessageX962SHA512),
        (.rsaPssRsaeSha256, .rsaSignatureMessagePSSSHA256), (.rsaPssRsaeSha384, .rsaSignatureMessagePSSSHA384),
        (.rsaPssRsaeSha512, .rsaSignatureMessagePSSSHA512),
        (.rsaPkcs1Sha256, .rsaSignatureMessagePKCS1v15SHA256), (.rsaPkcs1Sha384, .rsaSignatureMessagePKCS1v15SHA384),
        (.rsaPkcs1Sha512, .rsaSignatureMessagePKCS1v15SHA512),
    ]

    /// In TLS 1.3, each curve has its own algorithm.
    private func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        let attributes = SecKeyCopyAttributes(key) as? [String: Any]
        let size = attributes?[kSecAttrKeySizeInBits as String] as? Int
        return switch algorithm {
        case .ecdsaSecp256R1Sha256: size == 256
        case .ecdsaSecp384R1Sha384: size == 384
        case .ecdsaSecp521R1Sha512: size == 521
        default: true
        }
    }

    func sign(channel: any Channel, algorithm: SignatureAlgorithm, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        let promise = channel.eventLoop.makePromise(of: ByteBuffer.self)
        // A signature takes time, and the event loop must not wait.
        DispatchQueue.global().async {
            promise.completeWith(Result { try signature(of: data, algorithm) })
        }
        return promise.futureResult
    }

    private func signature(of data: ByteBuffer, _ algorithm: SignatureAlgorithm) throws -> ByteBuffer {
        guard let apple = Self.algorithms.first(where: { $0.tls == algorithm })?.apple else {
            throw KeychainError(status: errSecUnimplemented)
        }
        var error: Unmanaged<CFError>?
        guard
            let signature = SecKeyCreateSignature(key, apple, Data(data.readableBytesView) as CFData, &error) as Data?
        else { throw error.map { $0.takeRetainedValue() } ?? KeychainError(status: errSecInternalError) }
        return ByteBuffer(bytes: signature)
    }

    /// TLS calls this only for a key exchange with RSA, which nobody should use any more.
    func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeFailedFuture(KeychainError(status: errSecUnimplemented))
    }
}
