// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemBus
import SecItemStore

/// polkit's daemon, asked about this very program.
struct PolkitAuthority {
    /// What programs ask to be authorized for. It grants nothing: only the answer counts.
    static let action = "org.secitem.authenticate-owner"
    /// The file that says so to polkit.
    static let policyFile = "/usr/share/polkit-1/actions/org.secitem.policy"

    private static let service = "org.freedesktop.PolicyKit1"
    private static let path = "/org/freedesktop/PolicyKit1/Authority"
    private static let interface = "org.freedesktop.PolicyKit1.Authority"

    let bus: BusConnection
    /// The name of this connection on the bus: polkit's rules hold for who has it.
    private let ownName: String

    init(_ bus: BusConnection) {
        self.bus = bus
        ownName = bus.uniqueName
    }

    // MARK: Authorization

    /// What polkit answers.
    enum Answer {
        case authorized
        /// Somebody would have to be asked.
        case challenge
        case dismissed
        case refused
    }

    /// Whether a person may be asked. Asks nobody.
    func check() throws(BusFailure) -> Answer {
        try Self.answer(in: bus.call(call("CheckAuthorization", arguments([:], mayAsk: false, ""), "((bba{ss}))")))
    }

    /// Has a person asked.
    ///
    /// - Parameter details: What polkit shows. It takes details only from root, and from users whom the policy file names.
    func begin(_ details: [String: String], cancellation: String) throws(BusFailure) -> BusConnection.OpenCall {
        try bus.begin(call("CheckAuthorization", arguments(details, mayAsk: true, cancellation), "((bba{ss}))"))
    }

    /// Takes the question back: its dialog closes, and its call fails.
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

    /// Whether a program has registered to ask on this one's behalf: for its process, or for its session.
    ///
    /// polkit has no question for that, but it refuses a second agent. So one is registered, as a mere substitute, and
    /// unregistered in the same breath: polkit handles the two messages one after the other.
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

    /// This process, as polkit tells it from a later one of the same number.
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
