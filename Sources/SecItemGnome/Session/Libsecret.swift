// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import SecItemBus
import SecItemStore

/// libsecret, loaded when a Secret Service is first looked for.
///
/// No program links it, and its headers are not needed either: `CLibsecret` declares what is used of it. The functions are
/// called as `libsecret.secret_value_get(…)`. Whoever has a ``ServiceSession``, or what came over one, may call them; so a
/// ``ServiceSession`` loads them first.
enum Libsecret {
    private static let name = "libsecret-1.so.0"
    /// Whether `libsecret` has all its functions. A fork waits until nobody loads them.
    private static let isLoaded = ForkableState(false)

    /// Makes what there is one of.
    static func prepare() {
        GLib.prepare()
        _ = isLoaded
    }

    /// Loads the library, and GLib, if nobody has yet.
    ///
    /// libsecret comes first: where both are missing, the message names it, and whoever installs it gets GLib with it.
    ///
    /// - Throws: `BusFailure` with `.missingLibrary` where one is not installed, or too old. The next call tries again.
    static func load() throws(BusFailure) {
        try isLoaded.withLock { isLoaded throws(BusFailure) in
            if isLoaded { return }
            do {
                try bind(SharedLibrary(name, binding: .lazy))
            } catch {
                throw BusFailure(.missingLibrary, name, "\(error). Install libsecret (Debian: libsecret-1-0)")
            }
            isLoaded = true
        }
        try GLib.load()
    }

    private static func bind(_ library: SharedLibrary) throws(SharedLibrary.MissingFunction) {
        let missing = withUnsafePointer(to: library) { library in
            secitem_libsecret_bind(library) { library, name in
                library.assumingMemoryBound(to: SharedLibrary.self).pointee.address(of: name)
            }
        }
        if let missing { throw library.missing(String(cString: missing)) }
    }
}
