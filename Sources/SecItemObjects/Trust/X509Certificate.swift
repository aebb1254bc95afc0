// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A certificate in OpenSSL's memory. It never changes, and any thread may read it.
final class X509Certificate: @unchecked Sendable {
    let library: LibcryptoX509
    let pointer: LibcryptoX509.Object

    /// - Returns: nil if OpenSSL does not accept the bytes as a certificate.
    init?(_ library: LibcryptoX509, _ bytes: Data) {
        guard let pointer = library.read(library.readCertificate, bytes) else {
            library.common.clearErrors()
            return nil
        }
        self.library = library
        self.pointer = pointer
    }

    /// Shares the ownership of a certificate that OpenSSL holds.
    init?(_ library: LibcryptoX509, sharing pointer: LibcryptoX509.Object) {
        guard library.retainCertificate(pointer) == 1 else { return nil }
        self.library = library
        self.pointer = pointer
    }

    deinit {
        library.freeCertificate(pointer)
    }

    var bytes: Data {
        let count = library.writeCertificate(pointer, nil)
        guard count > 0 else { return Data() }
        var bytes = Data(count: Int(count))
        bytes.withUnsafeMutableBytes { buffer in
            var start = buffer.bindMemory(to: UInt8.self).baseAddress
            _ = library.writeCertificate(pointer, &start)
        }
        return bytes
    }
}

// MARK: - What the rules ask of a certificate

extension X509Certificate {
    /// Whether it is one of the subject's names. For hosts and addresses, the common name is ignored.
    func has(_ name: SoughtName) -> Bool {
        defer { library.common.clearErrors() }
        switch name {
        case .host(let host):
            let flags = Self.neverTheCommonName | Self.wholeLabelsOnly
            return library.checkHost(pointer, host, host.utf8.count, flags, nil) == 1
        case .address(let address): return library.checkAddress(pointer, address, address.count, 0) == 1
        case .email(let email): return library.checkEmail(pointer, email, email.utf8.count, 0) == 1
        }
    }

    private static let neverTheCommonName: CUnsignedInt = 0x20
    private static let wholeLabelsOnly: CUnsignedInt = 0x4

    /// What its key is for, or nil if it does not say so.
    var keyUsage: CertificateKeyUsage? {
        let bits = library.keyUsage(pointer)
        return bits == .max ? nil : CertificateKeyUsage(rawValue: bits)
    }

    /// The stated purposes of the certificate, or nil if it states none.
    var purposes: CertificatePurposes? {
        let bits = library.extendedKeyUsage(pointer)
        return bits == .max ? nil : CertificatePurposes(rawValue: bits)
    }

    /// Whether its basic constraints permit it to sign other certificates. OpenSSL alone would also accept a
    /// self-signed certificate without basic constraints.
    var isAuthority: Bool { library.checkAuthority(pointer) == 1 }

    /// Equal for certificates with the same subject, and for the issuer name of certificates that the subject issued.
    var subjectDigest: CUnsignedLong { library.subjectDigest(pointer) }

    var issuerDigest: CUnsignedLong { library.issuerDigest(pointer) }

    /// Whether its name, key identifier and key usage permit it to be the issuer. Signatures are not checked.
    func mayHaveIssued(_ other: X509Certificate) -> Bool {
        defer { library.common.clearErrors() }
        return library.checkIssued(pointer, other.pointer) == 0
    }

    /// Nil if OpenSSL cannot read the key.
    var key: (kind: KeyKind, bits: Int)? {
        guard let key = library.publicKey(pointer) else { return nil }
        return (KeyKind(number: library.keyKind(key)), Int(library.keyBits(key)))
    }

    enum KeyKind {
        case rsa
        case ellipticCurve
        case edwards
        case other

        fileprivate init(number: CInt) {
            switch number {
            case 6, 912: self = .rsa
            case 408: self = .ellipticCurve
            case 1087, 1088: self = .edwards
            default: self = .other
            }
        }
    }

    /// Whether it was issued after that time. True if its dates cannot be read.
    func isIssued(after time: time_t) -> Bool {
        guard let start = library.notBefore(pointer) else { return true }
        return ![0, -1].contains(library.compareTime(start, time))
    }

    /// Nil if its dates cannot be read.
    var secondsOfValidity: Int? {
        var days: CInt = 0
        var seconds: CInt = 0
        guard library.timeDifference(&days, &seconds, library.notBefore(pointer), library.notAfter(pointer)) == 1
        else { return nil }
        return Int(days) * 86_400 + Int(seconds)
    }
}

extension SecCertificate {
    /// Whether its key usage lets its owner sign messages. One without that extension has no limits.
    package var maySign: Bool {
        guard let library = LibcryptoX509.shared, let own = X509Certificate(library, bytes) else { return false }
        return own.keyUsage.map { !$0.isDisjoint(with: .signatures) } ?? true
    }
}

/// Key usages, as OpenSSL numbers them.
struct CertificateKeyUsage: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let keyAgreement = CertificateKeyUsage(rawValue: 0x8)
    static let dataEncipherment = CertificateKeyUsage(rawValue: 0x10)
    static let keyEncipherment = CertificateKeyUsage(rawValue: 0x20)
    static let nonRepudiation = CertificateKeyUsage(rawValue: 0x40)
    static let digitalSignature = CertificateKeyUsage(rawValue: 0x80)
    static let signatures: CertificateKeyUsage = [.digitalSignature, .nonRepudiation]
}

/// Extended key usages, as OpenSSL numbers them.
struct CertificatePurposes: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let server = CertificatePurposes(rawValue: 0x1)
    static let client = CertificatePurposes(rawValue: 0x2)
    static let mail = CertificatePurposes(rawValue: 0x4)
    static let code = CertificatePurposes(rawValue: 0x8)
    /// The purpose that servers stated in the nineties instead of ``server``.
    static let gatedServer = CertificatePurposes(rawValue: 0x10)
    static let timeStamping = CertificatePurposes(rawValue: 0x40)
    static let any = CertificatePurposes(rawValue: 0x100)
}
