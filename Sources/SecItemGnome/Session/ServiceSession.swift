// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Foundation
import SecItemBus
import SecItemStore
import Synchronization

/// A session with one run of the Secret Service: a connection, libsecret's encrypted session on it, and cached
/// knowledge about its items.
///
/// Calls use the provider's unique name on the bus, not the well-known one. After a restart of the service they fail
/// with ``BusFailure/Kind/lost``, instead of using another program's paths. Then a new session is opened.
final class ServiceSession: @unchecked Sendable {
    // Any thread may use libsecret's service here, because it only encodes and decodes.
    let service: OpaquePointer
    let bus: BusConnection
    let provider: Provider
    let memory: ItemMemory
    let sessionPath: Variant
    private let listener: BusConnection.Listener?
    private let collectionPath = Mutex<String?>(nil)
    /// Whether both sides are known to have the same key. With KWallet, that needs a check.
    let isKeyProven: Mutex<Bool>

    static let name = "org.freedesktop.secrets"
    static let root = "/org/freedesktop/secrets"

    /// Opens a session with the Secret Service, and starts it if the bus can.
    ///
    /// - Parameter allowsPlain: Whether to accept a session without encryption.
    init(
        address: String, timeLimit: Double, allowsPlain: Bool, beforeCall: (@Sendable (String) -> Void)? = nil
    ) throws(BusFailure) {
        try Libsecret.load()
        bus = try BusConnection(address: address, timeLimit: timeLimit, beforeCall: beforeCall)
        provider = try Self.greet(Self.owner(on: bus), on: bus)
        let owner = provider.owner
        isKeyProven = Mutex(provider.kind != .kWallet)
        memory = ItemMemory(isEnabled: provider.announcesChanges)
        listener = memory.listen(on: bus, to: owner)
        bus.subscribe(
            to: "sender='\(owner)',interface='org.freedesktop.Secret.Prompt',member='Completed'",
            "sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(owner)'")
        service = try Self.open(on: bus, owner, timeLimit)
        sessionPath = .objectPath(
            libsecret.secret_service_get_session_dbus_path(service).map { String(cString: $0) } ?? "/")
        let algorithm = libsecret.secret_service_get_session_algorithms(service).map { String(cString: $0) } ?? "none"
        if algorithm == "plain" && !allowsPlain || algorithm == "none" {
            throw BusFailure(
                .unavailable, BusFailure.plainness,
                "it offers no encryption on the bus: SECITEM_ALLOW_PLAIN_SESSION=1 accepts that")
        }
    }

    deinit {
        // In a child process, it belongs to the parent.
        if GLibThread.isHere { glib.g_object_unref(UnsafeMutableRawPointer(service)) }
    }

    /// Finds out which program the provider is, and makes a first call to it.
    ///
    /// A client must not open a session with gnome-keyring 42 before it has an answer to some other call. The daemon
    /// registers a new client in one event and handles the client's first call in another. Rarely, the call is first.
    /// Then `OpenSession` finds no client, and the daemon ends with "GLib-ERROR: g_variant_new". Eight processes that
    /// opened sessions at the same time ended it within two seconds.
    private static func greet(_ owner: String, on bus: BusConnection) throws(BusFailure) -> Provider {
        let process = BusConnection.Call.bus("GetConnectionUnixProcessID", .tuple(.string(owner)), answer: "(u)")
        let answers = bus.callAll([process, collections(of: owner)])
        if case .failure(let failure) = answers[1], [.lost, .timedOut].contains(failure.kind) { throw failure }
        let identifier = (try? answers[0].get())?[0].number
        return Provider(processName: identifier.flatMap(Provider.processName), owner: owner)
    }

    /// A call that changes nothing and that every service answers, even without a session.
    static func collections(of name: String) -> BusConnection.Call {
        let arguments = Variant.tuple(.string("org.freedesktop.Secret.Service"), .string("Collections"))
        return BusConnection.Call(name, root, properties, "Get", arguments)
    }

    /// Agrees on a key with the service. KWallet miscounts the bytes of a short number. It refuses about one agreement
    /// in a few hundred, and gets as many wrong; the next one has other numbers.
    private static func open(
        on bus: BusConnection, _ owner: String, _ timeLimit: Double
    ) throws(BusFailure) -> OpaquePointer {
        var failure = BusFailure(.other, "none", "no attempt was made")
        for _ in 0..<3 {
            try GLib.requireDescriptors()
            var error: OpaquePointer?
            let opened = bus.lendingContext {
                secitem_service_open(bus.pointer, owner, CInt(timeLimit * 1000), &error)
            }
            if let opened { return opened }
            failure = BusFailure(taking: error)
            if failure.kind != .other { throw failure }
        }
        throw BusFailure(.unavailable, failure.name, "no session: \(failure.message)")
    }

    private static func owner(on bus: BusConnection) throws(BusFailure) -> String {
        let ask = BusConnection.Call.bus("GetNameOwner", .tuple(.string(name)), answer: "(s)")
        do throws(BusFailure) {
            return try bus.call(ask)[0].string
        } catch  where error.kind != .lost {
            throw error
        } catch {
            let flags = Variant(taking: glib.g_variant_new_uint32(0))
            do throws(BusFailure) {
                _ = try bus.call(.bus("StartServiceByName", .tuple(.string(name), flags)))
                return try bus.call(ask)[0].string
            } catch {
                throw BusFailure(.unavailable, error.name, "no program provides the Secret Service: \(error.message)")
            }
        }
    }

    // MARK: Calls

    /// Makes a call, and waits for an answer of the specified type.
    func call(
        _ interface: String, _ method: String, at path: String = root, _ arguments: Variant? = nil
    ) throws(BusFailure) -> Variant {
        try bus.call(message(interface, method, at: path, arguments))
    }

    func message(
        _ interface: String, _ method: String, at path: String, _ arguments: Variant?
    ) -> BusConnection.Call {
        let isSecret = ["Service", "Collection", "Item", "Prompt"].contains(interface)
        return BusConnection.Call(
            provider.owner, path, isSecret ? "org.freedesktop.Secret.\(interface)" : interface, method, arguments,
            answer: Self.answers[method]
        )
    }

    /// The types of answers. Source: "D-Bus Interfaces" in the Secret Service specification. Methods that are missing
    /// here return nothing.
    private static let answers = [
        "CreateCollection": "(oo)", "CreateItem": "(oo)", "Delete": "(o)", "Get": "(v)", "GetAll": "(a{sv})",
        "GetSecrets": "(a{o(oayays)})", "ReadAlias": "(o)", "SearchItems": "(aoao)", "Unlock": "(aoo)",
    ]

    private static let properties = "org.freedesktop.DBus.Properties"

    /// A property, which must have that type.
    func property(
        _ name: String, of interface: String, at path: String, type: String
    ) throws(BusFailure) -> Variant {
        let arguments = Variant.tuple(.string("org.freedesktop.Secret.\(interface)"), .string(name))
        return try call(Self.properties, "Get", at: path, arguments)[0].unboxed.require(type)
    }

    func isLocked(_ interface: String, at path: String) throws(BusFailure) -> Bool {
        try property("Locked", of: interface, at: path, type: "b").boolean
    }

    // MARK: Search

    /// The paths of items, separated by whether they are locked.
    struct Hits {
        var unlocked: [String] = []
        var locked: [String] = []

        var isEmpty: Bool { unlocked.isEmpty && locked.isEmpty }
    }

    /// The items that have all these attributes, each path once. Values that are too long to search for are not
    /// compared.
    func search(_ searches: [[String: String]]) throws(BusFailure) -> Hits {
        var hits = Hits()
        var seen: Set<String> = []
        let calls = searches.map { search in
            let terms = search.filter { $0.value.utf8.count <= provider.longestTerm }
            return message("Service", "SearchItems", at: Self.root, .tuple(.strings(terms)))
        }
        for result in bus.callAll(calls) {
            let reply = try result.get()
            hits.unlocked += reply[0].strings.filter { seen.insert($0).inserted }
            hits.locked += reply[1].strings.filter { seen.insert($0).inserted }
        }
        return hits
    }

    // MARK: Read

    /// The results of a batch of calls, for those items that still exist.
    struct Reading {
        var items: [StoredItem] = []
        var secrets: [String: Secret] = [:]
        /// The paths of items whose attributes cannot be read because they are locked or damaged.
        var unreadable: [String] = []
    }

    /// Reads the attributes of this library's items, and the requested secrets in the same batch of calls. Leaves out
    /// other programs' items, and items that KWallet shows without attributes while it deletes them.
    ///
    /// Cached attributes are not requested again.
    func readOwn(_ paths: [String], secretsOf secretPaths: [String] = []) throws(BusFailure) -> Reading {
        let generation = memory.generation
        var reading = Reading()
        var unknown: [String] = []
        for path in paths {
            if let item = memory.item(at: path) { reading.items.append(item) } else { unknown.append(path) }
        }
        let arguments = Variant.tuple(.string("org.freedesktop.Secret.Item"), .string("Attributes"))
        var calls = unknown.map { message(Self.properties, "Get", at: $0, arguments) }
        if !secretPaths.isEmpty { calls.insert(getSecrets(secretPaths), at: 0) }
        var answers = bus.callAll(calls)[...]
        if !secretPaths.isEmpty, let answer = answers.popFirst() {
            reading.secrets = try secrets(answer, at: secretPaths)
        }
        var read: [StoredItem] = []
        for (index, path) in unknown.enumerated() {
            let answer = answers[answers.startIndex + index]
            guard let answered = try Self.unlessGone(answer)?[0].unboxed.require("a{ss}") else { continue }
            let attributes = answered.stringDictionary.withoutRemoved
            if let item = StoredItem(path: path, ownAttributes: attributes) {
                read.append(item)
            } else if attributes.keys.contains(where: { $0.hasSuffix(SecretSchema.identifierName) }) {
                reading.unreadable.append(path)
            }
        }
        memory.remember(read, asOf: generation)
        reading.items += read
        return reading
    }

    /// Reads items of any program: this library's, and other programs' as records of that class and group.
    func readAny(_ paths: [String], as itemClass: ItemClass, in group: String) throws(BusFailure) -> Reading {
        var reading = Reading()
        let arguments = Variant.tuple(.string("org.freedesktop.Secret.Item"))
        let answers = bus.callAll(paths.map { message(Self.properties, "GetAll", at: $0, arguments) })
        for (index, path) in paths.enumerated() {
            guard let properties = try Self.unlessGone(answers[index])?[0].properties else { continue }
            _ = try (properties["Attributes"] ?? .tuple()).require("a{ss}")
            let item = ForeignItem(properties: properties)
            if let own = StoredItem(path: path, ownAttributes: item.attributes) {
                reading.items.append(own)
            } else if item.attributes.keys.contains(where: { $0.hasPrefix("gkr:compat:hashed:") }) {
                reading.unreadable.append(path)
            } else if let foreign = StoredItem(path: path, foreign: item, as: itemClass, in: group) {
                reading.items.append(foreign)
            }
        }
        return reading
    }

    /// It is not an error if another program deleted the item meanwhile.
    private static func unlessGone(_ answer: Result<Variant, BusFailure>) throws(BusFailure) -> Variant? {
        do throws(BusFailure) {
            return try answer.get()
        } catch  where error.kind == .noObject {
            return nil
        } catch {
            throw error
        }
    }

    // MARK: Write

    /// Creates an item, and never replaces another one.
    ///
    /// - Returns: The prompt that must be completed before the item exists, or nil.
    func create(
        _ attributes: [String: String], label: String, secret: Secret, in collection: String
    ) throws(BusFailure) -> String? {
        let properties = Variant.properties([
            "org.freedesktop.Secret.Item.Label": .string(label),
            "org.freedesktop.Secret.Item.Attributes": .strings(attributes),
            // KWallet and older services read the schema here.
            "org.freedesktop.Secret.Item.Type": .string(attributes[SecretSchema.schemaName] ?? ""),
        ])
        let arguments = Variant.tuple(properties, try encoded(secret), .boolean(false))
        let reply = try sendSecret("Collection", "CreateItem", at: collection, arguments)
        try proveKey(by: secret, at: reply[0].string)
        return Self.prompt(in: reply[1])
    }

    /// Replaces the attributes of an item.
    func setAttributes(
        _ attributes: [String: String], insteadOf old: [String: String], of path: String
    ) throws(BusFailure) {
        var own = attributes.filter { !provider.isReserved($0.key) }
        if provider.keepsUnwrittenAttributes {
            let removed = old.keys.filter { attributes[$0] == nil && !provider.isReserved($0) }
            for name in removed { own[name] = ValueText.removed }
        }
        try set("Attributes", .strings(own), of: path)
        memory.forget(path)
    }

    func setLabel(_ label: String, of path: String) throws(BusFailure) {
        try set("Label", .string(label), of: path)
    }

    private func set(_ property: String, _ value: Variant, of path: String) throws(BusFailure) {
        let arguments = Variant.tuple(.string("org.freedesktop.Secret.Item"), .string(property), .boxed(value))
        _ = try call(Self.properties, "Set", at: path, arguments)
    }

    /// - Returns: The prompt that must be completed before the item is deleted, or nil.
    func delete(_ path: String) throws(BusFailure) -> String? {
        let prompt = Self.prompt(in: try call("Item", "Delete", at: path)[0])
        memory.forget(path)
        return prompt
    }

    static func prompt(in path: Variant) -> String? {
        path.string == "/" || path.string.isEmpty ? nil : path.string
    }

    // MARK: Collection

    /// The path of the collection for new items, or nil if there is none.
    func defaultCollection() throws(BusFailure) -> String? {
        if let known = collectionPath.withLock({ $0 }) { return known }
        let path = Self.prompt(in: try call("Service", "ReadAlias", .tuple(.string("default")))[0])
        collectionPath.withLock { $0 = path }
        return path
    }

    /// Records that the default collection has changed.
    func forgetCollection() {
        collectionPath.withLock { $0 = nil }
    }
}
