// SPDX-License-Identifier: Apache-2.0

/// A store whose items live in two places: this machine's, and one that is shared with other machines.
package protocol DividedStore: KeychainStore {
    /// The place of the items that stay on this machine.
    var local: any KeychainStore { get }
    /// The place of the items that other machines have too, without any copy of it on this machine.
    var shared: any KeychainStore { get }

    /// Whether the shared place could not be reached when it was last tried.
    var isSharedAway: Bool { get }

    /// Whether an item of the shared place belongs to this store.
    func isShared(_ record: ItemRecord) -> Bool
}
