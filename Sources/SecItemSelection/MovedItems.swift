// SPDX-License-Identifier: Apache-2.0

import SecItemShim
import SecItemStore

/// Lets applications find moved items the next time they choose a store automatically.
package enum MovedItems {
    /// Records that the items of those applications are in the Secret Service now, and nowhere else.
    ///
    /// - Returns: Whether that could be recorded for each of them.
    package static func areInSecretService(
        _ identifiers: some Sequence<String>, environment: [String: String] = SecureExecution.environment
    ) -> Bool {
        #if Gnome || Desktop
            return identifiers.reduce(true) { all, identifier in
                let mark = SecretServiceMark(environment: environment, identifier: identifier)
                do throws(StoreError) {
                    try mark.begin(isNeeded: true)?.confirm()
                    return all
                } catch {
                    return false
                }
            }
        #else
            return false
        #endif
    }

    /// Records that those applications have no items in the Secret Service any more.
    ///
    /// - Returns: Whether that could be recorded for each of them.
    package static func areNotInSecretService(
        _ identifiers: some Sequence<String>, environment: [String: String] = SecureExecution.environment
    ) -> Bool {
        #if Gnome || Desktop
            return identifiers.reduce(true) { all, identifier in
                let mark = SecretServiceMark(environment: environment, identifier: identifier)
                do throws(StoreError) {
                    try mark.remove()
                    return all
                } catch {
                    return false
                }
            }
        #else
            return false
        #endif
    }
}
