// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemShim
import SecItemStore

struct FindKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find-key", abstract: "Find keys in the keychain.",
        discussion: "Without keychains, searches those of the search list.")

    @OptionGroup var filter: KeyFilter

    @Argument(help: "The keychains to search.", completion: .keychain)
    var keychains: [String] = []

    func run() throws {
        let found = try KeychainSearch.found(in: keychains) { try filter.keys(in: $0) }
        if found.isEmpty {
            KeychainsElsewhere.hint(besides: try KeychainList.names(keychains)) { try !filter.keys(in: $0).isEmpty }
            throw CommandFailure("SecItemCopyMatching", errSecItemNotFound)
        }
        for entry in found { Console.write(AttributeDump.text(of: entry, itemClass: kSecClassKey)) }
    }
}

/// The options that say which keys are meant.
struct KeyFilter: ParsableArguments {
    @Option(name: .shortJoined("a"), parsing: .unconditional, help: "Application label, in hexadecimal.")
    var applicationLabel: String?

    @Option(name: .shortJoined("l"), parsing: .unconditional, help: "Label.")
    var label: String?

    @Option(name: .shortJoined("t"), help: "Type of key: symmetric, public or private.")
    var type: String?

    @Option(
        name: .shortJoined("c"), parsing: .unconditional, help: "Creator, four characters.",
        transform: FourCharacterCode.init(argument:))
    var creator: FourCharacterCode?

    @Option(name: .shortJoined("D"), parsing: .unconditional, help: "Description (no effect here: keys have none).")
    var kind: String?

    @Option(name: .shortJoined("j"), parsing: .unconditional, help: "Comment (no effect here: keys have none).")
    var comment: String?

    @Flag(name: .customShort("d"), help: "Keys that can decrypt.")
    var canDecrypt = false

    @Flag(name: .customShort("e"), help: "Keys that can encrypt.")
    var canEncrypt = false

    @Flag(name: .customShort("r"), help: "Keys that can derive.")
    var canDerive = false

    @Flag(name: .customShort("s"), help: "Keys that can sign.")
    var canSign = false

    @Flag(name: .customShort("u"), help: "Keys that can unwrap.")
    var canUnwrap = false

    @Flag(name: .customShort("v"), help: "Keys that can verify.")
    var canVerify = false

    @Flag(name: .customShort("w"), help: "Keys that can wrap.")
    var canWrap = false

    func keys(in keychain: Keychain) throws -> [FoundEntry] {
        try ItemSearch(kSecClassKey, attributes()).all(in: keychain)
    }

    private func attributes() throws -> [CFString: Any] {
        var attributes: [CFString: Any] = [:]
        attributes[kSecAttrLabel] = label
        attributes[kSecAttrCreator] = creator?.number
        if kind != nil { CommandContext.current.ignore("-D", because: "keys have no description") }
        if comment != nil { CommandContext.current.ignore("-j", because: "keys have no comment") }
        if let applicationLabel {
            guard let bytes = applicationLabel.utf8.decodedHexadecimal else {
                throw CommandFailure.usage("-a takes hexadecimal digits")
            }
            attributes[kSecAttrApplicationLabel] = Data(bytes)
        }
        if let type {
            let classes = [
                "public": kSecAttrKeyClassPublic, "private": kSecAttrKeyClassPrivate,
                "symmetric": kSecAttrKeyClassSymmetric,
            ]
            guard let keyClass = classes[type] else {
                throw CommandFailure.usage("-t takes symmetric, public or private")
            }
            attributes[kSecAttrKeyClass] = keyClass
        }
        let uses: [(Bool, CFString)] = [
            (canDecrypt, kSecAttrCanDecrypt), (canEncrypt, kSecAttrCanEncrypt), (canDerive, kSecAttrCanDerive),
            (canSign, kSecAttrCanSign), (canUnwrap, kSecAttrCanUnwrap), (canVerify, kSecAttrCanVerify),
            (canWrap, kSecAttrCanWrap),
        ]
        for (isWanted, use) in uses where isWanted { attributes[use] = true }
        return attributes
    }
}

struct SetKeyPartitionList: PromptingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-key-partition-list", abstract: "Set the partition list of a key.",
        discussion: PartitionList.discussion)
    static let prompting = (option: Unicode.Scalar("k"), flag: PartitionList.promptFlag)

    @OptionGroup var filter: KeyFilter
    @OptionGroup var list: PartitionList

    func run() throws {
        let found = try filter.keys(in: list.unlockedKeychain())
        // A Mac exits with 1 here, and not with the status.
        if found.isEmpty { throw CommandFailure("SecItemCopyMatching: \(StatusMessage.text(errSecItemNotFound))") }
        for entry in found {
            Console.write(AttributeDump.text(of: entry, itemClass: kSecClassKey))
        }
    }
}

/// `create-keypair`.
struct CreateKeyPair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create-keypair", abstract: "Create an asymmetric key pair.",
        discussion: """
            The description becomes the label of both keys. Dates have the form YYYY-MM-DD-hh:mm:ss, in GMT; the time is \
            optional. find-key shows them, but nothing keeps a key from being used outside of them.
            """)

    @Option(
        name: .shortJoined("a"), help: "The algorithm: rsa or ec.",
        completion: .list(["rsa", "ec"]))
    var algorithm = "rsa"

    @Option(name: .shortJoined("s"), help: "The key size in bits (2048 for rsa, 256 for ec).")
    var size: Int?

    @OptionGroup var validity: ValidityOptions

    @Option(
        name: .shortJoined("k"), parsing: .unconditional, help: "The keychain; without one, the default keychain.",
        completion: .keychain)
    var keychain: String?

    @Flag(name: .customShort("H"), help: "Print the public key hash.")
    var showsHash = false

    @OptionGroup var access: IgnoredAccess

    @Argument(help: "The label of the keys.")
    var description = "<key>"

    func run() throws {
        try access.check()
        if description.isEmpty { throw CommandFailure.usage("the description is empty") }
        let types = ["rsa": (kSecAttrKeyTypeRSA, 2048), "ec": (kSecAttrKeyTypeECSECPrimeRandom, 256)]
        guard let (type, usualSize) = types[algorithm] else {
            throw CommandFailure.usage("-a takes one of rsa, ec")
        }
        let half = try validity.attributes().merging([kSecAttrIsPermanent: true, kSecAttrLabel: description]) { $1 }
        let request: [CFString: Any] = [
            kSecAttrKeyType: type, kSecAttrKeySizeInBits: size ?? usualSize, kSecPrivateKeyAttrs: half,
            kSecPublicKeyAttrs: half,
        ]
        let pair = try KeychainList.target(keychain).perform("SecKeyGeneratePair") { calls throws(KeychainError) in
            try calls.makeKeys(request as CFDictionary)
        }
        if showsHash { Console.write(PEMText.block("PUBLIC KEY HASH", Self.hash(of: pair.publicKey))) }
    }

    private static func hash(of key: SecKey) -> Data {
        SecKeyCopyAttributes(key)?[kSecAttrApplicationLabel] as? Data ?? Data()
    }
}
