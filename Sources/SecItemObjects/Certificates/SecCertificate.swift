// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// An X.509 certificate.
///
/// `SecCertificateCreateWithData` makes one. It never changes. Two certificates are equal if their bytes are equal.
/// Apple:
/// [SecCertificate](https://developer.apple.com/documentation/security/seccertificate).
public final class SecCertificate: _CFObject, @unchecked Sendable {
    package let bytes: Data
    package let parts: CertificateParts

    /// - Throws: An error if the bytes are not a certificate.
    package init(_ bytes: Data) throws {
        self.bytes = bytes
        parts = try CertificateParts(bytes)
    }
}

extension SecCertificate: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.certificate

    package func isEqual(to other: SecCertificate) -> Bool { bytes == other.bytes }

    /// Of all bytes. `Data` hashes the first 80, which many certificates of one authority share.
    package var hashCode: Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// The subject of the certificate.
    package var summary: String { "<SecCertificate: \(parts.summary ?? "of nobody")>" }
}

/// Gives the type identifier of certificates, to compare with the result of `CFGetTypeID`.
@discardableResult
public func SecCertificateGetTypeID() -> CFTypeID {
    SecCertificate.typeIdentifier
}

/// Makes a certificate from its bytes. Does not verify the signature. Apple:
/// [SecCertificateCreateWithData](https://developer.apple.com/documentation/security/seccertificatecreatewithdata(_:_:)).
///
/// - Parameters:
///   - allocator: Ignored.
///   - data: An X.509 certificate in DER.
/// - Returns: The certificate, or nil if the data is not a certificate or is larger than 1 MiB.
@discardableResult
@_weakLinked  // Not missed by a program that never calls it: docs/decisions.md, 17.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    try? SecCertificate(data.copiedData)
}
