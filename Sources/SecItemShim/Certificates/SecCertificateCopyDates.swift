// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives the date from which a certificate is valid; nil if the certificate has none that can be read. Apple:
/// [SecCertificateCopyNotValidBeforeDate](https://developer.apple.com/documentation/security/seccertificatecopynotvalidbeforedate(_:)).
@discardableResult
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    (try? CertificateValidity(ofCertificate: certificate.bytes)).map { $0.start as NSDate }
}

/// Gives the date until which a certificate is valid; nil if the certificate has none that can be read. Apple:
/// [SecCertificateCopyNotValidAfterDate](https://developer.apple.com/documentation/security/seccertificatecopynotvalidafterdate(_:)).
@discardableResult
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    (try? CertificateValidity(ofCertificate: certificate.bytes)).map { $0.end as NSDate }
}
