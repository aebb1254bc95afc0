// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SecItemBus
import SecItemStore
import Synchronization

/// A prompt of the service: the call `Prompt` shows it, and the signal `Completed` ends it.
///
/// libsecret waits for that signal without a limit. Here a time limit, a dismissal or the end of the service also ends
/// the wait.
final class Prompt: Sendable {
    let session: ServiceSession
    let path: String
    private let heard: Heard
    private let listener: BusConnection.Listener
    /// Whether the program that shows the service's prompts was there when it was asked for.
    private let hadPrompter = Atomic(false)

    enum Outcome: Sendable {
        /// It was carried out. The value depends on the kind of prompt.
        case completed(Variant)
        case dismissed
    }

    /// A prompt that the service has created. It is not shown yet.
    init(session: ServiceSession, path: String) {
        self.session = session
        self.path = path
        let heard = Heard()
        self.heard = heard
        let owner = session.provider.owner
        listener = session.bus.listen { signal in heard.note(signal, path, owner) }
    }

    /// Shows the prompt.
    func ask() throws(BusFailure) {
        hadPrompter.store(isPrompterThere, ordering: .relaxed)
        _ = try session.call("Prompt", "Prompt", at: path, .tuple(.string("")))
    }

    /// Waits for the answer.
    ///
    /// - Returns: The answer, or nil when there is none yet.
    func answer(timeLimit seconds: Double) throws(BusFailure) -> Outcome? {
        let deadline = Deadline(in: seconds)
        while true {
            _ = deadline.waitAWhile(for: heard.news)
            if let outcome = heard.outcome { return outcome }
            if heard.hasLostService || session.bus.isClosed {
                throw BusFailure(.lost, "NameOwnerChanged", "the service died during a prompt")
            }
            if deadline.isOver { return nil }
        }
    }

    /// The program that shows gnome-keyring's prompts. The bus starts it if the desktop has none. Without a display, it ends
    /// before it gets its name.
    private static let prompter = "org.gnome.keyring.SystemPrompter"

    private var isPrompterThere: Bool {
        // The other services show their prompts themselves.
        guard session.provider.kind == .gnomeKeyring else { return true }
        let call = BusConnection.Call.bus("NameHasOwner", .tuple(.string(Self.prompter)), answer: "(b)")
        return (try? session.bus.call(call)[0].boolean) ?? true
    }

    /// The error for a prompt that was dismissed.
    ///
    /// gnome-keyring dismisses a prompt also if there is no program to show it. Then nobody was asked.
    var dismissal: StoreError {
        hadPrompter.load(ordering: .relaxed) || isPrompterThere
            ? StoreError(.cancelled, "the prompt was dismissed")
            : StoreError(.locked, "nobody could be asked: no program shows the prompts of the Secret Service here")
    }

    /// Tells the service that nobody will answer. Does not wait.
    func dismiss() {
        // gnome-keyring (42.1 at least) confuses the end of any prompt with that of the one on the screen, and crashes.
        if session.provider.kind == .gnomeKeyring { return }
        session.bus.send(BusConnection.Call(session.provider.owner, path, "org.freedesktop.Secret.Prompt", "Dismiss"))
    }

    /// What has been heard so far.
    private final class Heard: Sendable {
        private let state = Mutex<(outcome: Outcome?, hasLostService: Bool)>((nil, false))
        let news = DispatchSemaphore(value: 0)

        var outcome: Outcome? { state.withLock { $0.outcome } }
        var hasLostService: Bool { state.withLock { $0.hasLostService } }

        func note(_ signal: Inbox.Signal, _ path: String, _ owner: String) {
            let arguments = signal.arguments
            if signal.member == "Completed" && signal.path == path && signal.sender == owner {
                guard arguments.type == "(bv)" else { return note { $0.outcome = .dismissed } }
                let outcome: Outcome = arguments[0].boolean ? .dismissed : .completed(arguments[1].unboxed)
                note { $0.outcome = outcome }
            } else if signal.isEndOf(owner) {
                note { $0.hasLostService = true }
            }
        }

        private func note(_ change: (inout (outcome: Outcome?, hasLostService: Bool)) -> Void) {
            state.withLock { state in
                var copy = state
                change(&copy)
                state = copy
            }
            news.signal()
        }
    }
}

extension Inbox.Signal {
    /// Whether the bus signals that the program with that name has left it.
    func isEndOf(_ owner: String) -> Bool {
        member == "NameOwnerChanged" && sender == "org.freedesktop.DBus" && arguments.type == "(sss)"
            && arguments[0].string == owner && arguments[2].string.isEmpty
    }
}
