// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// Other programs find our items, and we find theirs. Each is tested with the real program.
    @Suite(.serialized)
    struct InteroperabilityTests {
        let world: PrivateBus
        let store: LibsecretStore
        let service = "interop-" + UUID().uuidString.prefix(8).lowercased()
        let group = "org.example.interop"

        init() throws {
            world = try #require(PrivateBus.shared)
            store = world.store()
        }

        private func own(_ account: String? = nil) -> RecordFilter { .password(service, account, group: group) }

        // MARK: secret-tool

        @Test(.enabled(if: Tools.hasSecretTool, "secret-tool is not installed"))
        func secretTool_findsOurs() throws {
            try store.insert(.password(service, "ünï", "geheim \u{1F511}", group: group), interaction: .forbidden)
            #expect(
                try world.tool("secret-tool", "lookup", "service", service, "username", "ünï") == "geheim \u{1F511}")
            let found = try world.tool("secret-tool", "search", "--all", "service", service)
            #expect(found.contains("label = ünï for \(service)"))
            try world.tool("secret-tool", "clear", "service", service, "username", "ünï")
            #expect(try store.all(own()).isEmpty)
        }

        @Test(.enabled(if: Tools.hasSecretTool, "secret-tool is not installed"))
        func secretToolsItem_isFoundReadUpdatedAndDeleted() throws {
            let command = ["store", "--label", "Theirs", "service", service, "username", "anna", "colour", "blue"]
            try secretTool(command, input: "first")
            let record = try #require(store.all(own("anna")).first)
            #expect(record.text == "first")
            #expect(record.attributes[.label]?.string == "Theirs")
            #expect(record.attributes[.accessGroup]?.string == group)
            #expect(record.attributes[.creationDate]?.date.map { abs($0.timeIntervalSinceNow) < 3600 } == true)
            #expect(try store.secret(own()) == "first")
            #expect(try store.secret(.password(nil, "anna", group: group)) == "first")
            let byReference = RecordFilter(
                itemClass: .genericPassword, reference: record.reference, accessGroups: [group])
            #expect(try store.secret(byReference) == "first")

            #expect(
                code { try store.insert(.password(service, "anna", group: group), interaction: .forbidden) }
                    == .duplicate)

            let changes = RecordChanges(
                attributes: [.label: .string("Ours"), .comment: .string("noted")],
                secrets: [.valueData: Secret(Data("second".utf8))]
            )
            #expect(try store.update(matching: own("anna"), applying: changes, interaction: .forbidden) == 1)
            #expect(
                try world.tool("secret-tool", "lookup", "service", service, "username", "anna", "colour", "blue")
                    == "second")
            let changed = try #require(store.all(own("anna")).first)
            #expect(changed.attributes[.label]?.string == "Ours")
            #expect(changed.attributes[.comment]?.string == "noted")

            #expect(try store.delete(matching: own("anna"), interaction: .forbidden) == 1)
            #expect(try world.tool("secret-tool", "lookup", "service", service, "username", "anna") == "status 1")
        }

        @Test(.enabled(if: Tools.hasSecretTool, "secret-tool is not installed"))
        func secretToolsItem_isNotTouchedByAQueryThatDoesNotNameIt() throws {
            try secretTool(["store", "--label", "x", "service", service, "username", "anna"], input: "theirs")
            try store.insert(.password(service, "ours", group: group), interaction: .forbidden)
            for accessGroups in [[group], nil] {
                let everything = RecordFilter(itemClass: .genericPassword, accessGroups: accessGroups)
                #expect(try store.all(everything).allSatisfy { $0.text != "theirs" })
            }
            let changes = RecordChanges.secret("x")
            let everything = RecordFilter(itemClass: .genericPassword, accessGroups: [group])
            _ = try store.update(matching: everything, applying: changes, interaction: .forbidden)
            // An account alone is not enough to change another program's item.
            _ = try store.delete(matching: .password(nil, "anna", group: group), interaction: .forbidden)
            _ = try store.delete(matching: everything, interaction: .forbidden)
            #expect(try world.tool("secret-tool", "lookup", "service", service, "username", "anna") == "theirs")
            #expect(try store.delete(matching: own(), interaction: .forbidden) == 1)
        }

        @Test(.enabled(if: Tools.hasSecretTool, "secret-tool is not installed"))
        func duplicatesOfOthers_oursAnswersFirst() throws {
            try store.insert(.password(service, "anna", "ours", group: group), interaction: .forbidden)
            try secretTool(
                ["store", "--label", "x", "service", service, "username", "anna", "more", "x"], input: "theirs")
            for _ in 0..<3 { #expect(try world.store().secret(own("anna")) == "ours") }
            #expect(try store.all(own("anna")).map(\.text) == ["ours", "theirs"])
            #expect(
                code { try store.insert(.password(service, "anna", group: group), interaction: .forbidden) }
                    == .duplicate)
            #expect(try store.delete(matching: own(), interaction: .forbidden) == 2)
        }

        private func secretTool(_ arguments: [String], input: String) throws {
            let result = try world.execute(["secret-tool"] + arguments, input: input)
            #expect(result.status == 0, "\(result)")
        }

        // MARK: Python's keyring

        @Test(.enabled(if: Tools.hasPython, "SECITEM_KEYRING_TOOLS has no Python keyring"))
        func pythonKeyring_findsOursAndWeFindIts() throws {
            try store.insert(.password(service, "anna", "geheim", group: group), interaction: .forbidden)
            #expect(try python("print(keyring.get_password('\(service)', 'anna'), end='')") == "geheim")
            try python("keyring.set_password('\(service)', 'berta', 'theirs')")
            #expect(try store.secret(own("berta")) == "theirs")
            let changes = RecordChanges.secret("changed")
            #expect(try store.update(matching: own("berta"), applying: changes, interaction: .forbidden) == 1)
            #expect(try python("print(keyring.get_password('\(service)', 'berta'), end='')") == "changed")
            #expect(try store.delete(matching: own("berta"), interaction: .forbidden) == 1)
            #expect(try python("print(keyring.get_password('\(service)', 'berta'), end='')") == "None")
            try python("keyring.delete_password('\(service)', 'anna')")
            #expect(try store.all(own()).isEmpty)
        }

        @discardableResult
        private func python(_ line: String) throws -> String {
            let setUp =
                "import keyring; from keyring.backends import SecretService as S; keyring.set_keyring(S.Keyring()); "
            let result = try world.execute([Tools.python, "-c", setUp + line])
            #expect(result.status == 0, "\(result)")
            return result.output
        }

        // MARK: git

        @Test(.enabled(if: Tools.hasGitHelper, "SECITEM_KEYRING_TOOLS has no helper of git's"))
        func git_findsOursAndWeFindIts() throws {
            let host = service + ".example"
            let https: [ItemAttribute: AttributeValue] = [.protocol: .string("htps")]
            try store.insert(
                .internetPassword(host, "anna", "geheim", group: group, more: https), interaction: .forbidden)
            let found = try git("get", "protocol=https\nhost=\(host)\n")
            #expect(found.contains("username=anna\n") && found.contains("password=geheim\n"), "\(found)")

            try git("store", "protocol=https\nhost=\(host):8443\npath=a/b\nusername=berta\npassword=theirs\n")
            let filter = RecordFilter.internetPassword(
                host, https.merging([.port: .integer(8443)]) { $1 }, group: group)
            let record = try #require(store.all(filter).first)
            #expect(record.text == "theirs")
            #expect(record.attributes[.account]?.string == "berta")
            #expect(record.attributes[.path]?.string == "a/b")
            #expect(record.attributes[.protocol]?.string == "htps")
            let changes = RecordChanges.secret("changed")
            #expect(try store.update(matching: filter, applying: changes, interaction: .forbidden) == 1)
            let changed = try git("get", "protocol=https\nhost=\(host):8443\npath=a/b\nusername=berta\n")
            #expect(changed.contains("password=changed\n"), "\(changed)")
            #expect(try store.delete(matching: filter, interaction: .forbidden) == 1)
            let gone = try git("get", "protocol=https\nhost=\(host):8443\npath=a/b\nusername=berta\n")
            #expect(!gone.contains("password="), "\(gone)")
            #expect(try store.all(.internetPassword(host, group: group)).map(\.text) == ["geheim"])
        }

        @discardableResult
        private func git(_ verb: String, _ request: String) throws -> String {
            let result = try world.execute([Tools.gitHelper, verb], input: request + "\n")
            #expect(result.status == 0, "\(result)")
            return result.output
        }
    }
}

/// The programs for the interoperability tests. `Scripts/keyring/tools` installs those that are rarely present.
enum Tools {
    static let folder = ProcessInfo.processInfo.environment["SECITEM_KEYRING_TOOLS"] ?? "/nonexistent"
    static let python = folder + "/python/bin/python3"
    static let gitHelper = folder + "/git-credential-libsecret"
    static let hasSecretTool = FileManager.default.isExecutableFile(atPath: "/usr/bin/secret-tool")
    static let hasPython = FileManager.default.isExecutableFile(atPath: python)
    static let hasGitHelper = FileManager.default.isExecutableFile(atPath: gitHelper)
}
