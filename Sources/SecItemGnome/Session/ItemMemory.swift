// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import Synchronization

/// Cached knowledge about the items of one run of a service: the attributes of this library's items, and which item
/// answered which look-up. Entries are removed when the service signals a change.
///
/// GLib's thread receives the signals in the order in which the service sent them, and before later answers. So if the
/// ``generation`` is unchanged after a call to the service, the cached knowledge is current. Secrets are not cached,
/// because their changes send no signal.
final class ItemMemory: Sendable {
    /// Identifies a look-up: its searches, byte for byte, as a service compares them. Swift would consider "é" and "e"
    /// with an accent equal.
    struct LookupKey: Hashable {
        /// The searches in order, the terms of each sorted by name, and each text preceded by its length.
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

    /// The limit is more items than any service handles well.
    private static let capacity = 20_000

    init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// Increases with every change that the service signals.
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

    /// Stores items, unless something has changed since `generation`.
    func remember(_ items: [StoredItem], asOf generation: UInt64) {
        guard isEnabled else { return }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.items.count + items.count > Self.capacity { state.items = [:] }
            for item in items where !item.isForeign { state.items[item.path] = item }
        }
    }

    /// Stores which item answered a look-up, unless something has changed since `generation`.
    func remember(_ item: StoredItem, answering key: LookupKey, asOf generation: UInt64) {
        guard isEnabled, !item.isForeign else { return }
        state.withLock { state in
            guard state.generation == generation else { return }
            if state.lookups.count >= Self.capacity { state.lookups = [:] }
            state.lookups[key] = item.path
        }
    }

    /// Records that the item at that path has changed.
    func forget(_ path: String) {
        state.withLock { state in
            state.generation += 1
            state.items[path] = nil
            state.lookups = [:]
        }
    }

    /// Records that anything may have changed.
    func forgetAll() {
        state.withLock { state in
            state.generation += 1
            state.items = [:]
            state.lookups = [:]
        }
    }

    // MARK: Signals

    /// Receives the service's signals about its items, for as long as the listener is kept.
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
