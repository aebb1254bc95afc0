// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

/// Checks the session bus and the Secret Service on it. Starts nothing, and never prompts.
struct ServiceCheck {
    let environment: [String: String]

    /// Whether this store was requested. Otherwise it is no problem if it does not answer.
    private var isWanted: Bool { environment["SECITEM_STORE"] == ConfigurationWord.Store.secretService.rawValue }
    private var lack: Finding.Level { isWanted ? .problem : .note }

    #if Gnome || Desktop
        var findings: [Finding] {
            var configuration = LibsecretStore.Configuration(environment: environment)
            configuration.canPrompt = false
            configuration.callTimeLimit = 5
            configuration.lockTimeLimit = 5
            if let missing = LibsecretStore.missingLibrary(configuration: configuration) {
                return [Finding("secret-service", lack, missing, remedy: "apt install libsecret-1-0")]
            }
            guard LibsecretStore.isServiceAvailable(configuration: configuration) else {
                return [
                    Finding(
                        "secret-service", lack, "no Secret Service answers: \(bus)",
                        remedy: isWanted
                            ? "start one (gnome-keyring-daemon, KeePassXC, KWallet) and set DBUS_SESSION_BUS_ADDRESS"
                            : nil)
                ]
            }
            return provider(LibsecretStore(configuration: configuration))
        }

        private func provider(_ store: LibsecretStore) -> [Finding] {
            do throws(StoreError) {
                let status = try store.status()
                var findings = [
                    Finding(
                        "secret-service", .fine,
                        "the Secret Service is \(status.provider.name) (\(status.provider.owner)); \(bus)")
                ]
                if let collection = status.collection {
                    findings.append(
                        Finding(
                            "secret-service", status.isLocked ? lack : .fine,
                            "new items go into \(collection), which is \(status.isLocked ? "locked" : "unlocked")",
                            remedy: status.isLocked ? "unlock it, for example by logging in" : nil))
                } else {
                    findings.append(
                        Finding(
                            "secret-service", isWanted ? .warning : .note, "there is no collection for new items yet",
                            remedy: "create one, and make it the default (Seahorse, KeePassXC's settings)"))
                }
                return findings
            } catch {
                return [
                    Finding(
                        "secret-service", lack == .problem ? .problem : .warning,
                        "a Secret Service is running, but does not answer: \(error.message)",
                        remedy: "restart it, or set SECITEM_STORE=embedded")
                ]
            }
        }
    #else
        var findings: [Finding] {
            [
                Finding(
                    "secret-service", lack, "this program was built without the trait Gnome",
                    remedy: isWanted ? "build it with that trait" : nil)
            ]
        }
    #endif

    /// The bus to use.
    private var bus: String {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return "DBUS_SESSION_BUS_ADDRESS is \"\(address)\""
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else {
            return "neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set"
        }
        return access(folder + "/bus", F_OK) == 0 ? "the bus is \(folder)/bus" : "there is no \(folder)/bus"
    }
}
