// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A certificate (X.509).
///
/// Made by `SecCertificateCreateWithData`; it never changes. Two certificates are equal if their bytes are. Apple:
/// [SecCertificate](https://developer.apple.com/documentation/security/seccertificate).
public final class SecCertificate: NSObject, @unchecked Sendable {
    package let bytes: Data
    let parts: CertificateParts

    /// - Throws: When the bytes are no certificate.
    package init(_ bytes: Data) throws {
        self.bytes = bytes
        parts = try FirstUse.performing("certificate") { try CertificateParts(bytes) }
        super.init()
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecCertificate)?.bytes == bytes
    }

    public override var hash: Int { bytes.hashValue }

    /// Whose certificate it is.
    public override var description: String {
        "<SecCertificate: \(parts.summary ?? "of nobody")>"
    }
}

extension SecCertificate: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.certificate
}

/// Gives the type identifier of certificates, to compare with what `CFGetTypeID` gives for an object.
@discardableResult
public func SecCertificateGetTypeID() -> CFTypeID {
    SecCertificate.typeIdentifier
}

/// Makes a certificate of its bytes. The signature is not verified. Apple:
/// [SecCertificateCreateWithData](https://developer.apple.com/documentation/security/seccertificatecreatewithdata(_:_:)).
///
/// - Parameters:
///   - allocator: Not looked at.
///   - data: An X.509 certificate in DER.
/// - Returns: The certificate, or nil if the data is none, or more than 1 MiB.
@discardableResult
@_weakLinked  // Not missed by a program that never calls it: docs/architecture.md, decision 17.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    try? SecCertificate(data.copiedData)
}
