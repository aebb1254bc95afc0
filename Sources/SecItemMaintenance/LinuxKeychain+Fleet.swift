// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import SecItemShim
import SecItemStore

extension LinuxKeychain {
    /// A machine that can open a keychain in a PostgreSQL database with a key of its own, or an invitation.
    public struct Member: Sendable, Equatable {
        /// What an entry of the list is.
        public enum State: Sendable, Equatable {
            /// A machine that can open the keychain.
            case member
            /// An invitation that nobody has used, and when it ends.
            case invited(expires: Date)
            /// A row of the database that no member has written like this. It has no effect.
            case damaged
        }

        /// The name that people know it by. Names need not be unique.
        public let name: String
        /// Sixteen hexadecimal digits that stand for its key.
        public let fingerprint: String
        /// When it joined or was invited.
        public let since: Date
        /// What it is.
        public let state: State
        /// Who has invited it, as the invitation says. Nil for a machine that had a copy of the device key's file, or if that
        /// was not recorded.
        public let inviter: Inviter?
        /// Whether it is the machine on which this program runs.
        public let isThisMachine: Bool

        /// A member that has invited another machine.
        public struct Inviter: Sendable, Equatable {
            /// The name that it had then.
            public let name: String
            /// Its ``Member/fingerprint``.
            public let fingerprint: String
        }

        init(_ member: FleetMember) {
            name = member.name
            fingerprint = member.fingerprint
            since = Date(timeIntervalSince1970: Double(member.since))
            state =
                switch member.state {
                case .member: .member
                case .invited(let expires): .invited(expires: Date(timeIntervalSince1970: Double(expires)))
                case .damaged: .damaged
                }
            inviter = member.inviter.map { Inviter(name: $0.name, fingerprint: $0.fingerprint) }
            isThisMachine = member.isThisMachine
        }
    }

    /// The machines that have keys of their own, and the open invitations, oldest first.
    ///
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecUnimplemented` if the store is not in a PostgreSQL database,
    ///   `errSecNotAvailable` if there is no keychain yet, this machine cannot open it, or the server does not answer.
    public static func members() throws -> [Member] {
        try withFleet { (store) throws(StoreError) in try store.members().map(Member.init) }
    }

    /// Lets another machine join the keychain in the PostgreSQL database. The first call gives this machine a key of its
    /// own too, in the place of its copy of the device key.
    ///
    /// - Parameters:
    ///   - name: The name that the machine is to have; nil if it chooses one itself.
    ///   - seconds: How long the invitation can be used.
    /// - Returns: The token for ``join(_:name:)``, as text in UTF-8. Keep it as secret as the keychain: whoever has it
    ///   and reads the database can open everything. Nobody can get it again.
    /// - Throws: As ``members()``; `errSecParam` if the name is longer than 255 bytes or has control characters, or if the
    ///   time is not between one second and 366 days.
    public static func invite(name: String? = nil, validForSeconds seconds: Int = 3_600) throws -> Data {
        try withFleet { (store) throws(StoreError) in
            try store.invite(name: name, seconds: Int64(seconds)).token.data()
        }
    }

    /// Makes this machine a member, with a key of its own in the key file. Does nothing if it is one already. It can be
    /// called again with the same token after an interruption.
    ///
    /// - Parameters:
    ///   - token: What ``invite(name:validForSeconds:)`` returned on another machine.
    ///   - name: The name of this machine; nil for that of the invitation, or else the host's name.
    /// - Returns: This machine.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecParam` if the text is no token or the name cannot be used;
    ///   `errSecNotAvailable` if the invitation was used or has expired, belongs to another database, or this machine has
    ///   the key file of another database; `errSecUnimplemented` if the store is not in a PostgreSQL database.
    @discardableResult
    public static func join(_ token: Data, name: String? = nil) throws -> Member {
        let token = Secret(token)
        return try withFleet { (store) throws(StoreError) in Member(try store.join(token: token, name: name)) }
    }

    /// Removes machines: replaces all keys of all keychains of the database, and encrypts each item again. The removed ones,
    /// open invitations, and machines that only have a copy of the device key's file cannot read what is stored afterwards.
    /// Also change the secrets that they may have read.
    ///
    /// - Parameters:
    ///   - fingerprints: Those to remove (``Member/fingerprint``). With none, only the keys change.
    ///   - keychains: The names of all other keychains in the database.
    ///   - passphrase: The passphrase of the keychains that have one; nil to read it from the configured source.
    ///   - withoutDamaged: Whether damaged items are deleted. A removed machine may have damaged one to prevent its removal.
    /// - Returns: How many items were encrypted again.
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecAuthFailed` if the passphrase is wrong, `errSecDecode` if an item is
    ///   damaged and would be lost, `errSecNotAvailable` if one of the machines is not there or is this one, or if a
    ///   keychain is not named, `errSecUnimplemented` if the store is not in a PostgreSQL database. Then nothing has
    ///   changed.
    @discardableResult
    public static func removeMembers(
        _ fingerprints: [String], keychains: [String] = [], passphrase: Data? = nil, withoutDamaged: Bool = false
    ) throws -> Int {
        let secret = passphrase.map { Secret($0) }
        return try withFleet { (store) throws(StoreError) in
            let members = try store.members()
            let ids = try fingerprints.map { (fingerprint) throws(StoreError) in
                guard let member = members.first(where: { $0.fingerprint == fingerprint }) else {
                    throw StoreError(.unavailable, "no member has the fingerprint \(fingerprint)")
                }
                return member.id
            }
            return try store.rekey(
                keychains: keychains, removing: ids, passphrase: secret, withoutDamaged: withoutDamaged
            ).sealed
        }
    }

    /// Has this machine's TPM seal the key file of the keychain in the PostgreSQL database, so that a copy of the file opens
    /// nothing on another machine. Former key files beside it are sealed too. Other machines are not affected.
    ///
    /// A program that asks for a TPM (`SECITEM_PROTECTOR=tpm`, ``LinuxKeychain/Passphrase/tpm``) makes sealed key files, and
    /// refuses one without the seal until this call. Copies that were made before it still open the keychain. If the TPM is
    /// reset, this machine opens it no more, and has to join again.
    ///
    /// - Throws: ``LinuxKeychain/Failure`` with `errSecNotAvailable` if there is no key file, the TPM cannot be used or is
    ///   not the one that has sealed the file, or the package was built without its trait `TPM`; a status for a file
    ///   that cannot be replaced; `errSecUnimplemented` if the store is not in a PostgreSQL database.
    public static func sealKeyFile() throws {
        try withFleet { (store) throws(StoreError) in _ = try store.sealKeyFile() }
    }

    private static func withFleet<Result>(
        _ body: (any FleetStore) throws(StoreError) -> Result
    ) throws -> Result {
        try failing { () throws(KeychainError) in
            let store = try chosenStore().store
            return try forClient { () throws(StoreError) in try body(Fleet.store(store)) }
        }
    }
}

/// The store of a fleet.
package enum Fleet {
    /// - Throws: ``StoreError/Code/unsupported`` if no store of the machine or of its synchronizable items is shared like
    ///   this.
    package static func store(_ store: any KeychainStore) throws(StoreError) -> any FleetStore {
        if let fleet = own(store) ?? (store as? any DividedStore).flatMap({ own($0.shared) }) { return fleet }
        throw StoreError(.unsupported, "only a keychain in a PostgreSQL database has members")
    }

    /// The store itself as that of a fleet; nil if it is another kind, or only its synchronizable items are shared.
    package static func own(_ store: any KeychainStore) -> (any FleetStore)? {
        store as? any FleetStore ?? store.innermost as? any FleetStore
    }
}
