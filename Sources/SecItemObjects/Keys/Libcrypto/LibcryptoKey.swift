// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// An RSA key in OpenSSL's memory. Any thread may use it, because each operation has a separate context.
final class LibcryptoKey: @unchecked Sendable {
    private let library: Libcrypto
    private let key: Libcrypto.Key
    private let blockSize: Int

    /// Reads PKCS #1 in DER.
    ///
    /// - Returns: nil without OpenSSL, or if OpenSSL refuses the key.
    init?(pkcs1 bytes: Secret, isPrivate: Bool, blockSize: Int) {
        guard let library = Libcrypto.shared else { return nil }
        let read = isPrivate ? library.readPrivateKey : library.readPublicKey
        let rsa: CInt = 6
        let key = bytes.withUnsafeBytes { buffer in
            var start = buffer.bindMemory(to: UInt8.self).baseAddress
            return read(rsa, nil, &start, buffer.count)
        }
        guard let key else {
            library.clearErrors()
            return nil
        }
        self.library = library
        self.key = key
        self.blockSize = blockSize
    }

    deinit {
        library.freeKey(key)
    }

    /// - Returns: nil if the input is wrong, as for all operations here.
    func signature(of input: Data, _ padding: RSASignaturePadding, _ digest: KeyDigest?) -> Data? {
        transformed(input, library.beginSigning, library.sign) { prepare($0, padding, digest) }
    }

    func isValid(_ signature: Data, of input: Data, _ padding: RSASignaturePadding, _ digest: KeyDigest?) -> Bool {
        library.withContext(of: key) { context in
            guard library.beginVerifying(context) == 1, prepare(context, padding, digest) else { return false }
            return signature.withBytes { signature in
                input.withBytes { input in
                    library.verify(context, signature.baseAddress, signature.count, input.baseAddress, input.count) == 1
                }
            }
        } ?? false
    }

    /// Reverses a raw signature: gives the whole block.
    func recovered(_ signature: Data) -> Data? {
        transformed(signature, library.beginRecovering, library.recover) { prepare($0, RSASignaturePadding.raw, nil) }
    }

    func encrypted(_ plaintext: Data, _ padding: RSAEncryptionPadding, _ digest: KeyDigest?) -> Data? {
        transformed(plaintext, library.beginEncrypting, library.encrypt) { prepare($0, padding, digest) }
    }

    func decrypted(_ ciphertext: Data, _ padding: RSAEncryptionPadding, _ digest: KeyDigest?) -> Data? {
        transformed(ciphertext, library.beginDecrypting, library.decrypt) { prepare($0, padding, digest) }
    }

    // MARK: - Contexts

    private enum PaddingNumber {
        static let pkcs1: CInt = 1
        static let none: CInt = 3
        static let oaep: CInt = 4
        static let pss: CInt = 6
    }

    private func prepare(_ context: Libcrypto.Context, _ padding: RSASignaturePadding, _ digest: KeyDigest?) -> Bool {
        let number =
            switch padding {
            case .raw: PaddingNumber.none
            case .pkcs1: PaddingNumber.pkcs1
            case .pss: PaddingNumber.pss
            }
        guard library.setPadding(context, number) == 1 else { return false }
        guard let digest else { return true }
        guard library.setSignatureDigest(context, library.algorithm(digest)) == 1 else { return false }
        // Minus one means as long as the digest.
        return padding != .pss || library.setSaltLength(context, -1) == 1
    }

    private func prepare(_ context: Libcrypto.Context, _ padding: RSAEncryptionPadding, _ digest: KeyDigest?) -> Bool {
        let number =
            switch padding {
            case .raw: PaddingNumber.none
            case .pkcs1: PaddingNumber.pkcs1
            case .oaep: PaddingNumber.oaep
            }
        guard library.setPadding(context, number) == 1 else { return false }
        guard let digest else { return true }
        return library.setOAEPDigest(context, library.algorithm(digest)) == 1
    }

    private func transformed(
        _ input: Data, _ begin: Libcrypto.Begin, _ transform: Libcrypto.Transform,
        _ prepare: (Libcrypto.Context) -> Bool
    ) -> Data? {
        library.withContext(of: key) { context in
            guard begin(context) == 1, prepare(context) else { return nil }
            var output = [UInt8](repeating: 0, count: blockSize)
            defer {
                output.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
            }
            var count = output.count
            let status = input.withBytes { transform(context, &output, &count, $0.baseAddress, $0.count) }
            return status == 1 ? Data(output.prefix(count)) : nil
        }
    }
}

extension Data {
    fileprivate func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        withUnsafeBytes { body($0.bindMemory(to: UInt8.self)) }
    }
}
