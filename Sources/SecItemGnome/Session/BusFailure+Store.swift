// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

extension BusFailure {
    /// The failure in a store's words.
    ///
    /// - Parameter choice: Why the application uses the store, if that is known.
    func storeError(_ choice: LibsecretStore.Choice? = nil) -> StoreError {
        switch kind {
        case .locked: StoreError(.locked, "the collection is locked", underlying: self)
        case .lost, .unavailable: StoreError(.unavailable, absence(choice), underlying: self)
        case .timedOut: StoreError(.io, "the Secret Service did not answer in time", underlying: self)
        case .missingLibrary:
            StoreError(.unavailable, "the Secret Service cannot be reached: \(message)", underlying: self)
        case .malformed: StoreError(.io, "the Secret Service gave an invalid answer", underlying: self)
        case .outOfDescriptors: StoreError(.io, "no file descriptors are left", underlying: self)
        case .outOfThreads: StoreError(.io, "no threads can be started", underlying: self)
        case .noObject, .other: StoreError(.io, "the Secret Service refused", underlying: self)
        }
    }

    /// What is missing, why the application needs it, and what to do.
    private func absence(_ choice: LibsecretStore.Choice?) -> String {
        guard isCurable else { return "the Secret Service cannot be used (\(cause))" }
        let absence = "the Secret Service does not answer (\(cause))"
        guard let choice else { return absence }
        return "\(absence). \(choice.advice("start a session with a bus and a Secret Service"))"
    }

    /// Whether a service that is started can be used.
    private var isCurable: Bool { ![Self.elevation, Self.plainness, Self.child].contains(name) }

    /// The cause, for a log. The words of a service are left out, because they could contain an item's attributes.
    private var cause: String {
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            "no program on the bus provides it"
        case let name where name.contains("."): name
        default: message
        }
    }

    /// The name of the failure of a program that has more rights than its user.
    static let elevation = "elevation"
    /// The name of the failure if secrets could only cross the bus unencrypted.
    static let plainness = "plainness"
}
