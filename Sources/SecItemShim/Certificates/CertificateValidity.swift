import Foundation
import SwiftASN1

/// From when and until when a certificate is valid: RFC 5280, section 4.1.2.5.
struct CertificateValidity: Sendable {
    let start: Date
    let end: Date

    /// - Throws: When the bytes are no certificate, or its dates are none.
    init(ofCertificate bytes: Data) throws {
        self = try DER.sequence(DER.parse([UInt8](bytes)), identifier: .sequence) { nodes in
            let signed = try nodes.required()
            _ = nodes.all()
            return try DER.sequence(signed, identifier: .sequence) { parts in
                let parts = parts.all().filter { $0.identifier != Self.version }
                // The serial number, the algorithm and the issuer stand before it.
                guard parts.count > 3 else { throw CertificateParts.Failure.incomplete }
                return try CertificateValidity(parts[3])
            }
        }
    }

    private init(_ node: ASN1Node) throws {
        (start, end) = try DER.sequence(node, identifier: .sequence) { nodes in
            (try Self.date(nodes.required()), try Self.date(nodes.required()))
        }
    }

    private static let version = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    private static func date(_ node: ASN1Node) throws -> Date {
        if node.identifier == .utcTime {
            let time = try UTCTime(derEncoded: node)
            return try date(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        let time = try GeneralizedTime(derEncoded: node)
        return try date(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    }

    private static func date(
        _ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int
    ) throws -> Date {
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hours)
        parts.tm_min = Int32(minutes)
        parts.tm_sec = Int32(seconds)
        return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
    }

    /// Whether the date lies in it. A certificate whose two dates are the same is never valid, as with Apple.
    func contains(_ date: Date) -> Bool {
        start != end && start <= date && date <= end
    }
}
