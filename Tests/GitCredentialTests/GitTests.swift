// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// git itself, with the helper in its PATH: git's requests, and its use of the answers.
@Suite struct GitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// `git credential`, which must not prompt.
    private func git(
        _ verb: String, _ input: String, options: [String] = [], adding variables: [String: String]
    ) throws -> FinishedProgram {
        var program = Program("git", ["-c", "credential.helper=", "-c", "credential.helper=keychain"])
        let tests = try Program.built("git-credential-keychain").executable
        program.arguments += options + ["credential", verb]
        program.environment["PATH"] =
            URL(fileURLWithPath: tests).deletingLastPathComponent().path + ":" + (program.environment["PATH"] ?? "")
        program.environment.merge([
            "HOME": folder.path, "XDG_DATA_HOME": "", "XDG_STATE_HOME": "", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "false",
        ]) { $1 }
        program.environment.merge(variables) { $1 }
        return try program.run(input: input)
    }

    private func checkGit(adding variables: [String: String]) throws {
        let host = "protocol=https\nhost=git.example.com:8443\n"
        let anna = "username=anna\npassword=one=two three\n"
        #expect(try git("approve", host + anna, adding: variables).description == "status 0: ")
        #expect(try git("fill", host, adding: variables).description == "status 0: " + host + anna)
        #expect(
            try git("fill", "url=https://anna@git.example.com:8443/team/x.git\n", adding: variables).output == host
                + anna)
        // Another port, host or user is another credential. git fails, because it cannot prompt.
        for other in ["https://git.example.com", "https://example.com:8443", "https://bob@git.example.com:8443"] {
            #expect(try git("fill", "url=\(other)\n", adding: variables).status == 128)
        }
        #expect(try git("reject", host + "username=anna\npassword=else\n", adding: variables).status == 0)
        #expect(try git("reject", host + anna, adding: variables).description == "status 0: ")
        #expect(try git("fill", host, adding: variables).status == 128)
        try checkPaths(adding: variables)
    }

    private func checkPaths(adding variables: [String: String]) throws {
        let options = ["-c", "credential.useHttpPath=true"]
        for path in ["a.git", "b.git"] {
            let credential = "protocol=https\nhost=example.com\npath=\(path)\nusername=anna\npassword=\(path)\n"
            #expect(try git("approve", credential, options: options, adding: variables).status == 0)
        }
        for path in ["a.git", "b.git"] {
            let filled = try git("fill", "url=https://example.com/\(path)\n", options: options, adding: variables)
            #expect(filled.output.hasSuffix("path=\(path)\nusername=anna\npassword=\(path)\n"), "\(filled)")
        }
        let other = try git("fill", "url=https://example.com/c.git\n", options: options, adding: variables)
        #expect(other.status == 128)
        #expect(try git("reject", "url=https://example.com\n", adding: variables).status == 0)
        #expect(try git("fill", "url=https://example.com\n", adding: variables).status == 128)
    }

    @Test func git_keepsCredentialsInTheEmbeddedStore() throws {
        try checkGit(adding: ["SECITEM_STORE": "embedded", "SECITEM_DIRECTORY": folder.path + "/keychain"])
    }

    @Test(.enabled(if: PrivateBus.shared != nil, "\(PrivateBus.reason)"))
    func git_keepsCredentialsInTheSecretService() throws {
        let bus = try #require(PrivateBus.shared)
        try checkGit(adding: bus.variables.merging(["SECITEM_STORE": "secret-service"]) { $1 })
    }
}
