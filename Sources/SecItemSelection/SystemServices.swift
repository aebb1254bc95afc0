// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

#if Polkit || Desktop
    import SecItemSystemBus
#endif

// `SecItemShim` calls these without importing this module: docs/architecture.md, decision 17.

/// The authenticator that asks the person at the screen; nil if the package was built without the trait for it.
@_silgen_name("secitem_find_desktop_authenticator")
package func findDesktopAuthenticator() -> (any PresenceAuthenticator)? {
    #if Polkit || Desktop
        return PolkitAuthenticator()
    #else
        return nil
    #endif
}

/// The watcher that learns when the session is locked.
///
/// - Throws: `errSecNotAvailable` if there is none.
@_silgen_name("secitem_make_session_watch")
package func makeSessionWatch(_ lock: @escaping @Sendable () -> Void) throws(KeychainError) -> any SessionWatch {
    #if Polkit || Desktop
        do throws(StoreError) {
            return try SessionWatcher(lock: lock)
        } catch {
            throw KeychainError(error)
        }
    #else
        throw .notAvailable("the package was built without its trait Polkit")
    #endif
}
