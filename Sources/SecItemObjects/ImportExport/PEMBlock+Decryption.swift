// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension PEMBlock {
    /// Reads an encrypted key in its traditional form.
    ///
    /// - Throws: `errSecAuthFailed` if the passphrase is wrong. `errSecDecode` for headers that cannot be read.
    ///   `errSecUnimplemented` without OpenSSL and for old ciphers. `errSecUnsupportedKeyFormat` for other types of
    ///   key.
    func decryptedKey(_ passphrase: Passphrase) throws(KeychainError) -> any KeyMaterial {
        try decrypted(passphrase).withBytes { (bytes) throws(KeychainError) in
            var reader = BERReader(bytes)
            do throws(KeychainError) {
                return try KeyFormat.traditional.key(reader.next(BERTag.sequence))
            } catch {
                throw error.afterDecryption
            }
        }
    }

    /// Ciphers that OpenSSL keeps in its provider `legacy`.
    private static let oldCiphers = ["DES-CBC,", "DES-ECB", "RC2", "IDEA", "BF-", "CAST", "SEED"]

    /// Decrypts a key in OpenSSL's format from before PKCS #8. Its key is one MD5 digest of passphrase and salt.
    ///
    /// - Throws: `errSecAuthFailed` if the passphrase is wrong. `errSecDecode` for headers that cannot be read.
    ///   `errSecUnimplemented` without OpenSSL and for old ciphers.
    private func decrypted(_ passphrase: Passphrase) throws(KeychainError) -> WipedBytes {
        guard let library = LibcryptoPEM.shared else { throw .unimplemented("encrypted keys need OpenSSL 3") }
        // OpenSSL would ignore the bytes after a NUL or beyond its limit, and open the key with the rest.
        guard passphrase.usual.isWholeWhenTerminated else { throw .wrongPassphrase }
        defer { library.common.clearErrors() }
        let cipher = headers.components(separatedBy: "DEK-Info:").last?.drop { $0 == " " } ?? ""
        if Self.oldCiphers.contains(where: { cipher.hasPrefix($0) }) {
            throw .unimplemented("the key is encrypted with an old cipher that is not supported")
        }
        // Space for OpenSSL's description of the cipher: a pointer and sixteen bytes.
        var info = [UInt64](repeating: 0, count: 8)
        var text = Array(headers.utf8CString)
        guard library.readCipher(&text, &info) == 1 else { throw .notDecodable("a block's headers cannot be read") }
        var bytes = content.withBytes { Array($0) }
        defer { bytes.wipe() }
        var count = CLong(bytes.count)
        let isDecrypted = passphrase.usual.withTerminatedCharacters { library.decrypt(&info, &bytes, &count, nil, $0) }
        guard isDecrypted == 1, (0...bytes.count).contains(count) else {
            throw .wrongPassphrase
        }
        return bytes.withUnsafeBufferPointer { WipedBytes(UnsafeBufferPointer(rebasing: $0.prefix(count))) }
    }
}

/// The functions of OpenSSL 3 that decrypt keys in PEM.
private struct LibcryptoPEM: Sendable {
    let readCipher: @convention(c) (UnsafeMutablePointer<CChar>, UnsafeMutableRawPointer) -> CInt
    /// Parameters: cipher, bytes, their number, a function that asks for the passphrase, the passphrase.
    let decrypt:
        @convention(c) (
            UnsafeMutableRawPointer, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<CLong>, OpaquePointer?,
            UnsafePointer<CChar>
        ) -> CInt
    let common: Libcrypto

    static let shared: LibcryptoPEM? = {
        guard let common = Libcrypto.shared else { return nil }
        return try? LibcryptoPEM(common)
    }()

    private init(_ common: Libcrypto) throws(SharedLibrary.MissingFunction) {
        let library = common.library
        self.common = common
        readCipher = try library.function("PEM_get_EVP_CIPHER_INFO")
        decrypt = try library.function("PEM_do_header")
    }
}

extension PassphraseBytes {
    private static var greatestTerminatedCount: Int { 1024 }

    fileprivate var isWholeWhenTerminated: Bool {
        withCharacters { start, count in
            Int(count) < Self.greatestTerminatedCount && !(0..<Int(count)).contains { start?[$0] == 0 }
        }
    }

    /// Lends the bytes with a terminating NUL, as OpenSSL expects them.
    fileprivate func withTerminatedCharacters<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        withCharacters { start, count in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(count) + 1) { buffer in
                buffer.initialize(repeating: 0)
                if let start { for index in 0..<Int(count) { buffer[index] = start[index] } }
                defer { UnsafeMutableRawBufferPointer(buffer).wipe() }
                return buffer.baseAddress.map { body(UnsafePointer($0)) } ?? withUnsafePointer(to: 0) { body($0) }
            }
        }
    }
}
