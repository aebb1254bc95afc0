// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

extension LibsecretStore {
    /// Whether the rules of a sandbox forbid the use of the Secret Service, although its name is visible on the bus.
    ///
    /// Snap's rules do: the bus reports an owner of the name, but rejects messages to it. The check takes at most some
    /// seconds. A service that does not answer in that time does not count as forbidden.
    package static func isServiceForbidden(configuration: Configuration) -> Bool {
        let limit = 5.0
        guard let address = try? SessionBusAddress.find(in: configuration.environment),
            let bus = try? BusConnection(address: address, timeLimit: limit)
        else { return false }
        do throws(BusFailure) {
            _ = try bus.call(ServiceSession.collections(of: ServiceSession.name))
            return false
        } catch {
            return error.name == "org.freedesktop.DBus.Error.AccessDenied"
        }
    }
}
