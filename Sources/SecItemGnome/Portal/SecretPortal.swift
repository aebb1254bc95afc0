// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Foundation
import SecItemBus
import SecItemStore

/// The portal that gives each sandboxed application its own secret (`org.freedesktop.portal.Secret`).
///
/// Every step has a time limit. Each request has its own connection: a program makes only one request in its life, and
/// closing the connection withdraws what is still open.
package struct SecretPortal: Sendable {
    /// The time limits of the steps, in seconds.
    package struct TimeLimits: Sendable {
        /// To connect to the bus.
        package var connection = 5.0
        /// For a call. The bus may have to start the portal.
        package var call = 25.0
        /// From the request to the response. A person may have to unlock the keyring first.
        package var answer = 120.0
        /// From the response to the end of the secret.
        package var transfer = 5.0

        package init() {}
    }

    /// The result of a request.
    package struct Answer: Sendable {
        package let secret: Secret
        /// What the portal wants to receive with the next request, if anything.
        package let token: String?
    }

    /// Why there is no secret.
    package enum Failure: Error {
        /// There is no bus, no portal, or none that gives out secrets.
        case absent(String)
        /// The person refused.
        case refused
        /// No response in time.
        case silent
        /// The portal exists but failed.
        case failed(String)

        /// The error that a store throws for this failure.
        package var storeError: StoreError {
            switch self {
            case .absent(let reason): StoreError(.unavailable, "no portal gives out secrets: \(reason)")
            case .refused: StoreError(.cancelled, "the portal was told not to give out the application's secret")
            case .silent: StoreError(.locked, "the portal did not give out the application's secret in time")
            case .failed(let reason): StoreError(.unavailable, "the portal gives out no secret: \(reason)")
            }
        }
    }

    private static let name = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.Secret"
    // GLib's thread does not exist in a child process, so a request there would never be answered.
    private static let process = getpid()

    private let environment: [String: String]
    private let limits: TimeLimits

    /// Creates the portal on the environment's session bus. Makes no call yet.
    package init(environment: [String: String], limits: TimeLimits = TimeLimits()) {
        self.environment = environment
        self.limits = limits
        _ = Self.process
    }

    /// Asks for the application's secret, and waits for it.
    ///
    /// - Parameter token: The token of the last answer.
    package func secret(token: String?) throws(Failure) -> Answer {
        guard getpid() == Self.process else { throw .failed("it cannot be asked in a child of the process") }
        let bus = try connection()
        let owner = try owner(on: bus)
        let pipe = try SecretPipe()
        let request = PortalRequest(bus: bus, owner: owner, timeLimit: limits.answer)
        let outcome: PortalRequest.Outcome
        do throws(BusFailure) {
            outcome = try request.perform { () throws(BusFailure) in
                defer { pipe.closeWriting() }
                let call = BusConnection.Call(
                    owner, Self.path, Self.interface, "RetrieveSecret", .tuple(.descriptor, Self.options(token)),
                    answer: "(o)")
                return try bus.call(call, timeLimit: limits.call, passing: pipe.writing)[0].string
            }
        } catch {
            throw Self.failure(error)
        }
        switch outcome {
        case .done(let results):
            return Answer(secret: try pipe.read(timeLimit: limits.transfer), token: results["token"]?.string)
        case .cancelled: throw .refused
        case .failed: throw .failed("it could not get at it")
        case .timedOut: throw .silent
        }
    }

    private func connection() throws(Failure) -> BusConnection {
        let address: String
        do throws(BusFailure) {
            address = try SessionBusAddress.find(in: environment)
        } catch {
            throw .absent(error.message)
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(limits.connection)
        do throws(BusFailure) {
            return try BusConnection(address: address, timeLimit: limits.connection)
        } catch {
            // These failures do not show that there is no bus: a missing library, no file descriptor left, or no answer
            // in time.
            if [.outOfDescriptors, .outOfThreads, .missingLibrary].contains(error.kind) {
                throw .failed(error.message)
            }
            throw clock.now >= end ? .silent : .absent("\(error)")
        }
    }

    /// The unique name of the portal, which the bus starts if necessary. The name distinguishes the portal's signals
    /// from others.
    private func owner(on bus: BusConnection) throws(Failure) -> String {
        let version = BusConnection.Call(
            Self.name, Self.path, "org.freedesktop.DBus.Properties", "Get",
            .tuple(.string(Self.interface), .string("version")))
        do throws(BusFailure) {
            _ = try bus.call(version, timeLimit: limits.call)
            let ask = BusConnection.Call.bus("GetNameOwner", .tuple(.string(Self.name)), answer: "(s)")
            return try bus.call(ask, timeLimit: limits.call)[0].string
        } catch {
            throw Self.absences.contains(error.name) ? .absent("\(error)") : Self.failure(error)
        }
    }

    /// The names of the errors that mean that the portal does not exist, or not for this program.
    private static let absences = Set(
        [
            "AccessDenied", "InvalidArgs", "NameHasNoOwner", "ServiceUnknown", "Spawn.ServiceNotFound",
            "UnknownInterface",
            "UnknownMethod", "UnknownObject", "UnknownProperty",
        ].map { "org.freedesktop.DBus.Error.\($0)" })

    private static func failure(_ failure: BusFailure) -> Failure {
        failure.kind == .timedOut ? .silent : .failed("\(failure)")
    }

    private static func options(_ token: String?) -> Variant {
        let handle = Variant.string("secitem" + RandomBytes.name())
        guard let token else { return .properties(["handle_token": handle]) }
        return .properties(["handle_token": handle, "token": .string(token)])
    }
}

extension Variant {
    /// The index of the first file descriptor that is sent with a call.
    fileprivate static var descriptor: Variant { Variant(taking: glib.g_variant_new_handle(0)) }
}
