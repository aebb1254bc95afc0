// SPDX-License-Identifier: Apache-2.0

import SecItemSQLite
import SecItemShim
import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

/// The findings about the store in use.
struct StoreFindings {
    let chosen: ChosenStore

    var all: [Finding] {
        var findings = [
            Finding(
                "store", isUsed ? .fine : .problem, "\(chosen.store.summary); chosen because \(chosen.reason)",
                remedy: isUsed ? nil : "see the other findings; docs/operations.md has a table of errors")
        ]
        let diagnosis = diagnosable?.diagnosis() ?? []
        findings += diagnosis
        // They would repeat what is wrong, each after the time limit of a call.
        if diagnosis.contains(where: { $0.level == .problem }) { return findings }
        findings += passphrase
        findings += items
        return findings
    }

    /// The store that says about itself what is wrong: the one in use, or the place of its synchronizable items.
    private var diagnosable: (any DiagnosableStore)? {
        let store = chosen.store.innermost
        let shared = (store as? any DividedStore)?.shared.innermost
        return store as? any DiagnosableStore ?? shared as? any DiagnosableStore
    }

    /// Whether the store works with the configured protection.
    private var isUsed: Bool {
        // It says so itself.
        if chosen.store.innermost is any DiagnosableStore { return true }
        #if Gnome || Desktop
            if let store = chosen.store.innermost as? LibsecretStore { return (try? store.status()) != nil }
        #endif
        // A damaged store reports its damage when its items are read.
        let embedded = try? chosen.store.embedded
        return embedded?.lacksConfiguredProtector != true
    }

    // MARK: Passphrase

    private var passphrase: [Finding] {
        guard let store = chosen.store as? any LockableStore else { return [] }
        guard chosen.store.isPassphraseProtected else {
            return [Finding("passphrase", .fine, "the store has no passphrase")]
        }
        let origin = chosen.passphraseOrigin ?? "nowhere that is known"
        guard chosen.isPassphraseAtHand else {
            return [
                Finding(
                    "passphrase", .note, "the passphrase comes from \(origin)",
                    remedy: "a program that runs unattended needs SECITEM_PASSPHRASE_FILE or a systemd credential")
            ]
        }
        do throws(StoreError) {
            try store.unlock(passphrase: nil)
            return [Finding("passphrase", .fine, "the passphrase comes from \(origin), and opens the store")]
        } catch {
            return [
                Finding(
                    "passphrase", .problem,
                    "the passphrase comes from \(origin), and does not open the store: \(error.message)",
                    remedy: Self.remedy(error.code))
            ]
        }
    }

    private static func remedy(_ code: StoreError.Code) -> String {
        code == .authenticationFailed
            ? "put the keychain's passphrase there"
            : "make sure that the file exists, belongs to this user and has mode 0600"
    }

    // MARK: Items

    /// No other store has two files that belong together.
    private var isEmbedded: Bool { chosen.store.innermost is SQLiteStore }

    private var items: [Finding] {
        let report: StoreCheckup.Report
        do throws(StoreError) {
            report = try StoreCheckup.run(chosen.store, interaction: .skipped)
        } catch {
            return [
                Finding(
                    "items", .problem, "the items cannot be read: \(error.message)",
                    remedy: error.code == .corrupt && isEmbedded ? "restore the whole folder from a backup" : nil)
            ]
        }
        let counts = ItemClass.stored.map { "\(report.items[$0] ?? 0) \($0.plural)" }.joined(separator: ", ")
        var findings = [Finding("items", .fine, "\(counts) of all programs can be read")]
        if report.locked > 0 {
            findings.append(
                Finding(
                    "locked", .note, "\(report.locked) items are locked",
                    remedy: isEmbedded
                        ? "set SECITEM_PASSPHRASE_FILE, as for other programs"
                        : "unlock the keyring, for example by logging in"))
        }
        let damage = report.damaged.map { "the item \($0.place) \($0.damage)" } + [report.damage].compactMap(\.self)
        findings += damage.prefix(20).map { text in
            Finding(
                "damage", .problem, text,
                remedy: "put the store back from a backup, or delete the item; security check names all of them")
        }
        return findings
    }
}
