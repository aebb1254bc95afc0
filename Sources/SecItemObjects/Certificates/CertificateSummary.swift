// SPDX-License-Identifier: Apache-2.0

extension CertificateParts {
    /// A short text that says whose certificate it is, by Apple's rules.
    ///
    /// It has the common names, the last one first, and the descriptions in brackets. Without a common name, it is the
    /// first of these that exists: an e-mail address, a host, the organizational units, the organizations, all texts of
    /// the name.
    package var summary: String? {
        guard subject.isReadable else { return nil }
        let names = subject.all(.commonName)
        let descriptions = Self.list(subject.all(.description))
        if let name = Self.list(names) { return descriptions.map { "\(name) (\($0))" } ?? name }
        return emailAddresses.first ?? dnsNames.first ?? Self.list(subject.all(.organizationalUnit))
            ?? Self.list(subject.all(.organization)) ?? Self.list(subject.attributes.map(\.text))
    }

    private static func list(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.reversed().joined(separator: ", ")
    }

    /// The usual name of the certificate, as in the Mac's file keychain. It is the subject's last common name, or else
    /// its first organizational unit, organization or e-mail address, followed by the first description in brackets.
    /// Without these, it is any text of the subject, or else an e-mail address, or else a fixed text.
    var label: String {
        let names: [String?] = [
            printable(.commonName).last, printable(.organizationalUnit).first, printable(.organization).first,
            printable(.emailAddress).first,
        ]
        if let name = names.compactMap({ $0 }).first {
            let description = printable(.description).first ?? ""
            if name == "Thawte Freemail Member" { return emailAddresses.first ?? "X509 Certificate" }
            return description.isEmpty ? name : "\(name) (\(description))"
        }
        return subject.attributes.first { $0.isPrintable }?.text ?? emailAddresses.first ?? "X509 Certificate"
    }

    private func printable(_ kind: NameKind) -> [String] {
        subject.attributes.filter { $0.kind == kind.bytes && $0.isPrintable }.map(\.text)
    }

    /// The addresses of the alternative names, followed by those of the subject.
    package var emailAddresses: [String] {
        alternativeNames.emailAddresses + subject.all(.emailAddress)
    }

    /// The hosts of the alternative names. If there are none, the common names that have the form of a host.
    var dnsNames: [String] {
        let hosts = alternativeNames.hosts
        return hosts.isEmpty ? subject.all(.commonName).filter(HostName.isOne) : hosts
    }
}

extension DistinguishedName.Attribute {
    /// Whether the value is a text.
    fileprivate var isPrintable: Bool {
        [0x0c, 0x13, 0x14, 0x15, 0x16, 0x1a, 0x1b, 0x1c, 0x1e].contains(tag)
    }
}
