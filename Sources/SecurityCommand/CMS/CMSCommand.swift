// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim
import SecItemStore

struct CMSCommand: PlainlyFailingCommand {
    static let configuration = CommandConfiguration(
        commandName: "cms", abstract: "Encode or decode CMS messages.",
        discussion: """
            Give one of -D, -E, -O and -S. -D prints the content even if the signer's certificate has expired or is not trusted \
            here; -h shows the status. If a signature is wrong, -D prints nothing.
            """, helpNames: .long)

    @Flag(name: .customShort("C"), help: "Create a CMS encrypted message (not supported: use -E).")
    var encrypts = false

    @Flag(name: .customShort("D"), help: "Decode a CMS message.")
    var decodes = false

    @Flag(name: .customShort("E"), help: "Create a CMS enveloped message, with AES-256.")
    var envelops = false

    @Flag(name: .customShort("O"), help: "Create a CMS message with only the certificates that -r names.")
    var collects = false

    @Flag(name: .customShort("S"), help: "Create a CMS signed message.")
    var signs = false

    @Option(
        name: .shortJoined("c"), parsing: .unconditional, help: "With -D: use this detached content file.",
        completion: .file())
    var contentFile: String?

    @Option(
        name: .shortJoined("h"), help: "With -D: generate lines with info about the message, numbered with this level.")
    var headerLevel: Int?

    @Flag(name: .customShort("n"), help: "With -D: suppress output of content.")
    var suppressesContent = false

    @Flag(name: .customShort("G"), help: "With -S: include a signing time attribute.")
    var hasSigningTime = false

    @Option(name: .shortJoined("H"), help: "With -S: the hash: SHA256 (the default), SHA384, SHA512 or SHA1.")
    var hash: String?

    @Option(
        name: .shortJoined("N"), parsing: .unconditional,
        help: "With -S: sign with the certificate of this email address or name.")
    var nickname: String?

    @Flag(name: .customShort("P"), help: "With -S: include a SMIMECapabilities attribute.")
    var hasCapabilities = false

    @Flag(name: .customShort("T"), help: "With -S: do not include content in CMS message.")
    var isDetached = false

    @Option(
        name: .shortJoined("Y"), parsing: .unconditional,
        help: "With -S: the certificate to encrypt to the signer with, by its email address; NONE for none.")
    var encryptionName: String?

    @Option(name: .shortJoined("Z"), help: "With -S: sign with the certificate of this subject key ID.")
    var keyIdentifier: String?

    @Option(
        name: .shortJoined("r"), parsing: .unconditional,
        help: "With -E and -O: the recipients, by email address or name, separated by commas.")
    var recipients: String?

    @Option(name: .shortJoined("e"), parsing: .unconditional, help: "Envelope file (not supported: use -E).")
    var envelope: String?

    @Option(
        name: .shortJoined("k"), parsing: .unconditional, help: "The keychain; without one, the search list.",
        completion: .keychain)
    var keychain: String?

    @Option(
        name: .shortJoined("i"), parsing: .unconditional, help: "The input; without it, standard input.",
        completion: .file())
    var input: String?

    @Option(
        name: .shortJoined("o"), parsing: .unconditional, help: "The output; without it, standard output.",
        completion: .file())
    var output: String?

    @Option(name: .shortJoined("p"), parsing: .unconditional, help: "Key database password (no effect here).")
    var password: String?

    @Option(
        name: .shortJoined("u"),
        help: "Certificate usage, 0 to 11: SSL client 0, servers 1 to 3, email 4 and 5, code 6, others any.")
    var usage = 4

    @Flag(name: [.customShort("s"), .customShort("d"), .customShort("v")], help: "No effect here.")
    var ignored: Int

    func run() throws {
        let modes = [decodes, signs, envelops, collects, encrypts].count { $0 }
        guard modes == 1 else { throw CommandFailure.usage("give one of -D, -E, -O and -S") }
        guard !encrypts, envelope == nil else {
            throw CommandFailure(
                "cms", errSecUnimplemented,
                reason:
                    "\(encrypts ? "-C" : "-e"): encryptedData is not supported. Use -E -r RECIPIENT: such a message brings "
                    + "along its key, encrypted for the recipient")
        }
        try requireFittingOptions()
        if password != nil {
            PasswordOnCommandLine.warn("-p")
            CommandContext.current.ignore("-p", because: "keychains are unlocked with unlock-keychain")
        }
        if decodes { return try decode() }
        let bytes =
            if signs {
                try sign()
            } else if envelops {
                try CMSMessage.enveloped(MessageFile.read(input), for: try parties.recipients(names()))
            } else {
                try SignedMessage.certificates(parties.recipients(names()))
            }
        try MessageFile.write(bytes, to: output)
    }

    private var parties: CMSParties { CMSParties(keychain) }

    /// What is said of another mode was meant otherwise.
    private func requireFittingOptions() throws {
        let decoding = [("-c", contentFile != nil), ("-h", headerLevel != nil), ("-n", suppressesContent)]
        let signing = [
            ("-G", hasSigningTime), ("-H", hash != nil), ("-N", nickname != nil), ("-P", hasCapabilities),
            ("-T", isDetached), ("-Y", encryptionName != nil), ("-Z", keyIdentifier != nil),
        ]
        let envelope = [("-r", recipients != nil)]
        for (options, isFitting, mode) in [
            (decoding, decodes, "-D"), (signing, signs, "-S"), (envelope, envelops || collects, "-E or -O"),
        ] where !isFitting {
            if let option = options.first(where: \.1)?.0 {
                throw CommandFailure.usage("option \(option) only supported with option \(mode)")
            }
        }
        if let headerLevel, headerLevel < 0 { throw CommandFailure.usage("option -h cannot have a negative value") }
    }

    /// The policy that belongs to a usage of NSS, whose numbers these are.
    private func policy() throws -> TrustPolicy {
        let name =
            switch usage {
            case 0: "ssl-client"
            case 1...3: "ssl-server"
            case 4, 5: "smime"
            case 6: "codesigning"
            case 7...11: "basic"
            default: throw CommandFailure.usage("-u takes 0 to 11")
            }
        return try TrustPolicy.named(name)
    }

    private func names() throws -> [String] {
        let names = recipients?.split(separator: ",").map(String.init) ?? []
        guard !names.isEmpty else { throw CommandFailure.usage("please name at least one recipient (-r)") }
        return names
    }

    private func decode() throws {
        let decoding = CMSDecoding(
            parties: parties, content: try contentFile.map { try MessageFile.read($0) }, policy: try policy(),
            headerLevel: headerLevel)
        let decoded = try decoding.decode(MessageFile.read(input))
        let content = suppressesContent ? [] : decoded.content
        try MessageFile.write(Array(decoded.header.utf8) + content, to: output, isSecret: decoded.isSecret)
    }

    private func sign() throws -> [UInt8] {
        let digest = try hash.map(MessageDigest.named) ?? MessageDigest.all[0]
        let identity = try parties.signer(named: nickname, keyIdentifier: keyIdentifier)
        var message = SignedMessage(try MessageFile.read(input))
        message.isDetached = isDetached
        message.digest = digest
        message.signingTime = hasSigningTime ? Date() : nil
        message.namesCapabilities = hasCapabilities
        message.certificates = try chain(of: identity)
        switch encryptionName {
        case "NONE": break
        case nil: message.encryptionCertificate = identity.certificate
        case let name?:
            let certificate = try parties.recipients([name])[0]
            message.encryptionCertificate = certificate
            message.certificates.append(certificate)
        }
        return try message.signed(by: identity)
    }

    /// The certificates above the signer's, as far as they are known here, but for the root.
    private func chain(of identity: SecIdentity) throws -> [SecCertificate] {
        guard let certificate = identity.certificate else { return [] }
        var chain: [SecCertificate] = []
        let known = Authorities(try parties.certificates())
        _ = try TrustVerdict.of(certificate, among: known, TrustPolicy.named("basic").policy()) { trust in
            SecTrustSetNetworkFetchAllowed(trust, false)
            chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        }
        return chain.dropFirst().filter { certificate in
            SecCertificateCopyNormalizedIssuerSequence(certificate) as Data?
                != SecCertificateCopyNormalizedSubjectSequence(certificate) as Data?
        }
    }
}

/// Files that messages are read from and written to.
enum MessageFile {
    /// - Parameter path: Nil for standard input.
    /// - Throws: ``CommandFailure`` when it cannot be read, or is larger than ``CMSMessage/greatestSize``.
    static func read(_ path: String?) throws -> [UInt8] {
        // The next lines are the next commands.
        guard path != nil || !CommandContext.current.options.readsCommands else {
            throw CommandFailure.usage("-i takes commands from standard input, and no message: name a file")
        }
        let file = path.map { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) } ?? STDIN_FILENO
        let name = path ?? "standard input"
        guard file >= 0 else {
            throw CommandFailure("unable to open \"\(name)\" for reading: \(String(cString: strerror(errno)))")
        }
        defer { if path != nil { close(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Foundation.read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw CommandFailure("\(name): \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= CMSMessage.greatestSize else { throw CommandFailure("\(name) is too large") }
        }
    }

    /// - Parameters:
    ///   - path: Nil for standard output.
    ///   - isSecret: Whether it is for this user alone: ``SecretOutput``.
    static func write(_ bytes: [UInt8], to path: String?, isSecret: Bool = false) throws {
        guard let path else {
            Console.write(bytes)
            return try Console.requireWritten()
        }
        if isSecret { return try SecretOutput.write(bytes, to: path) }
        let inherited = try InheritedDescriptor.named(by: path)
        let file = inherited ?? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
        guard file >= 0 else {
            throw CommandFailure("unable to open \"\(path)\" for writing: \(String(cString: strerror(errno)))")
        }
        defer { if inherited == nil { close(file) } }
        Console.write(bytes, to: file)
        try Console.requireWritten()
    }
}
