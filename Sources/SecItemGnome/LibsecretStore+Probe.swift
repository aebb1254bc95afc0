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

    /// How long to wait for the bus, and then for a service that it may have to start, in seconds. A service takes less
    /// than a second to start; on a machine that is starting itself, perhaps a few.
    private static let busLimit = 1.0, answerLimit = 5.0

    /// Whether a Secret Service answers a call on the session bus. The bus starts one if it can. Never shows anything.
    ///
    /// That the bus knows the name is not enough: the program may not start, may never answer, or a sandbox may forbid its
    /// use, as Snap does.
    package static func isServiceAvailable(configuration: Configuration = Configuration()) -> Bool {
        guard let address = try? SessionBusAddress.find(in: configuration.environment),
            let bus = try? BusConnection(address: address, timeLimit: busLimit)
        else { return false }
        // A bus that answers nothing is not waited for twice.
        let name = Variant.string(ServiceSession.name)
        guard (try? bus.call(.bus("NameHasOwner", .tuple(name), answer: "(b)"))) != nil else { return false }
        do throws(BusFailure) {
            _ = try bus.call(ServiceSession.collections(of: ServiceSession.name), timeLimit: answerLimit)
            return true
        } catch {
            // A refusal of the service is an answer, too.
            return [.locked, .noObject].contains(error.kind) || error.name.hasPrefix("org.freedesktop.Secret.Error.")
        }
    }
}
