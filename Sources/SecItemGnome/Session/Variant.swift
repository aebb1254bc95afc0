// SPDX-License-Identifier: Apache-2.0

import CLibsecret

/// One value of a D-Bus message, owned.
///
/// Every `init` and factory takes a new value or keeps its own reference; what a `Variant` gives out is copied, so that
/// nothing outlives it.
final class Variant: @unchecked Sendable {
    // A GVariant never changes and its reference count is atomic.
    let pointer: OpaquePointer

    /// Takes a value: sinks a floating reference, takes over one that the caller owned.
    init(taking pointer: OpaquePointer) {
        self.pointer = libsecret.g_variant_take_ref(pointer)
    }

    deinit {
        libsecret.g_variant_unref(pointer)
    }

    // MARK: Make

    static func string(_ text: String) -> Variant {
        Variant(taking: libsecret.g_variant_new_string(text))
    }

    /// A path; for a text that is none, the root's, where nothing is.
    static func objectPath(_ path: String) -> Variant {
        Variant(taking: libsecret.g_variant_new_object_path(libsecret.g_variant_is_object_path(path) != 0 ? path : "/"))
    }

    static func boolean(_ value: Bool) -> Variant {
        Variant(taking: libsecret.g_variant_new_boolean(value ? 1 : 0))
    }

    static func objectPaths(_ paths: [String]) -> Variant {
        let paths = paths.map { libsecret.g_variant_is_object_path($0) != 0 ? $0 : "/" }
        return withCStrings(paths) { Variant(taking: libsecret.g_variant_new_objv($0, paths.count)) }
    }

    /// An `a{ss}`.
    static func strings(_ pairs: [String: String]) -> Variant {
        let keys = Array(pairs.keys)
        return withCStrings(keys) { keys in
            withCStrings(Array(pairs.values)) { values in
                Variant(taking: secitem_string_dictionary(keys, values, pairs.count))
            }
        }
    }

    /// An `a{sv}`.
    static func properties(_ pairs: KeyValuePairs<String, Variant>) -> Variant {
        let values = pairs.map { Optional($0.value.pointer) }
        return withExtendedLifetime(pairs) {
            withCStrings(pairs.map(\.key)) {
                Variant(taking: secitem_variant_dictionary($0, values, values.count))
            }
        }
    }

    /// A tuple: the arguments of a call.
    static func tuple(_ members: Variant...) -> Variant {
        let children = members.map { Optional($0.pointer) }
        return withExtendedLifetime(members) {
            Variant(taking: libsecret.g_variant_new_tuple(children, children.count))
        }
    }

    /// A value in the box that `Properties.Set` wants.
    static func boxed(_ value: Variant) -> Variant {
        withExtendedLifetime(value) { Variant(taking: libsecret.g_variant_new_variant(value.pointer)) }
    }

    // MARK: Read

    /// The type, as D-Bus writes it.
    var type: String { String(cString: libsecret.g_variant_get_type_string(pointer)) }

    var count: Int { libsecret.g_variant_is_container(pointer) != 0 ? libsecret.g_variant_n_children(pointer) : 0 }

    /// A member; the empty tuple where there is none, as GLib ends a process that asks for it.
    subscript(index: Int) -> Variant {
        guard index >= 0, index < count else { return .tuple() }
        return Variant(taking: libsecret.g_variant_get_child_value(pointer, index))
    }

    var children: [Variant] { (0..<count).map { self[$0] } }

    /// The content of a box, or the value itself when it is in none.
    var unboxed: Variant {
        libsecret.g_variant_classify(pointer) == SECITEM_G_VARIANT_CLASS_VARIANT
            ? Variant(taking: libsecret.g_variant_get_variant(pointer)) : self
    }

    /// The text of a string or path; empty for anything else.
    var string: String {
        switch libsecret.g_variant_classify(pointer) {
        case SECITEM_G_VARIANT_CLASS_STRING, SECITEM_G_VARIANT_CLASS_OBJECT_PATH:
            String(cString: libsecret.g_variant_get_string(pointer, nil))
        default: ""
        }
    }

    var boolean: Bool {
        libsecret.g_variant_classify(pointer) == SECITEM_G_VARIANT_CLASS_BOOLEAN
            && libsecret.g_variant_get_boolean(pointer) != 0
    }

    /// A time or a count; zero for anything else.
    var number: UInt64 {
        switch libsecret.g_variant_classify(pointer) {
        case SECITEM_G_VARIANT_CLASS_UINT64: libsecret.g_variant_get_uint64(pointer)
        case SECITEM_G_VARIANT_CLASS_INT64: UInt64(clamping: libsecret.g_variant_get_int64(pointer))
        case SECITEM_G_VARIANT_CLASS_UINT32: UInt64(libsecret.g_variant_get_uint32(pointer))
        default: 0
        }
    }

    /// The texts or paths of an array.
    var strings: [String] { children.map(\.string) }

    /// The pairs of an `a{ss}`; empty for anything else.
    var stringDictionary: [String: String] {
        guard type == "a{ss}" else { return [:] }
        var result: [String: String] = [:]
        var pairs = SecItemPairs()
        result.reserveCapacity(secitem_pairs_begin(&pairs, pointer))
        var key: UnsafePointer<CChar>?
        var value: UnsafePointer<CChar>?
        while secitem_pairs_next(&pairs, &key, &value) != 0, let key, let value {
            result[String(cString: key)] = String(cString: value)
        }
        return result
    }

    /// The value itself when it has that type.
    ///
    /// - Throws: `BusFailure` with `.malformed` when it has another.
    func require(_ type: String) throws(BusFailure) -> Variant {
        guard self.type == type else { throw .malformed("a value of type \(self.type) instead of \(type)") }
        return self
    }

    /// The values of an `a{sv}`, out of their boxes.
    var properties: [String: Variant] {
        guard type == "a{sv}" else { return [:] }
        return Dictionary(children.map { ($0[0].string, $0[1].unboxed) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Lends the texts as an array of C strings, for the length of the call.
func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> Result
) rethrows -> Result {
    var bytes: [CChar] = []
    var offsets: [Int] = []
    for text in texts {
        offsets.append(bytes.count)
        bytes.append(contentsOf: text.utf8.lazy.map { CChar(bitPattern: $0) })
        bytes.append(0)
    }
    return try bytes.withUnsafeBufferPointer { buffer in
        var pointers = offsets.map { offset in buffer.baseAddress.map { $0 + offset } }
        pointers.append(nil)
        return try body(pointers)
    }
}
