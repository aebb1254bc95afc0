// SPDX-License-Identifier: Apache-2.0

/// Writes down, on the disk, that an application has items in a store. A store calls it immediately before it stores the
/// application's first item.
///
/// - Returns: What takes that back, for a store that has then stored nothing. Nil if it was written down before, and stays.
/// - Throws: ``StoreError/Code/unavailable`` if nothing can be written and no item may be stored without it.
package typealias PlaceRecording = @Sendable () throws(StoreError) -> (@Sendable () -> Void)?

extension RecordUpdate {
    /// Whether it may move items into an access group, and so give items to an application that had none.
    package var bringsItems: Bool { changes.attributes[.accessGroup] != nil }
}
