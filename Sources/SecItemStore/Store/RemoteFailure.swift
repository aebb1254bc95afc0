// SPDX-License-Identifier: Apache-2.0

/// The cause of a ``StoreError`` of a store on another machine.
package protocol RemoteFailure: Error {
    /// Whether the store could not be reached, or did not answer in time. Another attempt may succeed later, without any
    /// change to a setting.
    var isOutOfReach: Bool { get }
    /// Whether the connection was lost while changes were being stored. Nobody knows whether they are stored.
    var isOutcomeUnknown: Bool { get }
}

extension StoreError {
    /// Whether the store could not be reached, or did not answer in time.
    package var isOutOfReach: Bool { (underlying as? any RemoteFailure)?.isOutOfReach ?? false }

    /// Whether the failed change may be stored nevertheless.
    package var isOutcomeUnknown: Bool { (underlying as? any RemoteFailure)?.isOutcomeUnknown ?? false }
}
