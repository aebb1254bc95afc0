// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import Foundation
import SecItemStore

/// GLib with its D-Bus functions, loaded when a bus is first needed.
///
/// Programs do not link it, and its headers are not needed: `CLibsecret` declares the functions in use, which are
/// called as `glib.g_variant_ref(…)`. A ``BusConnection`` loads them first, so code that has a connection, or a value
/// from one, may call them.
package enum GLib {
    private static let name = "libgio-2.0.so.0"
    /// Whether all functions of `glib` are loaded.
    private static let isLoaded = LockedValue(false)

    /// Loads the libraries, unless that is done already.
    ///
    /// - Throws: `BusFailure` with `.missingLibrary` if they are not installed or too old. The next call tries again.
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

    /// Checks that some descriptors are free. GLib ends the process if it cannot create the event descriptor of a context.
    ///
    /// - Throws: `BusFailure` with `.outOfDescriptors`.
    package static func requireDescriptors() throws(BusFailure) {
        // More than a connection and a session take together, so that other threads may take some in between.
        var taken: [CInt] = []
        defer { taken.forEach { close($0) } }
        while taken.count < 16 {
            let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                throw BusFailure(.outOfDescriptors, "errno \(errno)", "no file descriptors are left")
            }
            taken.append(descriptor)
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
