// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import SecItemBus
import SecItemStore

/// libsecret, loaded at the first search for a Secret Service.
///
/// Programs do not link it, and its headers are not needed: `CLibsecret` declares the functions in use, which are
/// called as `libsecret.secret_value_get(…)`. A ``ServiceSession`` loads them first, so code that has a session, or a
/// value from one, may call them.
enum Libsecret {
    private static let name = "libsecret-1.so.0"
    /// Whether all functions of `libsecret` are loaded.
    private static let isLoaded = LockedValue(false)

    /// Loads the library, and GLib, unless that is done already.
    ///
    /// libsecret comes first. If both are missing, the message names libsecret, whose installation includes GLib.
    ///
    /// - Throws: `BusFailure` with `.missingLibrary` if one is not installed or too old. The next call tries again.
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
