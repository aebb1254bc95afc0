// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

extension LibsecretStore {
    /// Whether a sandbox's rules forbid to speak to the Secret Service, though its name can be seen on the bus.
    ///
    /// Snap's do: the bus tells that the name has an owner, and turns away what is sent there. Takes some seconds at
    /// most; a service that does not answer in that time is not forbidden.
    package static func isServiceForbidden(configuration: Configuration) -> Bool {
        let limit = 5.0
        guard let address = try? SessionBusAddress.find(in: configuration.environment),
            let bus = try? BusConnection(address: address, timeLimit: limit)
        else { return false }
        let call = BusConnection.Call(
            ServiceSession.name, "/org/freedesktop/secrets", "org.freedesktop.DBus.Properties", "Get",
            .tuple(.string("org.freedesktop.Secret.Service"), .string("Collections")))
        do throws(BusFailure) {
            _ = try bus.call(call)
            return false
        } catch {
            return error.name == "org.freedesktop.DBus.Error.AccessDenied"
        }
    }
}
