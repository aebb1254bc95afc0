// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Certificates, keys and identities, with files that OpenSSL makes.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "openssl is not installed"))
struct IdentityCommandTests {
    private let fixture: CommandFixture
    private let certificate: String
    private let file: String
    /// The SHA-1 digest that OpenSSL computes.
    private let hash: String

    init() throws {
        fixture = try CommandFixture()
        let folder = fixture.folder.path
        (certificate, file) = (folder + "/cert.pem", folder + "/id.p12")
        try Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            folder + "/key.pem", "-out", certificate, "-days", "30", "-subj",
            "/CN=Developer ID Application: Anna (ABCDE12345)/emailAddress=anna@example.com", "-addext",
            "extendedKeyUsage=critical,codeSigning", "-addext", "keyUsage=critical,digitalSignature")
        try Self.openssl(
            "pkcs12", "-export", "-inkey", folder + "/key.pem", "-in", certificate, "-out", file, "-passout",
            "pass:p12pw")
        let fingerprint = try Self.openssl("x509", "-in", certificate, "-noout", "-fingerprint", "-sha1")
        hash = fingerprint.split(separator: "=")[1].filter { $0 != ":" && $0 != "\n" }
        try fixture.makeKeychain("build.keychain", password: "kcpw")
    }

    @discardableResult
    private static func openssl(_ arguments: String...) throws -> String {
        try Program("/usr/bin/openssl", arguments).output()
    }

    /// The usual steps on a build machine, line by line.
    @Test func signingRecipe_runsLineByLine() throws {
        try fixture.program(["delete-keychain", "build.keychain"]).output()
        let recipe: [([String], String)] = [
            (["create-keychain", "-p", "kcpw", "build.keychain"], ""),
            (["default-keychain", "-s", "build.keychain"], ""),
            (["unlock-keychain", "-p", "kcpw", "build.keychain"], ""),
            (["set-keychain-settings", "-t", "3600", "-u", "build.keychain"], ""),
            (
                [
                    "import", file, "-k", "build.keychain", "-P", "p12pw", "-T", "/usr/bin/codesign", "-T",
                    "/usr/bin/security",
                ], "1 identity imported.\n"
            ),
            (["list-keychains", "-d", "user", "-s", "build.keychain", "login.keychain"], ""),
        ]
        for (line, output) in recipe {
            let result = try fixture.program(line).run()
            #expect(result.status == 0 && result.output == output && result.errors.isEmpty, "\(line): \(result)")
        }
        let partitions = ["set-key-partition-list", "-S", "apple-tool:,apple:,codesign:", "-s", "-k"]
        #expect(try fixture.program(partitions + ["wrong", "build.keychain"]).run().status == 51)
        let shown = try fixture.program(partitions + ["kcpw", "build.keychain"]).run()
        #expect(shown.status == 0)
        #expect(shown.output.components(separatedBy: "class: 0x00000010 \n").count == 2)
        let found = try fixture.run("find-identity", "-p", "codesigning", "build.keychain")
        #expect(found.status == 0)
        #expect(
            found.output == """

                Policy: Code Signing
                  Matching identities
                  1) \(hash) "Developer ID Application: Anna (ABCDE12345)" (CSSMERR_TP_NOT_TRUSTED)
                     1 identities found

                  Valid identities only
                     0 valid identities found

                """)
        #expect(try fixture.run("find-identity", "-v", "-p", "codesigning").output == "     0 valid identities found\n")
        #expect(try fixture.run("delete-keychain", "build.keychain").status == 0)
        #expect(try fixture.run("find-identity", "-v").output == "     0 valid identities found\n")
    }

    /// As on a Mac, this option takes two words, in any place and of any form. They have no effect here.
    @Test(arguments: [
        ["-a", "name", "value"], ["-aname", "value"], ["-a", "-k", "-P"], ["-a", "one", "1", "-a", "two", "2"],
    ])
    func extendedAttributes_areAccepted_andSaidOnce(options: [String]) throws {
        let line = ["-k", "build.keychain", "-P", "p12pw"]
        for words in [options + [file] + line, line + options + [file], [file] + line + options] {
            let result = try fixture.program(["-v", "import"] + words).run()
            #expect(result.status == 0 && result.output == "1 identity imported.\n", "\(words): \(result)")
            #expect(result.errors.components(separatedBy: "-a has no effect on Linux: ").count == 2)
            try fixture.program(["delete-identity", "-Z", hash, "build.keychain"]).output()
        }
        for incomplete in [["-a"], ["-a", "name"], ["-aname"]] {
            #expect(try fixture.program(["import", file] + line + incomplete).run().status == 2)
        }
    }

    @Test func import_saysWhatCameAndRefusesASecondTime() throws {
        let line = ["import", file, "-k", "build.keychain", "-P", "p12pw"]
        #expect(try fixture.program(line).run().output == "1 identity imported.\n")
        let again = try fixture.program(line).run()
        #expect(again.status == 1)
        #expect(again.errors.contains("already exists"))
        let wrong = try fixture.run("import", file, "-k", "build.keychain", "-P", "wrong")
        #expect(wrong.status == 1 && wrong.output.isEmpty)
        #expect(try fixture.run("import", "/nonexistent", "-k", "build.keychain").status == 1)
        #expect(try fixture.run("import", file, "-f", "nonsense").status == 2)
        #expect(try fixture.run("import", file, "-t", "nonsense").status == 2)
    }

    /// Options in build scripts that name the format of a file, although its content shows it.
    @Test(arguments: [
        ["-A", "-t", "cert", "-f", "pkcs12"], ["-t", "cert"], ["-t", "priv"], ["-t", "pub"], ["-t", "agg"],
        ["-f", "pkcs12"],
    ])
    func import_ofPKCS12_takesAnyKindOfItems(options: [String]) throws {
        let line = ["import", file, "-P", "p12pw", "-k", "build.keychain"] + options
        #expect(try fixture.program(line).run().output == "1 identity imported.\n")
    }

    @Test func import_ofPEM_goesByItsBlocks() throws {
        let key = fixture.folder.path + "/key.pem"
        let line = ["import", key, "-x", "-t", "priv", "-f", "openssl", "-k", "build.keychain"]
        #expect(try fixture.program(line).run().output == "1 key imported.\n")
    }

    @Test func import_intoAMissingKeychain_asksForNothing() throws {
        let result = try fixture.run("import", file, "-k", "missing.keychain")
        #expect(result.status == 1)
        #expect(result.errors.contains("The specified keychain could not be found."))
    }

    /// On a Mac, these commands print what failed, and exit with 1.
    @Test func importExportAndVerification_failWith1() throws {
        let lines = [
            ["import", file, "-P", "p12pw", "-k"], ["export", "-k"], ["verify-cert", "-c", certificate, "-k"],
        ]
        for line in lines { #expect(try fixture.program(line + ["missing.keychain"]).run().status == 1, "\(line)") }
        try fixture.run("lock-keychain", "build.keychain")
        for line in lines { #expect(try fixture.program(line + ["build.keychain"]).run().status == 1, "\(line)") }
        #expect(try fixture.run("export", "-t", "nonsense").status == 2)
    }

    /// The command first looks for the keychain. If it is missing, nothing becomes trusted.
    @Test func trustedCertificate_forAMissingKeychain_isRefusedFirst() throws {
        for keychain in ["missing", "/Library/Keychains/Other.keychain", "/System/Library/Keychains/System.keychain"] {
            #expect(try fixture.run("add-trusted-cert", "-d", "-k", keychain, "/nonexistent").status == 50)
        }
        #expect(try fixture.run("add-trusted-cert", "-d", "/nonexistent").status == 1)
        // On a Mac, this is the keychain of the system. Here it stands for the machine.
        let keychain = "/Library/Keychains/System.keychain"
        let machine = try fixture.run("-v", "add-trusted-cert", "-d", "-k", keychain, "/nonexistent")
        #expect(machine.status == 1 && machine.errors.contains("-k \(keychain) has no effect on Linux: "))
    }

    /// Files of certificates have no passphrase, and nobody is asked for one.
    @Test func fileWithAPassphrase_isRefused_withoutAsking() throws {
        let store = fixture.folder.path + "/certificates.p12"
        try Self.openssl("pkcs12", "-export", "-nokeys", "-in", certificate, "-out", store, "-passout", "pass:p12pw")
        for line in [["remove-trusted-cert", "-d", store], ["verify-cert", "-c", store]] {
            let silent = try fixture.program(line).run()
            #expect(silent.status == 1 && silent.errors.contains("SecKeychainItemImport"), "\(silent)")
            let answered = try fixture.program(line).run(input: "p12pw\n")
            #expect(answered.status == 1 && answered.errors == silent.errors && answered.output == silent.output)
        }
    }

    /// Otherwise, a script would continue and sign with a key that does not exist.
    @Test func keyPartitionList_ofNoKey_isAnError() throws {
        let result = try fixture.run("set-key-partition-list", "-S", "apple:", "-s", "-k", "kcpw", "build.keychain")
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(
            result.errors
                == "security: SecItemCopyMatching: The specified item could not be found in the keychain.\n")
    }

    /// An unreadable keychain in the list does not affect the others, and is reported once.
    @Test(arguments: ["damaged", "locked", "last and damaged"])
    func keychainThatCannotBeLookedThrough_isSaidOnce(_ state: String) throws {
        try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
        try fixture.makeKeychain("bad")
        try fixture.run("import", file, "-k", "bad", "-P", "p12pw")
        let order = state.hasPrefix("last") ? ["build.keychain", "bad"] : ["bad", "build.keychain"]
        try fixture.program(["list-keychains", "-s"] + order).output()
        if state == "locked" {
            try fixture.run("lock-keychain", "bad")
        } else {
            try "damage".write(toFile: fixture.path(of: "bad") + "/items.db", atomically: false, encoding: .utf8)
        }
        let finding = [["find-identity"], ["find-key"], ["dump-keychain"], ["find-certificate", "-a"]]
        for line in finding {
            let found = try fixture.program(line).run()
            let alone = try fixture.program(line + ["build.keychain"]).run()
            #expect(found.status == 0 && found.output.contains(alone.output), "\(line): \(found)")
            // Certificates in a locked keychain can be read.
            if state == "locked" && line == finding[3] { continue }
            #expect(found.output == alone.output || state == "locked" && line == finding[2], "\(line)")
            // The library may log a message before it.
            let said = "security: \(fixture.path(of: "bad")): SecKeychain"
            #expect(found.errors.components(separatedBy: said).count == 2, "\(line): \(found.errors)")
            let named = try fixture.program(line + ["bad"]).run()
            #expect(state == "locked" ? named.status == 36 : ![0, 44].contains(named.status), "\(line): \(named)")
        }
        // If nothing is found, the item may be in that keychain.
        let nothing = try fixture.run("find-key", "-l", "none")
        #expect(state == "locked" ? nothing.status == 36 : ![0, 44].contains(nothing.status), "\(nothing)")
        // Nothing is deleted, because another item might match.
        #expect(try fixture.run("delete-identity", "-Z", hash).status != 0)
        #expect(try fixture.run("find-identity", "build.keychain").output.contains("1 identities found"))
    }

    @Test func import_asksForThePassphrase() throws {
        #expect(try fixture.run("import", file, "-k", "build.keychain", input: "p12pw\n").status == 0)
        let terminal = try fixture.onTerminal("import", file, "-k", "login.keychain")
        try terminal.waitFor("password for \"id.p12\": ")
        try terminal.waitFor(echo: false)
        terminal.type("p12pw\n")
        #expect(try terminal.waitUntilExit() == 0)
        #expect(terminal.screen.contains("1 identity imported."))
        #expect(!terminal.screen.contains("p12pw"))
    }

    @Test func keyThatIsNotExtractable_staysInTheKeychain() throws {
        #expect(try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw", "-x").status == 0)
        let exported = try fixture.run("export", "-k", "build.keychain", "-t", "privKeys")
        #expect(exported.status == 1 && exported.output.isEmpty)
        #expect(try fixture.run("find-identity", "build.keychain").output.contains("1 identities found"))
    }

    @Test func export_isReadByOpenSSL() throws {
        try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
        let out = fixture.folder.path + "/out.p12"
        let export = ["export", "-k", "build.keychain", "-t", "identities", "-f", "pkcs12", "-P", "out", "-o", out]
        #expect(try fixture.program(export).run().status == 0)
        let text = try Self.openssl("pkcs12", "-in", out, "-passin", "pass:out", "-nodes")
        #expect(text.contains("BEGIN PRIVATE KEY") && text.contains("BEGIN CERTIFICATE"))
        var status = stat()
        #expect(stat(out, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let pem = try fixture.run("export", "-k", "build.keychain", "-t", "certs", "-p")
        #expect(pem.output.trimmed == (try String(contentsOfFile: certificate, encoding: .utf8)).trimmed)
        let piped = try fixture.program(["export", "-k", "build.keychain", "-t", "privKeys", "-w", "-p"])
        #expect(try piped.run(input: "phrase\n").output.contains("BEGIN ENCRYPTED PRIVATE KEY"))
        let standardOutput = try fixture.run("export", "-k", "build.keychain", "-t", "certs", "-p", "-o", "-")
        #expect(standardOutput.output == pem.output)
        #expect(try fixture.run("export", "-k", "login.keychain").status == 1)
    }

    /// An export replaces a whole file, and does not follow links. A pipe gets the same content.
    @Test func export_writesNoFileOfOthers() throws {
        try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
        let folder = fixture.folder.path
        let export = ["export", "-k", "build.keychain", "-t", "certs", "-p", "-o"]
        let there = folder + "/there", link = folder + "/link", pipe = folder + "/pipe"
        try "before".write(toFile: there, atomically: false, encoding: .utf8)
        chmod(there, 0o666)
        let reader = try #require(FileHandle(forReadingAtPath: there))
        symlink(there, link)
        #expect(try fixture.program(export + [link]).run().status == 1)
        #expect(try String(contentsOfFile: there, encoding: .utf8) == "before")
        #expect(try fixture.program(export + [there]).run().status == 0)
        let pem = try String(contentsOfFile: there, encoding: .utf8)
        #expect(pem.contains("BEGIN CERTIFICATE"))
        // A program that has the old file open does not see the new content.
        #expect(try reader.readToEnd() == Data("before".utf8))
        var status = stat()
        #expect(stat(there, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try fixture.program(export + ["/dev/stdout"]).run().output == pem)
        mkfifo(pipe, 0o600)
        let cat = try Program("/bin/cat", [pipe]).start()
        #expect(try fixture.program(export + [pipe]).run().status == 0)
        #expect(try cat.waitUntilExit().output == pem)
        #expect(try fixture.program(export + ["/dev/full"]).run().status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains("unfinished") })
    }

    /// What a shell has opened with `>>` keeps its content, whichever name it has. A number that the shell has not opened
    /// is none of this program's own files.
    @Test(arguments: ["export", "cms"])
    func output_toWhatIsOpen_isAppended(command: String) throws {
        try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
        let kept = fixture.folder.path + "/kept"
        let words =
            command == "export"
            ? ["export", "-k", "build.keychain", "-t", "certs", "-p", "-o"]
            : ["cms", "-S", "-N", "anna@example.com", "-k", "build.keychain", "-i", certificate, "-o"]
        let names = [
            ("/dev/stdout", ">>"), ("/dev/stderr", "2>>"), ("/dev/fd/7", "7>>"), ("/dev//stdout", ">>"),
            ("/dev/../dev/fd/./1", ">>"), ("/proc/self/fd/1", ">>"), ("/proc/thread-self/fd/7", "7>>"),
        ]
        for (path, redirection) in names {
            try "kept".write(toFile: kept, atomically: false, encoding: .utf8)
            let program = try fixture.program(words + [path])
            let shell = Program(
                "/bin/bash", ["-c", "\"$@\" \(redirection)\"$0\"", kept, program.executable] + program.arguments,
                environment: program.environment)
            #expect(try shell.run().status == 0, "\(path)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: kept))
            #expect(bytes.starts(with: Data("kept".utf8)) && bytes.count > 200, "\(path)")
        }
        for number in [3, 4, 7, 19] {
            #expect(try fixture.program(words + ["/dev/fd/\(number)"]).run().status == 1)
        }
        #expect(try fixture.run("check", "--keychain", "build.keychain").status == 0)
    }

    /// What is no file, pipe or character device is refused and stays what it is: a disk under `/dev` above all.
    @Test func export_replacesNothingButFiles() throws {
        try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
        var paths: [String] = []
        // Only root may make a disk. No driver has this one.
        for (name, kind) in [("folder", S_IFDIR), ("socket", S_IFSOCK), ("disk", S_IFBLK)] {
            let path = "\(fixture.folder.path)/\(name)"
            let made = kind == S_IFDIR ? mkdir(path, 0o700) : mknod(path, kind | 0o600, kind == S_IFBLK ? 240 << 8 : 0)
            if made == 0 { paths.append(path) }
        }
        #expect(paths.count >= 2)
        for path in paths {
            var before = stat(), after = stat()
            #expect(lstat(path, &before) == 0)
            let refused = try fixture.run("export", "-k", "build.keychain", "-t", "privKeys", "-o", path)
            #expect(refused.status == 1, "\(path): \(refused)")
            #expect(refused.errors.contains("\(path) is not a file, a pipe or a character device"), "\(refused)")
            #expect(
                lstat(path, &after) == 0 && after.st_mode == before.st_mode && after.st_ino == before.st_ino, "\(path)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
        #expect(names.allSatisfy { !$0.contains("unfinished") })
    }

    /// Who owns a pipe can read what is written into it. Links in shared folders could lead to anybody's file.
    @Test(.enabled(if: geteuid() == 0))
    func export_writesNoSecretForOthers() throws {
        try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
        let folder = fixture.folder.path, pipe = folder + "/pipe", link = "/dev/shm/\(UUID().uuidString)"
        let export = ["export", "-k", "build.keychain", "-t", "privKeys", "-o"]
        mkfifo(pipe, 0o666)
        #expect(chown(pipe, 65_534, 65_534) == 0)
        // So that opening the pipe does not wait.
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let refused = try fixture.program(export + [pipe]).run()
        #expect(refused.status == 1 && refused.errors.contains("pipe of user 65534"))
        var byte: UInt8 = 0
        #expect(read(reader, &byte, 1) == 0)
        symlink(folder + "/there", link)
        defer { unlink(link) }
        _ = FileManager.default.createFile(atPath: folder + "/there", contents: nil)
        #expect(try fixture.program(export + [link]).run().status == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/there")).isEmpty)
    }

    /// A certificate's names cannot add lines to the output.
    @Test func namesInCertificates_stayWithinTheirLine() throws {
        let folder = fixture.folder.path
        try Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            folder + "/k3.pem", "-out", folder + "/c3.pem", "-utf8", "-subj",
            "/CN=Bert\n  2) FORGED\u{1b}[2J/emailAddress=a@example.com\nSHA-256 hash: FORGED")
        try Self.openssl(
            "pkcs12", "-export", "-inkey", folder + "/k3.pem", "-in", folder + "/c3.pem", "-passout", "pass:x", "-out",
            folder + "/c3.p12")
        #expect(try fixture.run("import", folder + "/c3.p12", "-k", "build.keychain", "-P", "x").status == 0)
        let identities = try fixture.run("find-identity", "build.keychain")
        #expect(identities.output.contains("Bert\\012  2) FORGED\\033[2J"))
        let found = try fixture.run("find-certificate", "-a", "-m", "-Z", "build.keychain")
        for text in [identities.output, found.output] {
            #expect(!text.contains("\u{1b}"))
            #expect(
                !text.split(separator: "\n").contains { $0.hasPrefix("  2)") || $0.hasPrefix("SHA-256 hash: FORGED") })
        }
    }

    /// Bytes that are not text are refused as a passphrase, because they would be converted to another one.
    @Test func passphraseThatIsNoText_isRefused() throws {
        let command = try fixture.program([]).executable
        for line in ["import '\(file)' -k build.keychain", "export -k build.keychain -t identities -f pkcs12"] {
            try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
            let shell = Program(
                "/bin/sh", ["-c", "printf 'a\\377\\n' | '\(command)' \(line)"], environment: fixture.environment)
            let result = try shell.run()
            #expect(result.status == 1 && result.output.isEmpty && result.errors.contains("UTF-8"), "\(line)")
        }
    }

    @Test func certificates_areFoundByNameAddressAndHash() throws {
        #expect(try fixture.run("add-certificates", "-k", "build.keychain", certificate).status == 0)
        #expect(try fixture.run("add-certificates", "-k", "build.keychain", certificate).status == 45)
        let hashed = try fixture.run("find-certificate", "-a", "-c", "anna", "-Z", "build.keychain")
        #expect(hashed.output.contains("SHA-1 hash: \(hash)\n"))
        #expect(hashed.output.contains("class: 0x80001000 \n"))
        let pem = try fixture.run("find-certificate", "-e", "ANNA@example.com", "-mp")
        #expect(pem.output.hasPrefix("email addresses: anna@example.com\n-----BEGIN CERTIFICATE-----\n"))
        #expect(pem.output.contains(try String(contentsOfFile: certificate, encoding: .utf8).trimmed))
        #expect(try fixture.run("find-certificate", "-c", "Bert").status == 44)
        #expect(try fixture.run("find-certificate", "-a", "-c", "Bert").status == 0)
        #expect(try fixture.run("delete-certificate", "build.keychain").status == 2)
        #expect(try fixture.run("delete-certificate", "-Z", hash.lowercased(), "build.keychain").status == 0)
        #expect(try fixture.run("delete-certificate", "-c", "Anna", "build.keychain").status == 44)
    }

    /// If two certificates match, neither is deleted.
    @Test func deletion_ofWhatIsAmbiguous_deletesNothing() throws {
        let folder = fixture.folder.path
        try Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            folder + "/k2.pem", "-out", folder + "/c2.pem", "-subj", "/CN=Anna")
        try fixture.run("add-certificates", "-k", "build.keychain", certificate, folder + "/c2.pem")
        let ambiguous = try fixture.run("delete-certificate", "-c", "ann", "build.keychain")
        #expect(ambiguous.status == 1 && ambiguous.errors.contains("is ambiguous"))
        // A full name selects one of them.
        #expect(try fixture.run("delete-certificate", "-c", "Anna", "build.keychain").status == 0)
        #expect(try fixture.run("find-certificate", "-c", "Developer", "build.keychain").status == 0)
    }

    /// The key's name in a PKCS #12 file is its label, also after an export and another import.
    @Test func nameOfAKey_isItsLabel() throws {
        let folder = fixture.folder.path
        let name = "Anna’s clé"
        let pem = folder + "/named.pem", key = folder + "/named.key"
        try Program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
                "-out", pem, "-subj", "/CN=common name",
            ]
        ).output()
        for withoutCertificate in [false, true] {
            let options = withoutCertificate ? ["-nocerts"] : []
            try Program(
                "/usr/bin/openssl",
                ["pkcs12", "-export", "-inkey", key, "-in", pem, "-name", name] + options + [
                    "-passout", "pass:x", "-out", folder + "/named.p12",
                ]
            ).output()
            var file = folder + "/named.p12"
            for keychain in ["first-\(withoutCertificate)", "second-\(withoutCertificate)"] {
                try fixture.makeKeychain(keychain)
                try fixture.program(["import", file, "-k", keychain, "-P", "x"]).output()
                #expect(try fixture.run("find-key", "-l", name, keychain).status == 0)
                #expect(try fixture.run("find-key", "-l", "common name", keychain).status != 0)
                let list = ["set-key-partition-list", "-S", "apple:", "-s", "-k", "pw", "-l", name, keychain]
                #expect(try fixture.program(list).run().status == 0)
                file = "\(folder)/\(keychain).p12"
                try fixture.program([
                    "export", "-k", keychain, "-t", withoutCertificate ? "privKeys" : "identities", "-f", "pkcs12",
                    "-P",
                    "x", "-o", file,
                ]).output()
            }
            let shown = try Program(
                "/usr/bin/openssl", ["pkcs12", "-in", file, "-passin", "pass:x", "-nodes", "-nocerts"]
            ).output()
            #expect(shown.contains("friendlyName: Anna"))
        }
    }

    @Test func fileWithoutMAC_isRefusedWithAWord() throws {
        let folder = fixture.folder.path
        try Program(
            "/usr/bin/openssl",
            [
                "pkcs12", "-export", "-nokeys", "-in", certificate, "-nomac", "-passout", "pass:x", "-out",
                folder + "/nomac.p12",
            ]
        ).output()
        let result = try fixture.run("import", folder + "/nomac.p12", "-P", "x")
        #expect(result.status == 1 && result.errors.contains("the PKCS #12 file has no MAC"), "\(result)")
    }

    @Test func identity_isDeletedWhole() throws {
        try fixture.run("import", file, "-k", "build.keychain", "-P", "p12pw")
        #expect(try fixture.run("delete-identity", "-Z", hash, "build.keychain").status == 0)
        #expect(try fixture.run("dump-keychain", "build.keychain").output.isEmpty)
    }

    @Test func verification_asksForTheRightPurposeAndAuthority() throws {
        func verify(_ arguments: String...) throws -> FinishedProgram {
            try fixture.program(["verify-cert", "-c", certificate] + arguments).run()
        }
        #expect(try verify().errors == "Cert Verify Result: CSSMERR_TP_NOT_TRUSTED\n")
        #expect(try verify().status == 1)
        let good = try verify("-r", certificate, "-p", "codeSign")
        #expect(good.status == 0 && good.output == "...certificate verification successful.\n")
        #expect(try verify("-r", certificate, "-p", "ssl", "-n", "example.com").status == 1)
        #expect(try verify("-r", certificate, "-d", "2001-01-01").errors.contains("CSSMERR_TP_CERT_"))
        #expect(try verify("-R", "ocsp").status == 2)
        #expect(try verify("-R", "offline", "-R", "require").status == 2)
        #expect(try verify("-r", certificate, "-R", "offline").status == 0)
        #expect(try verify("-t").status == 2)
        for date in ["13/11/10", "2026-02-30", "-026-01-01", ""] {
            #expect(try verify("-r", certificate, "-d", date).status == 2, "\(date)")
        }
        // A server's name cannot be verified without the network.
        #expect(try verify("-r", certificate, "https://example.com").status == 1)
        #expect(try verify("-p", "nonsense").status == 2)
        #expect(try fixture.run("verify-cert").status == 2)
    }

    /// As on a Mac, the word after `-n` is a name, unless it is an option or missing.
    @Test func nameThatIsLeftOut_meansNoKeychains() throws {
        let other = try CommandFixture()
        for options in [["-n", "-c", certificate, "-r", certificate], ["-r", certificate, "-c", certificate, "-n"]] {
            #expect(try other.program(["verify-cert"] + options).run().status == 0)
        }
        let named = ["verify-cert", "-p", "ssl", "-r", certificate, "-c", certificate, "-n"]
        #expect(try other.program(named + ["example.com"]).run().errors.contains("CSSMERR_"))
        // The value of another option is not used as the name.
        #expect(try other.run("verify-cert", "-c", "-n").errors.contains("-n cannot be read"))
    }

    /// Every policy with every option for a name: the name is checked, for clients too, or the command line is wrong.
    @Test func everyPolicy_checksTheName_orRefusesIt() throws {
        let path = fixture.folder.path + "/named.pem"
        try Program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                fixture.folder.path + "/named.key", "-out", path, "-days", "30", "-subj", "/CN=named", "-addext",
                "subjectAltName=DNS:a.example,email:a@x.example", "-addext",
                "extendedKeyUsage=serverAuth,clientAuth,emailProtection,codeSigning", "-addext",
                "keyUsage=digitalSignature,keyCertSign",
            ]
        ).output()
        let policies: [(name: String, checks: String)] = [
            ("basic", ""), ("ssl", "host"), ("ssl-client", "host"), ("smime", "email"), ("codeSign", ""),
            ("IPSec", "host"), ("eap", "host"), ("timestamping", ""),
        ]
        let options: [(String, String)] = [("-n", "host email"), ("-s", "host"), ("-e", "email")]
        let names: [(String, String)] = [
            ("a.example", "host"), ("evil.example", ""), ("a@x.example", "email"), ("b@x.example", ""),
        ]
        for (policy, checked) in policies {
            for (option, kinds) in options {
                for (name, kind) in names {
                    for client in kind.isEmpty && policy == "ssl" ? [[], ["-C"]] : [[]] {
                        let result = try fixture.program(
                            ["verify-cert", "-N", "-r", path, "-c", path, "-p", policy, option, name] + client
                        ).run()
                        let isChecked = !checked.isEmpty && kinds.contains(checked)
                        let expected: Int32 = !isChecked ? 2 : kind == checked ? 0 : 1
                        #expect(
                            result.status == expected,
                            "\(policy) \(option) \(name) \(client): \(result)")
                    }
                }
            }
        }
        let verify = ["verify-cert", "-N", "-r", path, "-c", path]
        #expect(try fixture.program(verify + ["-n", "a.example"]).run().status == 2)
        #expect(try fixture.program(verify + ["-p", "ssl", "-n", ""]).run().status == 2)
        for two in [["-n", "a.example", "-s", "evil.example"], ["-n", "evil.example", "-n", "a.example"]] {
            #expect(try fixture.program(verify + ["-p", "ssl"] + two).run().status == 2, "\(two)")
        }
        for policy in ["basic", "codesigning", "timestamping"] {
            #expect(try fixture.run("find-identity", "-p", policy, "-s", "a.example").status == 2)
        }
    }

    /// A machine's bundle has more certificates than a trust takes. Only those that a chain may have are passed on.
    @Test func manyCertificatesInAKeychain_areNoObstacle() throws {
        let folder = fixture.folder.path
        func openssl(_ arguments: String) throws {
            try Program("/usr/bin/openssl", arguments.split(separator: " ").map(String.init)).output()
        }
        let curve = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        try "basicConstraints=critical,CA:TRUE\n".write(toFile: folder + "/ca", atomically: false, encoding: .utf8)
        try openssl("req -x509 \(curve) -keyout \(folder)/root.key -out \(folder)/root.pem -subj /CN=Root")
        try openssl("req -new \(curve) -keyout \(folder)/middle.key -out \(folder)/middle.csr -subj /CN=Middle")
        try openssl(
            "x509 -req -in \(folder)/middle.csr -CA \(folder)/root.pem -CAkey \(folder)/root.key -CAcreateserial "
                + "-extfile \(folder)/ca -out \(folder)/middle.pem")
        try openssl("req -new \(curve) -keyout \(folder)/leaf.key -out \(folder)/leaf.csr -subj /CN=Leaf")
        try openssl(
            "x509 -req -in \(folder)/leaf.csr -CA \(folder)/middle.pem -CAkey \(folder)/middle.key -CAcreateserial "
                + "-out \(folder)/leaf.pem")
        var many = ""
        for number in 0..<140 {
            try openssl("req -x509 -key \(folder)/root.key -out \(folder)/other.pem -subj /CN=Other\(number)")
            many += try String(contentsOfFile: folder + "/other.pem", encoding: .utf8)
        }
        try many.write(toFile: folder + "/many.pem", atomically: false, encoding: .utf8)
        try openssl(
            "pkcs12 -export -inkey \(folder)/leaf.key -in \(folder)/leaf.pem -out \(folder)/leaf.p12 -passout pass:x")
        try fixture.makeKeychain("many")
        try fixture.run("add-certificates", "-k", "many", folder + "/many.pem", folder + "/middle.pem")
        try fixture.run("import", folder + "/leaf.p12", "-k", "many", "-P", "x")
        let verify = try fixture.run("verify-cert", "-c", folder + "/leaf.pem", "-r", folder + "/root.pem")
        #expect(verify.status == 0, "\(verify)")
        let bundle = try fixture.run("verify-cert", "-c", folder + "/many.pem", "-r", folder + "/many.pem")
        #expect(bundle.status == 0, "\(bundle)")
        var trusting = fixture
        trusting.environment["SSL_CERT_FILE"] = folder + "/root.pem"
        let identities = try trusting.run("find-identity", "-v", "many")
        #expect(identities.output.contains("1 valid identities found"), "\(identities)")
        // A message brings along the certificates of its chain, and no others.
        try "text".write(toFile: folder + "/text", atomically: false, encoding: .utf8)
        let signed = try fixture.run("cms", "-S", "-N", "Leaf", "-i", folder + "/text", "-o", folder + "/message")
        #expect(signed.status == 0, "\(signed)")
        let read = try trusting.run("cms", "-D", "-h", "0", "-i", folder + "/message")
        #expect(read.output.contains("signer0.status=GoodSignature"), "\(read)")
    }

    @Test func verification_showsTheChainAndItsFailures() throws {
        let chain = "---\nCertificate chain\n 0: Developer ID Application: Anna (ABCDE12345)\n"
        let pem = try String(contentsOfFile: certificate, encoding: .utf8)
        let good = try fixture.run("verify-cert", "-c", certificate, "-r", certificate, "-P")
        #expect(good.output == "...certificate verification successful.\n" + chain + pem)
        let bad = try fixture.run("verify-cert", "-c", certificate, "-r", certificate, "-d", "2001-01-01", "-v")
        #expect(bad.status == 1 && bad.output.hasPrefix(chain + "---\nCertificate errors\n 0: Developer ID"))
        #expect(bad.output.contains("\n    [TemporalValidity]\n"))
    }

    @Test func trustedCertificate_asFewAsSaid() throws {
        let options = [
            ["-o", "settings"], ["-i", "in", "-o", "out"], ["-D"], [], ["-d"], ["-d", "-p", "ssl", certificate],
        ]
        for options in options {
            let result = try fixture.program(["add-trusted-cert"] + options).run()
            #expect(result.status == 2, "\(options): \(result)")
        }
    }

    /// Scripts look for a certificate's name there.
    @Test func certificate_hasItsAddressOrItsNameAsAlias() throws {
        let other = fixture.folder.path + "/other.pem"
        try Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            fixture.folder.path + "/other-key.pem", "-out", other, "-subj", "/CN=Ben@HOME Ltd")
        try Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            fixture.folder.path + "/other-key.pem", "-out", other + "2", "-subj", "/CN=x", "-addext",
            "subjectAltName=email:Carl@Example.COM")
        try fixture.program(["add-certificates", "-k", "build.keychain", certificate, other, other + "2"]).output()
        for command in [["find-certificate", "-a"], ["dump-keychain"]] {
            let lines = try fixture.program(command + ["build.keychain"]).output().split(separator: "\n")
            let aliases = lines.filter { $0.hasPrefix("    \"alis\"<blob>=") }.map { $0.dropFirst(17) }.sorted()
            #expect(aliases == ["\"Ben@home ltd\"", "\"Carl@example.com\"", "\"anna@example.com\""])
        }
    }

    /// Public scripts find what they look for, in the place and form that they expect.
    @Test func scripts_findWhatTheyLookFor() throws {
        try fixture.program(["import", file, "-k", "build.keychain", "-P", "p12pw"]).output()
        try fixture.program(["add-generic-password", "-a", "anna", "-s", "mail", "-w", "p$w d", "build.keychain"])
            .output()
        try fixture.program(
            ["add-internet-password", "-a", "ben", "-s", "10.1.2.3", "-r", "smb ", "-w", "x", "build.keychain"]
        ).output()
        let name = "Developer ID Application: Anna (ABCDE12345)"
        let path = fixture.path(of: "build.keychain")
        let lines: [(String, String)] = [
            (#"find-identity -p codesigning | sed -n 's/.*"\(.*\)".*/\1/p' | sort -u"#, name),
            (#"find-identity | grep -m1 -oE 'Developer ID Application: [^(]+\([A-Z0-9]+\)'"#, name),
            (#"find-identity | awk '/Developer ID/ {print $2; exit}'"#, hash),
            (#"find-identity -v -p codesigning | tail -1 | awk '{print $1}'"#, "0"),
            (#"find-certificate -a -c "Developer ID" -Z | awk '/SHA-1 hash:/ { print $3 }'"#, hash),
            (#"find-certificate -a -Z | grep ^SHA-1 | awk '{print $NF}'"#, hash),
            (#"find-certificate -a -Z -p | awk '/^SHA-1 hash:/ { h = $3 } /BEGIN/ { print h }'"#, hash),
            (#"find-certificate -c "Developer ID" | sed -n 's/.*"alis"<blob>="\([^"]*\)".*/\1/p'"#, "anna@example.com"),
            (#"find-certificate -c "Developer ID" | grep '"labl"' | cut -d'"' -f4"#, name),
            (#"find-generic-password -ga anna 2>&1 >/dev/null | cut -d'"' -f2"#, "p$w d"),
            (#"find-generic-password -s mail -gw"#, "p$w d"),
            (#"find-generic-password -s mail | awk -F= '/"acct"/ {print $2}'"#, #""anna""#),
            (#"find-internet-password -s 10.1.2.3 | grep acct | awk -F'"' '{print $4}'"#, "ben"),
            (#"dump-keychain | sed -n 's/.*"svce"<blob>="\(.*\)"/\1/p'"#, "mail"),
            (#"list-keychains -d user | xargs | awk '{print $2}'"#, path),
            (#"default-keychain -s build.keychain; security default-keychain -d user | tr -d '"[:space:]'"#, path),
            (
                #"set-keychain-settings -u build.keychain; security show-keychain-info build.keychain 2>&1 | cut -d' ' -f3"#,
                "no-timeout"
            ),
        ]
        let folder = try URL(fileURLWithPath: fixture.program([]).executable).deletingLastPathComponent().path
        for (line, expected) in lines {
            var shell = Program("/bin/sh", ["-c", "security \(line)"], environment: fixture.environment)
            shell.environment["PATH"] = "\(folder):/usr/bin:/bin"
            #expect(try shell.run().output.trimmed == expected, "\(line)")
        }
    }

    /// Both keys keep the dates. They are shown without the time, as on a Mac.
    @Test func keyPair_hasItsDates() throws {
        let dates = ["-f", "2026-01-02", "-t", "2027-03-04-15:00"]
        try fixture.program(["create-keypair", "-a", "ec", "-k", "build.keychain"] + dates + ["dated"]).output()
        let dated = try fixture.run("find-key", "-l", "dated", "build.keychain").output
        #expect(dated.components(separatedBy: "0x0000000C <blob>=\"20260102\"\n").count == 3)
        #expect(dated.components(separatedBy: "0x0000000D <blob>=\"20270304\"\n").count == 3)
        try fixture.program(["create-keypair", "-a", "ec", "-d", "1.5", "-k", "build.keychain"]).output()
        let named = try fixture.run("find-key", "-l", "<key>", "-t", "private", "build.keychain").output
        #expect(named.contains("0x0000000C <blob>=\"20") && named.contains("0x0000000D <blob>=\"20"))
        let wrong: [([String], Int32)] = [
            (["-f", "13/11/10 3:30pm"], 1), (["-f", "13/11/10"], 1), (["-t", "2026-02-30"], 1), (["-t", ""], 1),
            (["-d", "0"], 2),
            (["-d", "-1"], 2),
            (["-d", "nan"], 2), (["-d", "1e300"], 2), (["-d", "1", "-t", "2027-01-01"], 2),
            (["-f", "2027-01-01", "-t", "2026-01-01"], 2),
        ]
        for (options, status) in wrong {
            let result = try fixture.program(["create-keypair", "-k", "build.keychain"] + options + ["wrong"]).run()
            #expect(result.status == status, "\(options): \(result)")
        }
        #expect(try fixture.run("create-keypair", "-k", "build.keychain", "").status == 2)
        #expect(try fixture.run("find-key", "-l", "wrong", "build.keychain").status == 44)
    }

    @Test func keyPair_showsItsHash() throws {
        let shown = try fixture.run("create-keypair", "-a", "ec", "-H", "-k", "build.keychain", "hashed").output
        let lines = shown.split(separator: "\n").map(String.init)
        #expect(lines.first == "-----BEGIN PUBLIC KEY HASH-----" && lines.last == "-----END PUBLIC KEY HASH-----")
        let hash = Data(base64Encoded: lines.dropFirst().dropLast().joined()) ?? Data()
        #expect(hash.count == 20)
        let label = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(try fixture.run("find-key", "-a", label, "-t", "public", "build.keychain").status == 0)
    }

    @Test func keyPair_isMadeAndFound() throws {
        #expect(try fixture.run("create-keypair", "-a", "ec", "-k", "build.keychain", "my key").status == 0)
        #expect(try fixture.run("find-key", "-l", "my key", "-t", "private", "build.keychain").status == 0)
        let all = try fixture.run("find-key", "-l", "my key", "build.keychain").output
        #expect(all.contains("class: 0x0000000F ") && all.contains("class: 0x00000010 "))
        #expect(all.contains("0x0000000A <uint32>=0x00000100 \n"))
        #expect(all.contains("0x0000000C <blob>=0x0000000000000000 \n"))
        #expect(try fixture.run("find-key", "-l", "other").status == 44)
        #expect(try fixture.run("create-keypair", "-a", "dsa", "x").status == 2)
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
