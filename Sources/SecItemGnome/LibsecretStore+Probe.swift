// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

extension LibsecretStore {
    /// The package to install before the existing session bus can be used; nil if nothing is missing, or there is no
    /// session bus.
    package static func missingLibrary(configuration: Configuration = Configuration()) -> String? {
        guard (try? SessionBusAddress.find(in: configuration.environment)) != nil else { return nil }
        do throws(BusFailure) {
            try Libsecret.load()
            return nil
        } catch {
            return error.message
        }
    }

    /// Whether there is a session bus, and a program on it that is the Secret Service or can be started as it.
    ///
    /// Takes at most a second, starts nothing, and never shows anything.
    package static func isServiceAvailable(configuration: Configuration = Configuration()) -> Bool {
        guard let address = try? SessionBusAddress.find(in: configuration.environment) else { return false }
        let limit = 0.4
        guard let bus = try? BusConnection(address: address, timeLimit: limit) else { return false }
        let name = Variant.string(ServiceSession.name)
        let answers = bus.callAll([
            .bus("NameHasOwner", .tuple(name), answer: "(b)"), .bus("ListActivatableNames", answer: "(as)"),
        ])
        guard let isOwned = try? answers[0].get()[0].boolean else { return false }
        return isOwned || (try? answers[1].get()[0].strings.contains(ServiceSession.name)) == true
    }
}
