// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Foundation
import SecItemBus
import SecItemStore

/// The portal that hands each sandboxed application a secret of its own (`org.freedesktop.portal.Secret`).
///
/// Every step has a time limit. A connection is made for each question: it is asked once in a program's life, and closing
/// the connection withdraws what is still open.
package struct SecretPortal: Sendable {
    /// How long, in seconds, each step may take.
    package struct TimeLimits: Sendable {
        /// Connecting to the bus.
        package var connection = 5.0
        /// A call, during which the portal may have to be started.
        package var call = 25.0
        /// From the question to the answer: a person may have to unlock the keyring first.
        package var answer = 120.0
        /// From the answer to the end of the secret.
        package var transfer = 5.0

        package init() {}
    }

    /// What the portal handed out.
    package struct Answer: Sendable {
        package let secret: Secret
        /// What the portal wants to be given with the next question, if anything.
        package let token: String?
    }

    /// Why there is no secret.
    package enum Failure: Error {
        /// There is no bus, no portal, or none that hands out secrets.
        case absent(String)
        /// The person asked said no.
        case refused
        /// Nobody answered in time.
        case silent
        /// It is there and could not do it.
        case failed(String)

        /// The failure in a store's words.
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
    // GLib's thread is not in a forked child: what is asked there is never answered.
    private static let process = getpid()

    private let environment: [String: String]
    private let limits: TimeLimits

    /// The portal on the session bus of that environment. Makes no call yet.
    package init(environment: [String: String], limits: TimeLimits = TimeLimits()) {
        self.environment = environment
        self.limits = limits
        _ = Self.process
    }

    /// Asks for the application's secret, and waits for it.
    ///
    /// - Parameter token: What came with the secret the last time.
    package func secret(token: String?) throws(Failure) -> Answer {
        guard getpid() == Self.process else { throw .failed("it cannot be asked in a forked child") }
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
            // A bus that takes connections and says nothing is there.
            // So is one that nobody can speak to for want of a library.
            if [.outOfDescriptors, .missingLibrary].contains(error.kind) { throw .failed(error.message) }
            throw clock.now >= end ? .silent : .absent("\(error)")
        }
    }

    /// The unique name of the portal, started if need be: what comes from it is told by that from what others send.
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

    /// The errors by which a bus or a portal says that this portal is not there, or not for this program.
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
    /// The first of the file descriptors that go with a call.
    fileprivate static var descriptor: Variant { Variant(taking: glib.g_variant_new_handle(0)) }
}
