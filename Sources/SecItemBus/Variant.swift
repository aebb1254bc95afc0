// SPDX-License-Identifier: Apache-2.0

import CLibsecret

/// One value of a D-Bus message, owned.
///
/// Every `init` and factory takes a new value or keeps its own reference; what a `Variant` gives out is copied, so that
/// nothing outlives it.
package final class Variant: @unchecked Sendable {
    // A GVariant never changes and its reference count is atomic.
    package let pointer: OpaquePointer

    /// Takes over a value: a floating reference, or one that the caller owned.
    package init(taking pointer: OpaquePointer) {
        self.pointer = glib.g_variant_take_ref(pointer)
    }

    deinit {
        glib.g_variant_unref(pointer)
    }

    // MARK: Make

    package static func string(_ text: String) -> Variant {
        Variant(taking: glib.g_variant_new_string(text))
    }

    /// An object path. If the text is not a valid path, this is the root, where there is no object.
    package static func objectPath(_ path: String) -> Variant {
        Variant(taking: glib.g_variant_new_object_path(glib.g_variant_is_object_path(path) != 0 ? path : "/"))
    }

    package static func number(_ value: UInt32) -> Variant {
        Variant(taking: glib.g_variant_new_uint32(value))
    }

    package static func number(_ value: UInt64) -> Variant {
        Variant(taking: glib.g_variant_new_uint64(value))
    }

    package static func boolean(_ value: Bool) -> Variant {
        Variant(taking: glib.g_variant_new_boolean(value ? 1 : 0))
    }

    package static func objectPaths(_ paths: [String]) -> Variant {
        let paths = paths.map { glib.g_variant_is_object_path($0) != 0 ? $0 : "/" }
        return withCStrings(paths) { Variant(taking: glib.g_variant_new_objv($0, paths.count)) }
    }

    /// An `as`.
    package static func texts(_ texts: [String]) -> Variant {
        withCStrings(texts) { Variant(taking: glib.g_variant_new_strv($0, texts.count)) }
    }

    /// An `a{ss}`.
    package static func strings(_ pairs: [String: String]) -> Variant {
        let keys = Array(pairs.keys)
        return withCStrings(keys) { keys in
            withCStrings(Array(pairs.values)) { values in
                Variant(taking: secitem_string_dictionary(keys, values, pairs.count))
            }
        }
    }

    /// An `a{sv}`.
    package static func properties(_ pairs: KeyValuePairs<String, Variant>) -> Variant {
        let values = pairs.map { Optional($0.value.pointer) }
        return withExtendedLifetime(pairs) {
            withCStrings(pairs.map(\.key)) {
                Variant(taking: secitem_variant_dictionary($0, values, values.count))
            }
        }
    }

    /// A tuple: the arguments of a call.
    package static func tuple(_ members: Variant...) -> Variant {
        let children = members.map { Optional($0.pointer) }
        return withExtendedLifetime(members) {
            Variant(taking: glib.g_variant_new_tuple(children, children.count))
        }
    }

    /// A value in a variant, as `Properties.Set` expects it.
    package static func boxed(_ value: Variant) -> Variant {
        withExtendedLifetime(value) { Variant(taking: glib.g_variant_new_variant(value.pointer)) }
    }

    // MARK: Read

    /// The type, as D-Bus writes it.
    package var type: String { String(cString: glib.g_variant_get_type_string(pointer)) }

    package var count: Int { glib.g_variant_is_container(pointer) != 0 ? glib.g_variant_n_children(pointer) : 0 }

    /// A member. An index out of range gives the empty tuple, because GLib would end the process.
    package subscript(index: Int) -> Variant {
        guard index >= 0, index < count else { return .tuple() }
        return Variant(taking: glib.g_variant_get_child_value(pointer, index))
    }

    package var children: [Variant] { (0..<count).map { self[$0] } }

    /// The content of a variant, or the value itself if it is not a variant.
    package var unboxed: Variant {
        glib.g_variant_classify(pointer) == SECITEM_G_VARIANT_CLASS_VARIANT
            ? Variant(taking: glib.g_variant_get_variant(pointer)) : self
    }

    /// The text of a string or path; empty for anything else.
    package var string: String {
        switch glib.g_variant_classify(pointer) {
        case SECITEM_G_VARIANT_CLASS_STRING, SECITEM_G_VARIANT_CLASS_OBJECT_PATH:
            String(cString: glib.g_variant_get_string(pointer, nil))
        default: ""
        }
    }

    package var boolean: Bool {
        glib.g_variant_classify(pointer) == SECITEM_G_VARIANT_CLASS_BOOLEAN
            && glib.g_variant_get_boolean(pointer) != 0
    }

    /// A time or a count; zero for anything else.
    package var number: UInt64 {
        switch glib.g_variant_classify(pointer) {
        case SECITEM_G_VARIANT_CLASS_UINT64: glib.g_variant_get_uint64(pointer)
        case SECITEM_G_VARIANT_CLASS_INT64: UInt64(clamping: glib.g_variant_get_int64(pointer))
        case SECITEM_G_VARIANT_CLASS_UINT32: UInt64(glib.g_variant_get_uint32(pointer))
        default: 0
        }
    }

    /// The texts or paths of an array.
    package var strings: [String] { children.map(\.string) }

    /// The pairs of an `a{ss}`; empty for anything else.
    package var stringDictionary: [String: String] {
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

    /// The value itself, if it has the type.
    ///
    /// - Throws: `BusFailure` with `.malformed` if it has another type.
    package func require(_ type: String) throws(BusFailure) -> Variant {
        guard self.type == type else { throw .malformed("a value of type \(self.type) instead of \(type)") }
        return self
    }

    /// The values of an `a{sv}`, without their variants.
    package var properties: [String: Variant] {
        guard type == "a{sv}" else { return [:] }
        return Dictionary(children.map { ($0[0].string, $0[1].unboxed) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Lends the texts as an array of C strings, for the length of the call.
package func withCStrings<Result>(
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
