// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

#if Polkit
    import SecItemSystemBus
#endif

// What `SecItemShim` calls without importing this module: docs/architecture.md, decision 17.

/// What asks the person in front of a screen; nil in a package that was built without the trait for it.
@_silgen_name("secitem_find_desktop_authenticator")
package func findDesktopAuthenticator() -> (any PresenceAuthenticator)? {
    #if Polkit
        return PolkitAuthenticator()
    #else
        return nil
    #endif
}

/// What hears when the session is locked.
///
/// - Throws: `errSecNotAvailable` where nothing does.
@_silgen_name("secitem_make_session_watch")
package func makeSessionWatch(_ lock: @escaping @Sendable () -> Void) throws(KeychainError) -> any SessionWatch {
    #if Polkit
        do throws(StoreError) {
            return try SessionWatcher(lock: lock)
        } catch {
            throw KeychainError(error)
        }
    #else
        throw .notAvailable("the package was built without its trait Polkit")
    #endif
}
