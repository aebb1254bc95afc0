// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import SecItemStore

/// GLib with its D-Bus, loaded when a bus is first used.
///
/// No program links it, and its headers are not needed either: `CLibsecret` declares what is used of it. The functions are
/// called as `glib.g_variant_ref(…)`. Whoever has a ``BusConnection``, or what came over one, may call them; so a
/// ``BusConnection`` loads them first.
package enum GLib {
    private static let name = "libgio-2.0.so.0"
    /// Whether `glib` has all its functions. A fork waits until nobody loads them.
    private static let isLoaded = ForkableState(false)

    /// Makes what there is one of.
    package static func prepare() {
        _ = isLoaded
        _ = GLibThread.isHere
    }

    /// Loads the libraries, if nobody has yet.
    ///
    /// - Throws: `BusFailure` with `.missingLibrary` where they are not installed, or too old. The next call tries again.
    package static func load() throws(BusFailure) {
        try isLoaded.withLock { isLoaded throws(BusFailure) in
            if isLoaded { return }
            do {
                try bind(SharedLibrary(name, binding: .lazy))
            } catch {
                throw BusFailure(.missingLibrary, name, "\(error). Install GLib (Debian: libglib2.0-0)")
            }
            isLoaded = true
        }
    }

    private static func bind(_ library: SharedLibrary) throws(SharedLibrary.MissingFunction) {
        let missing = withUnsafePointer(to: library) { library in
            secitem_glib_bind(library) { library, name in
                library.assumingMemoryBound(to: SharedLibrary.self).pointee.address(of: name)
            }
        }
        if let missing { throw library.missing(String(cString: missing)) }
    }
}
