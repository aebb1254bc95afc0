// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import Synchronization

/// What is known of the items of one life of one service: the attributes of ours, and which item answered which
/// look-up. Forgotten, item by item, when the service says that an item changed.
///
/// The signals are seen by GLib's own thread in the order in which the service sent them, before the answers that it
/// sent later. So whoever asks the service something, and then finds the ``generation`` unchanged, has up-to-date
/// knowledge. Secrets are not kept: their change sends no signal.
final class ItemMemory: Sendable {
    /// What tells one look-up from another: its searches, byte for byte, as a service compares them. Swift holds "é" and
    /// "e" with an accent to be the same text.
    struct LookupKey: Hashable {
        /// The searches in their order, the terms of each by name, everything with its length before it.
        private let bytes: [UInt8]

        init(_ searches: [[String: String]]) {
            var bytes: [UInt8] = []
            for search in searches {
                Self.append(search.count, to: &bytes)
                for name in search.keys.sorted() {
                    Self.append(name, to: &bytes)
                    Self.append(search[name] ?? "", to: &bytes)
                }
            }
            self.bytes = bytes
        }

        private static func append(_ text: String, to bytes: inout [UInt8]) {
            append(text.utf8.count, to: &bytes)
            bytes.append(contentsOf: text.utf8)
        }

        private static func append(_ count: Int, to bytes: inout [UInt8]) {
            withUnsafeBytes(of: count) { bytes.append(contentsOf: $0) }
        }
    }

    private struct State {
        var generation: UInt64 = 0
        var items: [String: StoredItem] = [:]
        var lookups: [LookupKey: String] = [:]
    }

    private let state = Mutex(State())
    private let isEnabled: Bool

    /// More items than any service handles well are not remembered.
    private static let capacity = 20_000

    init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// Grows with every change that the service told of.
    var generation: UInt64 { state.withLock { $0.generation } }

    func item(at path: String) -> StoredItem? {
        state.withLock { $0.items[path] }
    }

    /// The item that answered a look-up the last time, if nothing has changed since.
    func item(answering key: LookupKey) -> (item: StoredItem, generation: UInt64)? {
        state.withLock { state in
            state.lookups[key].flatMap { state.items[$0] }.map { ($0, state.generation) }
        }
    }

    /// Keeps items read, unless something has changed since `generation`.
    func remember(_ items: [StoredItem], asOf generation: UInt64) {
        guard isEnabled else { return }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.items.count + items.count > Self.capacity { state.items = [:] }
            for item in items where !item.isForeign { state.items[item.path] = item }
        }
    }

    /// Keeps which item answered a look-up, unless something has changed since `generation`.
    func remember(_ item: StoredItem, answering key: LookupKey, asOf generation: UInt64) {
        guard isEnabled, !item.isForeign else { return }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.lookups.count >= Self.capacity { state.lookups = [:] }
            state.lookups[key] = item.path
        }
    }

    /// Takes note that the item at that path is not what it was.
    func forget(_ path: String) {
        state.withLock { state in
            state.generation += 1
            state.items[path] = nil
            state.lookups = [:]
        }
    }

    /// Takes note that anything may have changed.
    func forgetAll() {
        state.withLock { state in
            state.generation += 1
            state.items = [:]
            state.lookups = [:]
        }
    }

    // MARK: Signals

    /// Notes what the service says of its items, for as long as the listener is kept.
    func listen(on bus: BusConnection, to owner: String) -> BusConnection.Listener? {
        guard isEnabled else { return nil }
        let interfaces = ["org.freedesktop.Secret.Collection", "org.freedesktop.Secret.Service"]
        for interface in interfaces { bus.subscribe(to: "sender='\(owner)',interface='\(interface)'") }
        return bus.listen { [self] signal in
            if signal.interface == interfaces[0] {
                signal.arguments.type == "(o)" ? forget(signal.arguments[0].string) : forgetAll()
            } else if signal.interface == interfaces[1] {
                forgetAll()
            }
        }
    }
}
