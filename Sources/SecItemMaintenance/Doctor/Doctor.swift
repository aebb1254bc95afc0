// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// One result of the doctor, about a store or anything else.
package typealias Finding = StoreDiagnosis

/// Finds out which keychain this user's programs use, and why something does not work.
///
/// It creates no store, changes nothing, and never prompts. Its findings contain no secrets, so they can be part of a
/// bug report.
package struct Doctor: Sendable {
    let environment: [String: String]
    private let place: KeychainPlace
    /// The identifier that a person named, in place of the environment's.
    private let namedApplication: String?

    /// - Parameters:
    ///   - environment: The variables of the environment that can be trusted.
    ///   - place: The keychain to look at.
    ///   - application: The identifier of the application to check; nil for the one that the environment names.
    package init(
        environment: [String: String] = SecureExecution.environment, place: KeychainPlace = .standard,
        application: String? = nil
    ) {
        // Unlocks that are only a test must not last.
        var environment = environment.merging(["SECITEM_KEY_CACHE": environment["SECITEM_KEY_CACHE"].trial]) { $1 }
        if let application { environment["SECITEM_APPLICATION_IDENTIFIER"] = application }
        self.environment = environment
        self.place = place
        namedApplication = application
    }

    /// Checks everything.
    package func run() -> [Finding] {
        var findings = identity
        findings += ConfigurationCheck(environment: environment).findings
        let opened = open()
        switch opened {
        case .success(let chosen): findings += StoreFindings(chosen: chosen).all
        case .failure(let error): findings.append(finding(of: error))
        }
        let hasFiles = !isDatabase(opened)
        findings += FilesCheck(environment: environment, folder: folder(opened), hasStore: hasFiles).findings
        findings += ServiceCheck(environment: environment).findings
        findings += MachineCheck(environment: environment, hasKeyCache: hasFiles).findings
        return findings
    }

    /// Whether nothing is wrong.
    package static func isWell(_ findings: [Finding]) -> Bool {
        findings.allSatisfy { $0.level != .problem }
    }

    private var application: ClientApplication {
        let identity = ApplicationIdentity(environment: environment)
        return ClientApplication(identifier: identity.identifier, entitledGroups: identity.accessGroups)
    }

    private var identity: [Finding] {
        let identity = ApplicationIdentity(environment: environment)
        let origin = namedApplication == nil ? identity.origin.rawValue : "from --application"
        var text = "this program's items are kept under \"\(identity.identifier)\" (\(origin))"
        if let groups = identity.accessGroups {
            text += "; it may use the access groups \(groups.joined(separator: ", "))"
        }
        return [Finding("identifier", .fine, text)]
    }

    private func open() -> Result<ChosenStore, KeychainError> {
        let store: LinuxKeychain.Store =
            switch place {
            case .standard: .automatic
            case .embedded(let folder): .embedded(directory: folder.map { .init(fileURLWithPath: $0) })
            case .secretService: .secretService
            case .postgreSQL(let keychain): KeychainPlace.database(keychain, environment)
            }
        return Result { () throws(KeychainError) in
            try LinuxKeychain.open(
                store, environment: environment, application: application, interaction: .forbidden)
        }
    }

    /// Whether the items are in a database, and no file of this machine has any.
    private func isDatabase(_ opened: Result<ChosenStore, KeychainError>) -> Bool {
        if case .success(let chosen) = opened { return chosen.store.innermost is any DiagnosableStore }
        if case .postgreSQL = place { return true }
        return place == .standard && environment["SECITEM_STORE"] == ConfigurationWord.Store.postgreSQL.rawValue
    }

    private func folder(_ opened: Result<ChosenStore, KeychainError>) -> String? {
        if case .embedded(let folder?) = place { return folder }
        guard case .success(let chosen) = opened, let place = chosen.place, place.hasPrefix("/") else { return nil }
        return place
    }

    /// Whether only an embedded store can be damaged: no other has two files that belong together.
    private var isEmbedded: Bool {
        switch place {
        case .embedded: return true
        case .secretService, .postgreSQL: return false
        case .standard:
            guard environment["SECITEM_SYNCHRONIZABLE"]?.isEmpty != false else { return false }
            let word = environment["SECITEM_STORE"] ?? ""
            return word.isEmpty || [.embedded, .automatic].contains(ConfigurationWord.Store(rawValue: word))
        }
    }

    /// What to say about a keychain that cannot be opened.
    package func finding(of error: KeychainError) -> Finding {
        if error.status == errSecInteractionNotAllowed {
            return Finding(
                "store", .warning, "the keychain cannot be opened without a prompt: \(error.message)",
                remedy: "unlock it, or configure where its passphrase is (SECITEM_PASSPHRASE_FILE)")
        }
        let remedy =
            error.status == errSecDecode && isEmbedded
            ? "restore it from a backup, both files from the same one (docs/backup.md)"
            : "see the other findings; docs/operations.md has a table of errors"
        return Finding("store", .problem, "no keychain can be used: \(error.message)", remedy: remedy)
    }
}

extension String? {
    /// The setting of the key cache during a test. An invalid word stays, so that it is found.
    fileprivate var trial: String {
        guard let self, !self.isEmpty, ConfigurationWord.KeyCache(rawValue: self) == nil else {
            return ConfigurationWord.KeyCache.none.rawValue
        }
        return self
    }
}
