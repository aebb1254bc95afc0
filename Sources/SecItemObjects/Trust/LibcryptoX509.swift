// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The functions of OpenSSL 3 that parse certificates and build chains.
///
/// They are loaded like those of ``Libcrypto``, when the first trust is evaluated.
package struct LibcryptoX509: Sendable {
    package typealias Object = OpaquePointer
    package typealias Free = @convention(c) (Object?) -> Void
    package typealias New = @convention(c) () -> Object?
    package typealias Reader =
        @convention(c) (
            UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, CLong
        ) -> Object?
    typealias GetNumber = @convention(c) (Object) -> CInt
    typealias SetNumber = @convention(c) (Object, CInt) -> CInt
    typealias GetObject = @convention(c) (Object) -> Object?
    typealias GetBits = @convention(c) (Object) -> UInt32
    typealias GetDigest = @convention(c) (Object) -> CUnsignedLong
    typealias VerifyCallback = @convention(c) (CInt, Object?) -> CInt
    typealias VerifyFunction = @convention(c) (Object?) -> CInt

    // MARK: Certificates

    package let readCertificate: Reader
    package let writeCertificate: @convention(c) (Object, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    let retainCertificate: GetNumber
    package let freeCertificate: Free
    let checkHost:
        @convention(c) (
            Object, UnsafePointer<CChar>, Int, CUnsignedInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> CInt
    let checkAddress: @convention(c) (Object, UnsafePointer<UInt8>, Int, CUnsignedInt) -> CInt
    let checkEmail: @convention(c) (Object, UnsafePointer<CChar>, Int, CUnsignedInt) -> CInt
    let keyUsage: GetBits
    let extendedKeyUsage: GetBits
    let checkAuthority: GetNumber
    let checkIssued: @convention(c) (Object, Object) -> CInt
    let subjectDigest: GetDigest
    let issuerDigest: GetDigest
    let publicKey: GetObject
    let keyKind: GetNumber
    let keyBits: GetNumber
    let notBefore: GetObject
    let notAfter: GetObject
    let timeDifference:
        @convention(c) (
            UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>, Object?, Object?
        ) -> CInt
    let compareTime: @convention(c) (Object, time_t) -> CInt

    // MARK: Lists

    package let newList: New
    let freeList: Free
    package let append: @convention(c) (Object, Object) -> CInt
    package let count: @convention(c) (Object?) -> CInt
    package let element: @convention(c) (Object?, CInt) -> Object?

    // MARK: Verification

    let newStore: New
    let freeStore: Free
    let addAnchor: @convention(c) (Object, Object) -> CInt
    let storeParameters: GetObject
    let newContext: New
    let freeContext: Free
    let begin: @convention(c) (Object, Object, Object, Object?) -> CInt
    let verify: GetNumber
    let setCallback: @convention(c) (Object, VerifyCallback) -> Void
    /// The function that verifies the signatures and dates of a chain that is built.
    let verification: @convention(c) (Object) -> VerifyFunction?
    let setVerification: @convention(c) (Object, VerifyFunction) -> Void
    let setContextData: @convention(c) (Object, CInt, UnsafeMutableRawPointer?) -> CInt
    let contextData: @convention(c) (Object, CInt) -> UnsafeMutableRawPointer?
    let error: GetNumber
    let errorDepth: GetNumber
    let chain: GetObject
    let contextParameters: GetObject
    let setFlags: @convention(c) (Object, CUnsignedLong) -> CInt
    let clearFlags: @convention(c) (Object, CUnsignedLong) -> CInt
    let setTime: @convention(c) (Object, time_t) -> Void
    let setDepth: @convention(c) (Object, CInt) -> Void
    let setLevel: @convention(c) (Object, CInt) -> Void

    // MARK: Answers on revocation

    let readResponse: Reader
    let freeResponse: Free
    let responseStatus: GetNumber
    let basicResponse: GetObject
    let freeBasicResponse: Free
    let verifyResponse: @convention(c) (Object, Object?, Object, CUnsignedLong) -> CInt
    let newCertificateIdentifier: @convention(c) (Object?, Object, Object) -> Object?
    let freeCertificateIdentifier: Free
    let findStatus:
        @convention(c) (
            Object, Object, UnsafeMutablePointer<CInt>, UnsafeMutablePointer<CInt>, UnsafeMutablePointer<Object?>,
            UnsafeMutablePointer<Object?>, UnsafeMutablePointer<Object?>
        ) -> CInt

    /// The functions that keys use too.
    package let common: Libcrypto

    /// Nil without OpenSSL 3; the log has said so then.
    package static let shared: LibcryptoX509? = {
        guard let common = Libcrypto.shared else { return nil }
        return try? LibcryptoX509(common)
    }()

    private init(_ common: Libcrypto) throws(SharedLibrary.MissingFunction) {
        let library = common.library
        self.common = common
        readCertificate = try library.function("d2i_X509")
        writeCertificate = try library.function("i2d_X509")
        retainCertificate = try library.function("X509_up_ref")
        freeCertificate = try library.function("X509_free")
        checkHost = try library.function("X509_check_host")
        checkAddress = try library.function("X509_check_ip")
        checkEmail = try library.function("X509_check_email")
        keyUsage = try library.function("X509_get_key_usage")
        extendedKeyUsage = try library.function("X509_get_extended_key_usage")
        checkAuthority = try library.function("X509_check_ca")
        checkIssued = try library.function("X509_check_issued")
        subjectDigest = try library.function("X509_subject_name_hash")
        issuerDigest = try library.function("X509_issuer_name_hash")
        publicKey = try library.function("X509_get0_pubkey")
        keyKind = try library.function("EVP_PKEY_get_base_id")
        keyBits = try library.function("EVP_PKEY_get_bits")
        notBefore = try library.function("X509_get0_notBefore")
        notAfter = try library.function("X509_get0_notAfter")
        timeDifference = try library.function("ASN1_TIME_diff")
        compareTime = try library.function("ASN1_TIME_cmp_time_t")
        newList = try library.function("OPENSSL_sk_new_null")
        freeList = try library.function("OPENSSL_sk_free")
        append = try library.function("OPENSSL_sk_push")
        count = try library.function("OPENSSL_sk_num")
        element = try library.function("OPENSSL_sk_value")
        newStore = try library.function("X509_STORE_new")
        freeStore = try library.function("X509_STORE_free")
        addAnchor = try library.function("X509_STORE_add_cert")
        storeParameters = try library.function("X509_STORE_get0_param")
        newContext = try library.function("X509_STORE_CTX_new")
        freeContext = try library.function("X509_STORE_CTX_free")
        begin = try library.function("X509_STORE_CTX_init")
        verify = try library.function("X509_verify_cert")
        setCallback = try library.function("X509_STORE_CTX_set_verify_cb")
        verification = try library.function("X509_STORE_CTX_get_verify")
        setVerification = try library.function("X509_STORE_CTX_set_verify")
        setContextData = try library.function("X509_STORE_CTX_set_ex_data")
        contextData = try library.function("X509_STORE_CTX_get_ex_data")
        error = try library.function("X509_STORE_CTX_get_error")
        errorDepth = try library.function("X509_STORE_CTX_get_error_depth")
        chain = try library.function("X509_STORE_CTX_get0_chain")
        contextParameters = try library.function("X509_STORE_CTX_get0_param")
        setFlags = try library.function("X509_VERIFY_PARAM_set_flags")
        clearFlags = try library.function("X509_VERIFY_PARAM_clear_flags")
        setTime = try library.function("X509_VERIFY_PARAM_set_time")
        setDepth = try library.function("X509_VERIFY_PARAM_set_depth")
        setLevel = try library.function("X509_VERIFY_PARAM_set_auth_level")
        readResponse = try library.function("d2i_OCSP_RESPONSE")
        freeResponse = try library.function("OCSP_RESPONSE_free")
        responseStatus = try library.function("OCSP_response_status")
        basicResponse = try library.function("OCSP_response_get1_basic")
        freeBasicResponse = try library.function("OCSP_BASICRESP_free")
        verifyResponse = try library.function("OCSP_basic_verify")
        newCertificateIdentifier = try library.function("OCSP_cert_to_id")
        freeCertificateIdentifier = try library.function("OCSP_CERTID_free")
        findStatus = try library.function("OCSP_resp_find_status")
    }

    /// Reads one value in DER.
    func read(_ reader: Reader, _ bytes: Data) -> Object? {
        bytes.withUnsafeBytes { buffer in
            var start = buffer.bindMemory(to: UInt8.self).baseAddress
            return reader(nil, &start, buffer.count)
        }
    }

    /// The chain that a verification has built so far, leaf first.
    func certificates(of context: Object) -> [X509Certificate] {
        let chain = chain(context)
        return (0..<max(count(chain), 0)).compactMap { index in
            element(chain, index).flatMap { X509Certificate(self, sharing: $0) }
        }
    }
}

extension Date {
    /// The date in C's type. Dates that no certificate has become very early or very late.
    var posixTime: time_t {
        let farthest = 100_000_000_000.0
        let seconds = timeIntervalSince1970
        return seconds.isNaN ? 0 : time_t(min(max(seconds, -farthest), farthest).rounded(.down))
    }
}
