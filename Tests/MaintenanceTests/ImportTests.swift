// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemMaintenance

/// Other programs' passwords become items. Other content gives a status.
@Suite struct ImportTests {
    private static let keyring = """
        [mail_2Eexample_2Eorg]
        anna = 
        \tc8OpY3JldA==
        b_40example = dHdv
        \tIGxpbmVz
            
        [x]
        y = 

        """

    private static let dump = #"""
        keychain: "/Users/anna/Library/Keychains/login.keychain-db"
        version: 512
        class: "genp"
        attributes:
            0x00000007 <blob>="A label with "quotes""
            0x00000008 <blob>=<NULL>
            "acct"<blob>="anna"
            "cdat"<timedate>=0x32303236303130323033303430355A00  "20260102030405Z\000"
            "crtr"<uint32>="aapl"
            "cusi"<sint32>=<NULL>
            "desc"<blob>=<NULL>
            "gena"<blob>=0xDEADBEEF  "\336\255\276\357"
            "svce"<blob>=0x4DC3BC6E6368656E  "M\303\274nchen"
            "type"<uint32>=<NULL>
        data:
        "plain "secret""
        keychain: "/Users/anna/Library/Keychains/login.keychain-db"
        version: 512
        class: "inet"
        attributes:
            0x00000007 <blob>="example.org"
            "acct"<blob>="bert"
            "atyp"<blob>="dflt"
            "path"<blob>="/login"
            "port"<uint32>=0x000001BB 
            "ptcl"<uint32>="htps"
            "sdmn"<blob>=<NULL>
            "srvr"<blob>="example.org"
        data:
        0x73C3A963726574  "s\303\251cret"
        keychain: "/Users/anna/Library/Keychains/login.keychain-db"
        version: 512
        class: 0x0000000F 
        attributes:
            0x00000001 <blob>="a key"
        data:
        keychain: "/Users/anna/Library/Keychains/login.keychain-db"
        version: 512
        class: "genp"
        attributes:
            0x00000007 <blob>="locked"
            "svce"<blob>="locked"
        data:

        """#

    private func imported(_ source: some ForeignSource) throws -> (items: [ItemRecord], refusals: [ImportRefusal]) {
        let store = InMemoryStore()
        let (tally, refusals) = try ForeignImport.run(source, into: store, group: "group")
        let items = try store.allItems()
        #expect(items.count == tally.added)
        // A second import has the same result.
        let again = try ForeignImport.run(source, into: store, group: "group")
        #expect(again.tally.same == items.count && again.refusals == refusals)
        return (items, refusals)
    }

    @Test func pythonKeyring_isRead() throws {
        let (items, refusals) = try imported(PythonKeyringFile(content: Data(Self.keyring.utf8)))
        let found = items.map { [$0.attributes[.service]?.string, $0.attributes[.account]?.string, $0.text] }
        #expect(
            found == [
                ["mail.example.org", "anna", "sécret"], ["mail.example.org", "b@example", "two lines"], ["x", "y", ""],
            ])
        #expect(refusals.isEmpty)
        #expect(items.allSatisfy { $0.attributes[.accessGroup]?.string == "group" })
    }

    @Test func pythonKeyringThatIsEncrypted_isRefusedWithAWord() throws {
        let text = "[keyring_2Dsetting]\npassword reference = \n\teyJ4\n"
        #expect(code { _ = try imported(PythonKeyringFile(content: Data(text.utf8))) } == .unsupported)
    }

    @Test func dumpOfAMac_isRead() throws {
        let (items, refusals) = try imported(KeychainDump(content: Data(Self.dump.utf8)))
        let password = try #require(items.first { $0.itemClass == .genericPassword })
        #expect(password.text == "plain \"secret\"")
        #expect(password.attributes[.label]?.string == "A label with \"quotes\"")
        #expect(password.attributes[.service]?.string == "München" && password.attributes[.account]?.string == "anna")
        #expect(password.attributes[.creator]?.integer == 0x6161_706C)
        #expect(
            password.attributes[.generic]?.matchKey == AttributeValue.data(Data([0xDE, 0xAD, 0xBE, 0xEF])).matchKey)
        #expect(password.attributes[.creationDate]?.date == Date(timeIntervalSince1970: 1_767_323_045))
        let internet = try #require(items.first { $0.itemClass == .internetPassword })
        #expect(internet.text == "sécret" && internet.attributes[.server]?.string == "example.org")
        #expect(internet.attributes[.port]?.integer == 443 && internet.attributes[.protocol]?.string == "htps")
        #expect(internet.attributes[.authenticationType]?.string == "dflt")
        #expect(items.count == 2 && refusals.map(\.name) == ["an item without a name", "locked"])
    }

    /// The output of this `security dump-keychain -d`, in which empty values have neither digits nor quotation marks.
    @Test func ownDump_withEmptyValues_isRead() throws {
        let entry = """
            keychain: "/home/anna/.local/share/secitem"
            version: 512
            class: "inet"
            attributes:
                "acct"<blob>=
                "atyp"<blob>=0x00000000\(" ")
                "ptcl"<uint32>=0x00000000\(" ")
                "srvr"<blob>="example.org"
            data:

            """
        let (items, refusals) = try imported(KeychainDump(content: Data((entry + "\n").utf8)))
        #expect(refusals.isEmpty && items.map(\.text) == [""])
        let empty = AttributeKind.number.emptyValue.matchKey
        #expect(items.first?.attributes[.protocol].map { $0.matchKey == empty || $0.string == "" } ?? true)
        #expect(items.first?.attributes[.account]?.string == "")
        // An entry that was cut off after the word does not have an empty password.
        let cutOff = try imported(KeychainDump(content: Data(entry.utf8)))
        #expect(cutOff.items.isEmpty && cutOff.refusals.map(\.reason) == ["its password is not in the dump"])
    }

    /// What is no list of passwords is refused before anything of it is kept: no list of its lines is made.
    @Test func endlessFiles_areRefused() throws {
        let feeds = Data(repeating: 0x0a, count: 10_000)
        #expect(code { _ = try imported(KeychainDump(content: feeds)) } == .corrupt)
        #expect(try imported(PythonKeyringFile(content: feeds)).items.isEmpty)
        let lines = Data(repeating: 0x0a, count: ImportedText.greatestLineCount + 1)
        #expect(code { _ = try imported(PythonKeyringFile(content: lines)) } == .tooLarge)
        #expect(code { _ = try imported(KeychainDump(content: Data("keychain: x\n".utf8) + lines)) } == .tooLarge)
        let items = Data(String(repeating: "keychain: \n", count: ImportedText.greatestCount + 1).utf8)
        #expect(code { _ = try imported(KeychainDump(content: items)) } == .tooLarge)
        let sections = Data(String(repeating: "[a]\n", count: ImportedText.greatestCount + 1).utf8)
        #expect(code { _ = try imported(PythonKeyringFile(content: sections)) } == .tooLarge)
        // Line feeds within an item are lines like any other.
        let (read, refusals) = try imported(KeychainDump(content: Data("keychain: x\n".utf8) + feeds))
        #expect(read.isEmpty && refusals.count == 1)
        // A file of one byte more than the limit is not read.
        let folder = try TemporaryFolder()
        let path = folder.path + "/large"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, off_t(ImportedText.greatestSize + 1)) == 0)
        #expect(code { _ = try KeychainDump(path: path) } == .tooLarge)
    }

    /// A small file of `pass` may decompress to more than there is memory.
    @Test func endlessPassword_isRefused_andItsProgramEnded() throws {
        let folder = try TemporaryFolder()
        try Data("x".utf8).write(to: folder.url.appendingPathComponent("mail.gpg"))
        let program = folder.path + "/gpg"
        try "#!/bin/sh\nexec yes\n".write(toFile: program, atomically: false, encoding: .utf8)
        #expect(chmod(program, 0o755) == 0)
        let (items, refusals) = try imported(PasswordStoreFolder(folder: folder.path, gpg: program))
        #expect(items.isEmpty && refusals.map(\.reason) == ["it is too long for a password"])
    }

    /// An escape consists of two digits, without a sign.
    @Test(arguments: ["[a_+1]", "[a_-1]", "[a_ 1]", "[a_4]", "[a_]"])
    func pythonKeyring_withAnEscapeThatIsNone_isRefused(section: String) throws {
        let (items, refusals) = try imported(PythonKeyringFile(content: Data("\(section)\nx = YQ==\n".utf8)))
        #expect(items.isEmpty && refusals.count == 1)
    }

    /// Whatever is changed in a file: an item is missing, the import is refused, or it fails. It never traps.
    @Test func changedFiles_areReadOrRefused() throws {
        var random = SeededGenerator()
        for round in RandomRounds.usually(1000) {
            var bytes = Array((round % 2 == 0 ? Self.keyring : Self.dump).utf8)
            for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(position...)
                case 2: bytes.insert(contentsOf: bytes[..<position].suffix(40), at: position)
                default: bytes.removeSubrange(position..<min(bytes.count, position + 9))
                }
            }
            let data = Data(bytes), store = InMemoryStore()
            let found = code {
                if round % 2 == 0 {
                    _ = try ForeignImport.run(PythonKeyringFile(content: data), into: store, group: "group")
                } else {
                    _ = try ForeignImport.run(KeychainDump(content: data), into: store, group: "group")
                }
            }
            #expect(found == nil || found == .corrupt || found == .unsupported)
        }
    }

    // MARK: pass

    private static let hasGPG = FileManager.default.isExecutableFile(atPath: "/usr/bin/gpg")

    @Test(.enabled(if: hasGPG, "gpg is not installed"))
    func passwordStore_isReadThroughGPG() throws {
        let folder = try TemporaryFolder()
        let home = folder.path + "/gnupg", passwords = folder.path + "/store"
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in ["mail/example.org", ".git"] {
            try FileManager.default.createDirectory(atPath: passwords + "/" + name, withIntermediateDirectories: true)
        }
        let environment = Program.inheritedEnvironment.merging(["GNUPGHOME": home]) { $1 }
        func gpg(_ arguments: [String], input: String = "") throws {
            try Program("gpg", ["--batch", "--quiet"] + arguments, environment: environment).output(input: input)
        }
        defer { _ = try? Program("gpgconf", ["--kill", "all"], environment: environment).run() }
        try gpg(["--passphrase", "", "--quick-generate-key", "test@example.org", "default", "default", "never"])
        func store(_ name: String, _ content: String) throws {
            try gpg(
                ["--trust-model", "always", "-r", "test@example.org", "-o", passwords + "/" + name, "-e"],
                input: content)
        }
        try store("mail/example.org/anna.gpg", "sécret\n")
        try store("wifi.gpg", "no line break")
        try store("mail/more.gpg", "first\nsecond\n")
        try Data("junk".utf8).write(to: URL(fileURLWithPath: passwords + "/junk.gpg"))
        try Data("junk".utf8).write(to: URL(fileURLWithPath: passwords + "/.git/x.gpg"))
        // gpg, with a home folder for this test.
        let wrapper = folder.path + "/gpg"
        try "#!/bin/sh\nGNUPGHOME='\(home)' exec gpg \"$@\"\n".write(toFile: wrapper, atomically: true, encoding: .utf8)
        chmod(wrapper, 0o700)
        let (items, refusals) = try imported(PasswordStoreFolder(folder: passwords, gpg: wrapper))
        let found = items.map { [$0.attributes[.service]?.string, $0.attributes[.account]?.string, $0.text] }
        #expect(found == [["mail/example.org", "anna", "sécret"], ["wifi", "", "no line break"]])
        #expect(refusals.map(\.name) == ["junk", "mail/more"])
        let first = try imported(PasswordStoreFolder(folder: passwords, keepsFirstLine: true, gpg: wrapper))
        #expect(first.items.map(\.text).contains("first") && first.refusals.map(\.name) == ["junk"])
        #expect(
            code { _ = try imported(PasswordStoreFolder(folder: passwords, gpg: "/nonexistent/gpg")) } == .unsupported)
        #expect(code { _ = try imported(PasswordStoreFolder(folder: folder.path + "/none")) } == .unavailable)
    }

    /// Names that are no text keep their bytes: otherwise two items would have one name.
    @Test func dump_keepsNamesThatAreNoText() throws {
        let item = { (byte: String, digits: String) in
            """
            keychain: "x"
            class: "genp"
            attributes:
                "acct"<blob>="a"
                "svce"<blob>=0x\(byte)  "\\\(digits)"
            data:
            "\(byte)"

            """
        }
        let dump =
            item("FF", "377") + item("FE", "376")
            + item("FF", "377").replacingOccurrences(of: "genp", with: "inet")
            .replacingOccurrences(of: "svce", with: "srvr")
        let (items, refusals) = try imported(KeychainDump(content: Data(dump.utf8)))
        #expect(refusals.isEmpty)
        let names = items.map { ($0.attributes[.service] ?? $0.attributes[.server])?.matchKey }
        #expect(names == [0xff, 0xfe, 0xff].map { AttributeValue.data(Data([$0])).matchKey })
    }

    /// Nobody is to believe that everything was imported: what is not looked into is named.
    @Test func passwordFolder_namesWhatItDoesNotLookInto() throws {
        let folder = try TemporaryFolder()
        let passwords = folder.path + "/passwords", elsewhere = folder.path + "/elsewhere"
        for path in [passwords, passwords + "/sub", elsewhere] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        let gpg = folder.path + "/gpg"
        try "#!/bin/sh\nfor file; do :; done; exec cat \"$file\"\n".write(
            toFile: gpg, atomically: true, encoding: .utf8)
        chmod(gpg, 0o700)
        for path in [passwords + "/a.gpg", passwords + "/sub/b.gpg", elsewhere + "/c.gpg"] {
            try "secret\n".write(toFile: path, atomically: true, encoding: .utf8)
        }
        symlink(elsewhere, passwords + "/linked")
        // A link to itself, and one to a file that is not meant.
        symlink(passwords, passwords + "/sub/loop")
        symlink(gpg, passwords + "/program")
        symlink(elsewhere + "/c.gpg", passwords + "/link.gpg")
        #expect(mkdir(passwords + "/m\u{fc}ll", 0o700) == 0)
        let bytes = Array("\(passwords)/".utf8.map { CChar(bitPattern: $0) }) + [CChar(bitPattern: 0xff), 0]
        #expect(mkdir(bytes, 0o700) == 0)
        // The folder itself may be reached by a link: many people keep it elsewhere.
        symlink(passwords, folder.path + "/store")
        for path in [passwords, folder.path + "/store", folder.path + "/store/"] {
            let (items, refusals) = try imported(PasswordStoreFolder(folder: path, gpg: gpg))
            #expect(items.count == 2, "\(path)")
            #expect(refusals.map(\.name) == ["linked", "sub/loop", "\u{fffd}", "link"], "\(path): \(refusals)")
        }
    }

    /// A folder that cannot be read has passwords that are not imported.
    @Test(.enabled(if: geteuid() != 0))
    func passwordFolder_thatCannotBeRead_isNamed() throws {
        let folder = try TemporaryFolder()
        let closed = folder.path + "/closed"
        #expect(mkdir(closed, 0) == 0)
        defer { chmod(closed, 0o700) }
        #expect(try imported(PasswordStoreFolder(folder: folder.path)).refusals.map(\.name) == ["closed"])
        #expect(try imported(PasswordStoreFolder(folder: closed)).refusals.count == 1)
    }
}
