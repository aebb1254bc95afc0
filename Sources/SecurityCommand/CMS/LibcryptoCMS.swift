// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore

/// The functions of OpenSSL 3 that read and write messages of CMS (RFC 5652).
///
/// Nothing is linked: a machine without OpenSSL has the other commands.
struct LibcryptoCMS: Sendable {
    typealias Object = LibcryptoX509.Object
    typealias Free = LibcryptoX509.Free
    typealias Reader = LibcryptoX509.Reader
    typealias Writer = @convention(c) (Object, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    typealias GetObject = @convention(c) (Object) -> Object?
    /// Message, content that is not in it, output, flags.
    typealias ReadContent = @convention(c) (Object, Object?, Object?, CUnsignedInt) -> CInt

    let readMessage: Reader
    let writeMessage: Writer
    let freeMessage: Free
    let messageType: GetObject
    let identifierNumber: @convention(c) (Object?) -> CInt
    let content: @convention(c) (Object) -> UnsafeMutablePointer<Object?>?

    /// Message, further certificates, anchors, content that is not in it, output, flags.
    let verify: @convention(c) (Object, Object?, Object?, Object?, Object?, CUnsignedInt) -> CInt
    let verifyDigest: ReadContent
    let data: @convention(c) (Object, Object?, CUnsignedInt) -> CInt
    /// Message, key, certificate, content that is not in it, output, flags.
    let decrypt: @convention(c) (Object, Object?, Object?, Object?, Object?, CUnsignedInt) -> CInt
    /// Certificates, content, cipher, flags.
    let encrypt: @convention(c) (Object, Object, Object?, CUnsignedInt) -> Object?
    let cipher: @convention(c) () -> Object?

    let signers: GetObject
    let certificates: GetObject
    let signedAttributeCount: @convention(c) (Object) -> CInt
    let verifySigner: @convention(c) (Object) -> CInt
    let signerParts:
        @convention(c) (
            Object, UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<Object?>?,
            UnsafeMutablePointer<Object?>?
        ) -> Void

    /// Identifier, kind of parameters, parameters, algorithm.
    let algorithmParts:
        @convention(c) (
            UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<UnsafeRawPointer?>?,
            Object
        ) -> Void
    let readKey: Reader
    /// Frees the elements too.
    let freeList: @convention(c) (Object?, Free) -> Void

    let newInput: @convention(c) (UnsafeRawPointer?, CInt) -> Object?
    let newBuffer: @convention(c) (Object?) -> Object?
    let bufferKind: @convention(c) () -> Object?
    let control: @convention(c) (Object, CInt, CLong, UnsafeMutableRawPointer?) -> CLong
    let freeBuffer: @convention(c) (Object?) -> CInt
    let free: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, CInt) -> Void

    /// The functions on certificates and lists.
    let x509: LibcryptoX509

    /// - Throws: ``CommandFailure`` with `errSecUnimplemented` without OpenSSL 3.
    static func required() throws -> LibcryptoCMS {
        switch shared {
        case .success(let library): return library
        case .failure(let missing): throw CommandFailure("cms", errSecUnimplemented, reason: missing.reason)
        }
    }

    private struct Missing: Error {
        let reason: String
    }

    private static let shared: Result<LibcryptoCMS, Missing> = {
        guard let x509 = LibcryptoX509.shared else {
            return .failure(Missing(reason: "OpenSSL 3 is needed (Debian: libssl3)"))
        }
        do {
            return .success(try LibcryptoCMS(x509))
        } catch {
            return .failure(Missing(reason: "OpenSSL 3 is needed (Debian: libssl3): \(error)"))
        }
    }()

    private init(_ x509: LibcryptoX509) throws(SharedLibrary.MissingFunction) {
        let library = x509.common.library
        self.x509 = x509
        readMessage = try library.function("d2i_CMS_ContentInfo")
        writeMessage = try library.function("i2d_CMS_ContentInfo")
        freeMessage = try library.function("CMS_ContentInfo_free")
        messageType = try library.function("CMS_get0_type")
        identifierNumber = try library.function("OBJ_obj2nid")
        content = try library.function("CMS_get0_content")
        verify = try library.function("CMS_verify")
        verifyDigest = try library.function("CMS_digest_verify")
        data = try library.function("CMS_data")
        decrypt = try library.function("CMS_decrypt")
        encrypt = try library.function("CMS_encrypt")
        cipher = try library.function("EVP_aes_256_cbc")
        signers = try library.function("CMS_get0_SignerInfos")
        certificates = try library.function("CMS_get1_certs")
        signedAttributeCount = try library.function("CMS_signed_get_attr_count")
        verifySigner = try library.function("CMS_SignerInfo_verify")
        signerParts = try library.function("CMS_SignerInfo_get0_algs")
        algorithmParts = try library.function("X509_ALGOR_get0")
        readKey = try library.function("d2i_AutoPrivateKey")
        freeList = try library.function("OPENSSL_sk_pop_free")
        newInput = try library.function("BIO_new_mem_buf")
        newBuffer = try library.function("BIO_new")
        bufferKind = try library.function("BIO_s_mem")
        control = try library.function("BIO_ctrl")
        freeBuffer = try library.function("BIO_free")
        free = try library.function("CRYPTO_free")
    }

    // MARK: Bytes in and out

    /// Reads one value in BER; nil when it makes no sense.
    func read(_ reader: Reader, _ bytes: [UInt8]) -> Object? {
        defer { x509.common.clearErrors() }
        return bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return reader(nil, &start, buffer.count)
        }
    }

    /// A value in DER; nil when it cannot be written.
    func bytes(_ writer: Writer, _ object: Object) -> [UInt8]? {
        defer { x509.common.clearErrors() }
        var start: UnsafeMutablePointer<UInt8>?
        let count = writer(object, &start)
        guard count > 0, let start else { return nil }
        defer { free(start, nil, 0) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Runs `body` with bytes as OpenSSL reads them.
    func withInput<Result>(_ bytes: [UInt8], _ body: (Object) throws -> Result) throws -> Result {
        try bytes.withUnsafeBytes { buffer in
            // An empty array may have no address, which OpenSSL takes for an error.
            let empty: [UInt8] = [0]
            return try empty.withUnsafeBytes { empty in
                guard let count = CInt(exactly: buffer.count),
                    let input = newInput(buffer.baseAddress ?? empty.baseAddress, count)
                else { throw CommandFailure("cms", errSecAllocate) }
                defer { _ = freeBuffer(input) }
                return try body(input)
            }
        }
    }

    /// What `body` writes into a buffer; nil when it fails.
    func output(_ body: (Object) throws -> Bool) throws -> [UInt8]? {
        guard let buffer = newBuffer(bufferKind()) else { throw CommandFailure("cms", errSecAllocate) }
        defer { _ = freeBuffer(buffer) }
        guard try body(buffer) else { return nil }
        var start: UnsafeMutableRawPointer?
        // BIO_CTRL_INFO: where its bytes are, and how many.
        let count = withUnsafeMutablePointer(to: &start) { control(buffer, 3, 0, $0) }
        guard count > 0, let start else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The first certificates of a list, which is freed.
    func certificates(of list: Object?, atMost greatestCount: CInt) -> [SecCertificate] {
        guard let list else { return [] }
        defer { freeList(list, x509.freeCertificate) }
        return (0..<min(max(x509.count(list), 0), greatestCount)).compactMap {
            x509.element(list, $0).flatMap(certificate)
        }
    }

    /// A certificate of OpenSSL's as one of ours.
    func certificate(_ object: Object) -> SecCertificate? {
        bytes(x509.writeCertificate, object).flatMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
    }

    /// Runs `body` with certificates as OpenSSL has them.
    ///
    /// - Throws: ``CommandFailure`` for one that OpenSSL cannot read.
    func withList<Result>(of certificates: [SecCertificate], _ body: (Object) throws -> Result) throws -> Result {
        guard let list = x509.newList() else { throw CommandFailure("cms", errSecAllocate) }
        defer { freeList(list, x509.freeCertificate) }
        for certificate in certificates {
            guard let object = read(x509.readCertificate, Array(certificate.data)) else {
                throw CommandFailure("cms", errSecDecode, reason: PrintedBytes.line(certificate.summary))
            }
            guard x509.append(list, object) > 0 else {
                x509.freeCertificate(object)
                throw CommandFailure("cms", errSecAllocate)
            }
        }
        return try body(list)
    }
}
