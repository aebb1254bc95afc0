// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Checks the environment variables.
struct ConfigurationCheck {
    let environment: [String: String]

    /// The variables that are read, and their permitted values if there are few.
    static let variables: [(name: String, words: [String]?)] = [
        ("SECITEM_STORE", ConfigurationWord.Store.allCases.map(\.rawValue)),
        ("SECITEM_DIRECTORY", nil),
        ("SECITEM_PASSPHRASE_FILE", nil),
        ("SECITEM_PROTECTOR", ConfigurationWord.Protector.allCases.map(\.rawValue)),
        ("SECITEM_KEY_CACHE", ConfigurationWord.KeyCache.allCases.map(\.rawValue)),
        ("SECITEM_NETWORK_FOLDER", [ConfigurationWord.networkFolderAllowed]),
        ("SECITEM_ALLOW_PLAIN_SESSION", [ConfigurationWord.plainSessionAllowed]),
        ("SECITEM_POSTGRESQL", nil),
        ("SECITEM_POSTGRESQL_KEYCHAIN", nil),
        ("SECITEM_POSTGRESQL_KEY_FILE", nil),
        ("SECITEM_POSTGRESQL_PLAINTEXT", [ConfigurationWord.plaintextAllowed]),
        ("SECITEM_SYNCHRONIZABLE", [ConfigurationWord.synchronizableInPostgreSQL]),
        ("SECITEM_TPM", nil),
        ("SECITEM_LOG", nil),
        ("SECITEM_APPLICATION_IDENTIFIER", nil),
        ("SECITEM_ACCESS_GROUPS", nil),
    ]

    var findings: [Finding] {
        var findings: [Finding] = []
        for (name, words) in Self.variables {
            guard let value = environment[name], !value.isEmpty else { continue }
            if let words, !words.contains(value) {
                findings.append(
                    Finding(
                        "configuration", .problem, "\(name) is \"\(value)\", which is not one of its values",
                        remedy: "set it to \(words.joined(separator: " or ")), or unset it"))
            } else if name == "SECITEM_POSTGRESQL" {
                // It may have a password in it.
                findings.append(Finding("configuration", .fine, "\(name) is set"))
            } else if name != "SECITEM_KEY_CACHE" {
                findings.append(Finding("configuration", .fine, "\(name) is \"\(value)\""))
            }
        }
        let known = Set(Self.variables.map(\.name))
        for name in environment.keys.filter({ $0.hasPrefix("SECITEM_") && !known.contains($0) }).sorted() {
            findings.append(
                Finding(
                    "configuration", .note, "\(name) is set, but nothing reads it", remedy: "check its spelling")
            )
        }
        return findings + unusedDatabase + unknownLogLevel + folders
    }

    /// A database that is named, but not chosen.
    private var unusedDatabase: [Finding] {
        guard ConfigurationWord.isDatabaseUnused(environment) else { return [] }
        let (text, remedy) = ConfigurationWord.unusedDatabase
        return [Finding("configuration", .warning, text, remedy: remedy)]
    }

    private var unknownLogLevel: [Finding] {
        guard let word = environment["SECITEM_LOG"], !word.isEmpty, ConfigurationWord.logLevel(word) == nil else {
            return []
        }
        return [
            Finding(
                "configuration", .warning, "SECITEM_LOG is no level of the log, and is taken for debug",
                remedy: "set it to one of \(ConfigurationWord.logLevels.joined(separator: ", ")), or unset it")
        ]
    }

    /// Variables that name folders and files must contain absolute paths.
    private var folders: [Finding] {
        let ours = ["SECITEM_DIRECTORY", "SECITEM_POSTGRESQL_KEY_FILE"]
        return (["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] + ours).compactMap { name in
            guard let value = environment[name], !value.isEmpty, !value.hasPrefix("/") else { return nil }
            return Finding(
                "configuration", ours.contains(name) ? .problem : .warning,
                "\(name) is \"\(value)\", which is not an absolute path", remedy: "set it to an absolute path")
        }
    }
}
