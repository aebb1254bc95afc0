// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore

/// polkit's daemon, for authorisations of this program.
struct PolkitAuthority {
    /// The action to authorise. It grants nothing; only the answer counts.
    static let action = "org.secitem.authenticate-owner"
    /// The file that defines the action for polkit.
    static let policyFile = "/usr/share/polkit-1/actions/org.secitem.policy"

    private static let service = "org.freedesktop.PolicyKit1"
    private static let path = "/org/freedesktop/PolicyKit1/Authority"
    private static let interface = "org.freedesktop.PolicyKit1.Authority"

    let bus: BusConnection
    /// The name of this connection on the bus. polkit checks its owner.
    private let ownName: String

    init(_ bus: BusConnection) {
        self.bus = bus
        ownName = bus.uniqueName
    }

    // MARK: Authorization

    enum Answer {
        case authorized
        /// A person would have to be asked.
        case challenge
        case dismissed
        case refused
    }

    /// Whether a person may be asked. Asks nobody.
    func check() throws(BusFailure) -> Answer {
        try Self.answer(in: bus.call(call("CheckAuthorization", arguments([:], mayAsk: false, ""), "((bba{ss}))")))
    }

    /// Asks a person.
    ///
    /// - Parameter details: The values that polkit shows. It accepts them only from root, and from users in the policy
    ///   file.
    func begin(_ details: [String: String], cancellation: String) throws(BusFailure) -> BusConnection.OpenCall {
        try bus.begin(call("CheckAuthorization", arguments(details, mayAsk: true, cancellation), "((bba{ss}))"))
    }

    /// Withdraws the prompt: its dialog closes, and its call fails.
    func cancel(_ cancellation: String) {
        bus.send(call("CancelCheckAuthorization", .tuple(.string(cancellation)), nil))
    }

    static func answer(in reply: Variant) -> Answer {
        let result = reply[0]
        if result[0].boolean { return .authorized }
        if result[1].boolean { return .challenge }
        return result[2].stringDictionary["polkit.dismissed"] != nil ? .dismissed : .refused
    }

    private func arguments(_ details: [String: String], mayAsk: Bool, _ cancellation: String) -> Variant {
        let subject = Variant.tuple(.string("system-bus-name"), .properties(["name": .string(ownName)]))
        return .tuple(
            subject, .string(Self.action), .strings(details), .number(UInt32(mayAsk ? 1 : 0)), .string(cancellation))
    }

    private func call(_ method: String, _ arguments: Variant, _ answer: String?) -> BusConnection.Call {
        BusConnection.Call(Self.service, Self.path, Self.interface, method, arguments, answer: answer)
    }

    // MARK: Agents

    /// Whether an agent is registered for this process or its session.
    ///
    /// polkit has no call for that, but it refuses a second agent. So this registers a mere substitute and removes it
    /// at once. polkit handles the two messages one after the other.
    func hasAgent(session: String?) throws(BusFailure) -> Bool {
        var scopes = [process].compactMap(\.self)
        if let session {
            scopes.append(.tuple(.string("unix-session"), .properties(["session-id": .string(session)])))
        }
        let own = Variant.string("/org/secitem/NoAgent")
        let calls = scopes.flatMap { scope in
            [
                call(
                    "RegisterAuthenticationAgentWithOptions",
                    .tuple(scope, .string("C"), own, .properties(["fallback": .boolean(true)])), nil),
                call("UnregisterAuthenticationAgent", .tuple(scope, own), nil),
            ]
        }
        let answers = bus.callAll(calls)
        for index in stride(from: 0, to: answers.count, by: 2) {
            guard case .failure(let failure) = answers[index] else { continue }
            if failure.message.contains("agent already exists") { return true }
            if failure.kind == .lost || failure.kind == .timedOut { throw failure }
        }
        return false
    }

    /// This process, in a form that distinguishes it from a later one with the same number.
    private var process: Variant? {
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let name = stat.lastIndex(of: ")")
        else { return nil }
        // The fields after the name begin with the third.
        let fields = stat[name...].split(separator: " ").dropFirst()
        guard fields.count > 19, let start = UInt64(fields[fields.startIndex + 19]) else { return nil }
        let properties: KeyValuePairs = [
            "pid": Variant.number(UInt32(bitPattern: getpid())), "start-time": Variant.number(start),
        ]
        return .tuple(.string("unix-process"), .properties(properties))
    }
}
