// SPDX-License-Identifier: Apache-2.0

/// A store that several machines share, each with a key of its own.
package protocol FleetStore: PassphraseStore {
    /// The machines that can open the store, and the invitations that nobody has used yet, oldest first.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if there is no store yet, this machine is no member, or the store cannot be
    ///   reached.
    func members() throws(StoreError) -> [FleetMember]

    /// Lets one machine join. The first invitation makes this machine a member too.
    ///
    /// - Parameters:
    ///   - name: The name that the machine is to have; nil if it chooses one itself.
    ///   - seconds: How long the invitation can be used.
    /// - Throws: As ``members()``; ``StoreError/Code/unrepresentable`` if the name or the time cannot be used.
    func invite(name: String?, seconds: Int64) throws(StoreError) -> FleetInvitation

    /// Makes this machine a member. If it is one already, nothing changes.
    ///
    /// It can be called again with the same token after an interruption.
    ///
    /// - Parameters:
    ///   - token: The token of an invitation.
    ///   - name: The machine's name; nil for the invitation's, or else the host's name.
    /// - Returns: This machine.
    /// - Throws: ``StoreError/Code/unrepresentable`` if the text is no token; ``StoreError/Code/unavailable`` if the invitation
    ///   was used, has expired or belongs to another store, or if this machine has the key file of another store. Then nothing has
    ///   changed.
    func join(token: Secret, name: String?) throws(StoreError) -> FleetMember

    /// Has this machine's chip seal its key file, and former ones beside it, so that copies of them open nothing on another
    /// machine. Other machines are not affected. Does not need the server.
    ///
    /// - Returns: The paths of the files that were not sealed before.
    /// - Throws: ``StoreError/Code/unavailable`` if there is no key file, or the chip cannot be used or is not the one that
    ///   has sealed it; the reason why a file cannot be replaced.
    ///   Each file is complete then, sealed or as it was.
    func sealKeyFile() throws(StoreError) -> [String]

    /// Whether the keychain has a passphrase now, whatever is configured and whatever was so when this process opened it. Asks
    /// the server, and unlocks nothing. ``KeychainStore/summary`` then says the same.
    ///
    /// - Throws: As ``members()``.
    func hasPassphrase() throws(StoreError) -> Bool

    /// Replaces all keys of all keychains in the database, and seals every item again. Members that are removed, invitations
    /// and copies of a key file cannot open what is stored afterwards.
    ///
    /// Other programs that use the store go on with the new keys. Those with a passphrase that a person typed are locked.
    ///
    /// - Parameters:
    ///   - keychains: The names of further keychains in the same database.
    ///   - removed: The numbers (``FleetMember/id``) of those that are to be removed.
    ///   - passphrase: The passphrase of all keychains that have one; nil to read it from the store's configured source.
    ///   - withoutDamaged: Whether damaged items are left out, and so deleted, instead of being an error.
    /// - Returns: How many items were sealed again, and how many were left out.
    /// - Throws: ``StoreError/Code/unavailable`` if the database has a keychain that was not named, this machine is no member, or
    ///   one of those to be removed is this machine or is not there; ``StoreError/Code/authenticationFailed`` if the passphrase is
    ///   wrong; ``StoreError/Code/corrupt`` if an item is damaged and would be lost. Then nothing has changed.
    func rekey(
        keychains: [String], removing removed: [[UInt8]], passphrase: Secret?, withoutDamaged: Bool
    ) throws(StoreError) -> RekeyedItems
}

/// An invitation, for the machine that has made it.
package struct FleetInvitation: Sendable {
    /// A text that ``FleetStore/join(token:name:)`` takes. It is as secret as the store's key.
    package let token: Secret
    /// The path of the former key file, if this machine became a member now. Dumps from before need it.
    package let formerKeyFile: String?

    package init(token: Secret, formerKeyFile: String?) {
        self.token = token
        self.formerKeyFile = formerKeyFile
    }
}

/// What became of the items of a store that got new keys.
package struct RekeyedItems: Sendable, Equatable {
    /// How many items were sealed again.
    package var sealed = 0
    /// How many items were damaged, and are gone.
    package var leftOut = 0
    /// The path of the former key file, if this machine became a member now. Dumps from before need it.
    package var formerKeyFile: String?

    /// None yet.
    package init() {}
}

/// The member that has invited a machine, as the invitation says.
package struct FleetInviter: Sendable, Equatable {
    /// The name that it had then.
    package let name: String
    package let fingerprint: String

    /// The member with that name and fingerprint.
    package init(name: String, fingerprint: String) {
        self.name = name
        self.fingerprint = fingerprint
    }
}

/// A machine that can open a shared store, or an invitation.
package struct FleetMember: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// A machine that can open the store.
        case member
        /// An invitation that nobody has used, and when it ends, in seconds since 1970.
        case invited(expires: Int64)
        /// A row that no member has written like this.
        case damaged
    }

    /// The number in the database.
    package let id: [UInt8]
    /// The name; empty if it is not known.
    package let name: String
    /// Sixteen hexadecimal digits that stand for ``id``.
    package let fingerprint: String
    /// When it became a member or was invited, in seconds since 1970.
    package let since: Int64
    package let state: State
    /// Who has invited it; nil for one that had the device key's file, or if that was not recorded.
    package let inviter: FleetInviter?
    package let isThisMachine: Bool
    /// Whether a chip has sealed the key file of the machine that asks; nil for all others, of which nobody can tell.
    package let isKeyFileSealed: Bool?

    /// Describes a member.
    package init(
        id: [UInt8], name: String, fingerprint: String, since: Int64, state: State, inviter: FleetInviter?,
        isThisMachine: Bool, isKeyFileSealed: Bool?
    ) {
        self.id = id
        self.name = name
        self.fingerprint = fingerprint
        self.since = since
        self.state = state
        self.inviter = inviter
        self.isThisMachine = isThisMachine
        self.isKeyFileSealed = isKeyFileSealed
    }
}
