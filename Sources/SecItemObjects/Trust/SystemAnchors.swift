// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// The authorities that the machine trusts: its CA bundle, read for the first chain that needs it, and then kept.
struct SystemAnchors: Sendable {
    let store: X509Store
    private let isEmpty: Bool

    /// Empty if there is no bundle; then nothing is trusted. Nil without OpenSSL.
    static var shared: SystemAnchors? {
        let anchors = made
        // Logged after the bundle was read, because the application's log handler may call this.
        if anchors?.isEmpty == true {
            Logger(keychain: "secitem").once(
                .notice, "No authority is trusted: there is no CA bundle. Install one (Debian: ca-certificates).")
        }
        return anchors
    }

    private static let made = LibcryptoX509.shared.flatMap(SystemAnchors.init)

    /// The places of the bundle: Debian and similar distributions, Fedora and similar ones (twice), openSUSE, Alpine.
    private static let usualPaths = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    private static let greatestBundle = 16 << 20

    private init?(_ library: LibcryptoX509) {
        let certificates = Self.bundle.map { Self.certificates(in: $0) } ?? []
        isEmpty = certificates.isEmpty
        guard let store = X509Store(library, certificates.compactMap { X509Certificate(library, $0) }) else {
            return nil
        }
        self.store = store
    }

    /// `SSL_CERT_FILE` replaces the machine's bundle, as for OpenSSL's own programs.
    private static var bundle: Data? {
        if let path = SecureExecution.variable("SSL_CERT_FILE"), !path.isEmpty { return contents(of: path) }
        return usualPaths.lazy.compactMap(contents).first
    }

    private static func contents(of path: String) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: greatestBundle + 1), data.count <= greatestBundle else { return nil }
        return data
    }

    /// The certificates in a PEM file. One that cannot be read does not affect the others.
    static func certificates(in pem: Data) -> [Data] {
        PEMBlocks([UInt8](pem)[...]).compactMap { block in
            guard case .success(let block) = block, block.label == FileFormat.certificate.label else { return nil }
            return block.content.withBytes { Data($0) }
        }
    }
}
