// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What bash offers at the end of a command line, with the script that is installed.
@Suite struct CompletionTests {
    private let fixture: CommandFixture
    private let script: String

    init() throws {
        fixture = try CommandFixture()
        script = try fixture.run("--generate-completion-script", "bash").output
    }

    /// - Parameter line: The line, which ends in the word that is being typed; a blank at the end begins a new one.
    private func offered(_ line: String) throws -> [String] {
        let file = fixture.folder.path + "/completion"
        try script.write(toFile: file, atomically: false, encoding: .utf8)
        let shell = """
            cd "$2" && source completion && PATH=$3:$PATH
            COMP_LINE=$1 COMP_POINT=${#1}
            read -ra COMP_WORDS <<<"$1"; [[ $1 != *" " ]] || COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _security security "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            [[ ${#COMPREPLY[@]} = 0 ]] || printf '%s\\n' "${COMPREPLY[@]}"
            """
        let command = try URL(fileURLWithPath: fixture.program([]).executable).deletingLastPathComponent().path
        let program = Program(
            "bash", ["-c", shell, "bash", line, fixture.folder.path, command], environment: fixture.environment)
        return try program.run().output.split(separator: "\n").map(String.init).sorted()
    }

    @Test func files_areOffered() throws {
        for name in ["signing.p12", "signing.pem", "other"] {
            try "".write(toFile: fixture.folder.path + "/" + name, atomically: false, encoding: .utf8)
        }
        for line in [
            "import", "restore", "backup", "cms -D -i", "verify-cert -c", "add-certificates", "export -o",
            "backup f --passphrase-file",
        ] {
            #expect(try offered("security \(line) sig") == ["signing.p12", "signing.pem"], "\(line)")
        }
    }

    @Test func words_areOffered() throws {
        #expect(try offered("security find-identity -v -p code") == ["codesigning"])
        #expect(try offered("security verify-cert -p code") == ["codeSign"])
        #expect(try offered("security import file -f pkcs") == ["pkcs12", "pkcs7", "pkcs8"])
        #expect(try offered("security export -t ident") == ["identities"])
        #expect(try offered("security move --from sec") == ["secret-service"])
    }

    @Test func keychains_areOffered() throws {
        try fixture.makeKeychain("build.keychain")
        for line in [
            "unlock-keychain", "lock-keychain", "find-identity -v", "dump-keychain", "delete-keychain", "import f -k",
            "backup f --keychain", "move --from embedded --to",
        ] {
            #expect(try offered("security \(line) bui") == ["build.keychain"], "\(line)")
        }
    }
}
