// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore: FleetStore {
        private static var now: Int64 { Int64(time(nil)) }
        /// A name is for people, in a list.
        private static let greatestNameLength = 255
        /// An invitation is to be used soon.
        private static let longestInvitation: Int64 = 366 * 24 * 3_600

        // MARK: Listing

        package func members() throws(StoreError) -> [FleetMember] {
            try requireTables()
            guard let present = try keyFile.present() else { throw missingKeyFile }
            return try database.transaction(.snapshot) { (transaction) throws(StoreError) -> [FleetMember] in
                let deviceKey = try self.deviceKey(present.content, transaction)
                try requirePresent(deviceKey, transaction)
                var own: [UInt8]?
                if case .member(let member) = present.content { own = member.id }
                return try MemberTable.all(transaction)
                    .map { Self.described($0, $0.opened(deviceKey), own, isSealed: present.isSealed) }
                    .sorted { ($0.since, $0.fingerprint) < ($1.since, $1.fingerprint) }
            }
        }

        /// - Parameter isSealed: Whether this machine's key file is sealed.
        private static func described(
            _ row: MemberRow, _ details: MemberRow.Details?, _ own: [UInt8]?, isSealed: Bool
        ) -> FleetMember {
            let state: FleetMember.State =
                switch (details, row.kind) {
                case (nil, _): .damaged
                case (_?, .member): .member
                case (let details?, .invitation): .invited(expires: details.expires)
                }
            return FleetMember(
                id: row.id, name: details?.name ?? "", fingerprint: row.fingerprint, since: details?.since ?? 0,
                state: state, inviter: details?.inviter, isThisMachine: row.id == own,
                isKeyFileSealed: row.id == own ? isSealed : nil)
        }

        private var missingKeyFile: StoreError {
            StoreError(
                .unavailable,
                "the key file \(keyFile.path) is missing: store the first item, or let this machine join with an invitation"
            )
        }

        private static let noKeychains = StoreError(
            .unavailable, "there is no keychain in this database yet: store the first item")

        /// Checks that there are tables. Only an add makes them.
        func requireTables() throws(StoreError) {
            guard try PostgreSQLSchema.isPresent(database) else { throw Self.noKeychains }
        }

        /// Checks that the keychains of the database have that device key.
        private func requirePresent(_ key: DeviceKey, _ transaction: PostgreSQLTransaction) throws(StoreError) {
            let found = try transaction.run([
                PostgreSQLCommand("SELECT 1 FROM secitem.store LIMIT 1"), KeychainRow.strangers(to: key),
            ])
            guard found.count == 2, found[0].count > 0 else { throw Self.noKeychains }
            try KeychainRow.requireNone(found[1])
        }

        // MARK: Becoming a member

        /// Makes this machine a member, if it has a copy of the device key.
        ///
        /// The file with the device key is replaced only after the device key was read back from the new row. If the process
        /// dies in between, the next attempt goes on with the same key.
        ///
        /// - Returns: The path of the former key file, if this machine was no member before.
        /// - Throws: As ``members()``.
        func becomeMember() throws(StoreError) -> String? {
            try requireTables()
            guard let present = try keyFile.present() else { throw missingKeyFile }
            switch present.content {
            case .member(let member):
                _ = try database.transaction(.snapshot) { (transaction) throws(StoreError) in
                    try requirePresent(self.deviceKey(.member(member), transaction), transaction)
                }
                return nil
            case .device(let deviceKey):
                // Also for a program that does not ask for the seal: the machine's key has no less protection than the file had.
                let successor = try keyFile.successorMakingIt(deviceKey.id, sealed: present.isSealed)
                let member = try successor.key
                let details = MemberRow.Details(name: Self.hostName, since: Self.now, voucher: member.voucher)
                let row = try MemberRow(member: member.id, details, deviceKey)
                try storing(row.id, deviceKey) { (transaction) throws(StoreError) in
                    try requirePresent(deviceKey, transaction)
                    // An earlier attempt, or another process, may have stored it.
                    if let found = try MemberTable.row(row.id, transaction) {
                        if try MemberTable.open(found, member).deviceKey.id == deviceKey.id { return }
                        _ = try transaction.run(MemberTable.deletion(row.id))
                    }
                    _ = try transaction.finish([MemberTable.insertion(row)])
                }
                try requireMember(member, deviceKey, isSealed: present.isSealed)
                try keyFile.adopt(successor, replacing: present.content, sealed: present.isSealed)
                let former = keyFile.former(deviceKey.id).path
                logger.notice(
                    "This machine has a key of its own now. The former key file is kept: dumps from before need it",
                    metadata: ["file": "\(keyFile.path)", "former": "\(former)"])
                return former
            }
        }

        /// Runs a transaction. If its outcome is unknown, the row tells.
        private func storing(
            _ id: [UInt8], _ deviceKey: DeviceKey, _ body: (PostgreSQLTransaction) throws(StoreError) -> Void
        ) throws(StoreError) {
            do throws(StoreError) {
                try database.transaction(.serializable, body)
            } catch {
                guard error.postgreSQL?.kind == .commitUnknown else { throw error }
                let isStored = try database.transaction(.snapshot) { (transaction) throws(StoreError) in
                    try MemberTable.row(id, transaction)?.opened(deviceKey) != nil
                }
                if !isStored { throw error }
            }
        }

        /// Reads a member's row back and opens it.
        @discardableResult
        private func requireMember(
            _ member: MemberKey, _ deviceKey: DeviceKey, isSealed: Bool
        ) throws(StoreError) -> FleetMember {
            try database.transaction(.snapshot) { (transaction) throws(StoreError) -> FleetMember in
                guard let row = try MemberTable.row(member.id, transaction) else {
                    throw StoreError(.unavailable, "this machine's row in the table of members has vanished")
                }
                let opened = try MemberTable.open(row, member)
                guard opened.deviceKey.id == deviceKey.id else {
                    throw StoreError(.unavailable, "the keychains have got new keys meanwhile: try again")
                }
                return Self.described(row, opened.details, member.id, isSealed: isSealed)
            }
        }

        private static var hostName: String {
            var name = [CChar](repeating: 0, count: 256)
            guard gethostname(&name, name.count - 1) == 0 else { return "" }
            return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }

        // MARK: Inviting

        package func invite(name: String?, seconds: Int64) throws(StoreError) -> FleetInvitation {
            let name = try Self.checked(name ?? "")
            guard seconds > 0, seconds <= Self.longestInvitation else {
                throw StoreError(.unrepresentable, "an invitation can be used for one second to 366 days")
            }
            let former = try becomeMember()
            guard case .member(let member)? = try keyFile.content() else { throw keyFileHasChanged }
            let invitation = try Invitation()
            let now = Self.now
            try database.transaction(.serializable) { (transaction) throws(StoreError) in
                guard let own = try MemberTable.row(member.id, transaction) else { throw try notAMember(transaction) }
                let (deviceKey, details) = try MemberTable.open(own, member)
                try requirePresent(deviceKey, transaction)
                let row = try invitation.row(
                    name: name, now: now, expires: now + seconds,
                    inviter: FleetInviter(name: details.name, fingerprint: own.fingerprint), deviceKey)
                var commands = [MemberTable.insertion(row)]
                // Those that have ended are of no use to anybody.
                for other in try MemberTable.all(transaction) where other.kind == .invitation {
                    guard let details = other.opened(deviceKey), details.expires < now else { continue }
                    commands.append(MemberTable.deletion(other.id))
                }
                _ = try transaction.finish(commands)
            }
            return FleetInvitation(token: invitation.token, formerKeyFile: former)
        }

        var keyFileHasChanged: StoreError {
            StoreError(.unavailable, "the key file \(keyFile.path) has changed meanwhile: try again")
        }

        private static func checked(_ name: String) throws(StoreError) -> String {
            guard name.utf8.count <= greatestNameLength,
                !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f })
            else {
                throw StoreError(
                    .unrepresentable, "the name of a machine has at most 255 bytes, and no control characters")
            }
            return name
        }

        // MARK: Joining

        package func join(token: Secret, name: String?) throws(StoreError) -> FleetMember {
            let invitation = try Invitation(token: token)
            let name = try name.map { (name) throws(StoreError) in try Self.checked(name) }
            try requireTables()
            let file = try keyFile.present()
            let present = file?.content, isSealed = file?.isSealed ?? keyFile.mustBeSealed
            if case .member(let member)? = present {
                if let found = try ownRow(member, isSealed: isSealed) {
                    keyFile.removeSuccessors(member)
                    return found.member
                }
                // Members know each other's vouchers. With one key for two fleets, the members of one and the server of the
                // other could make this machine accept a device key of theirs.
                throw StoreError(
                    .unavailable,
                    "the key file \(keyFile.path) is that of another database, or this machine was removed from the fleet: "
                        + "move the file away, or name another one, and join again")
            }
            // An earlier attempt may have ended between its last two steps.
            for successor in keyFile.unfinishedSuccessors {
                guard let member = try? successor.key, let found = try ownRow(member, isSealed: isSealed) else {
                    continue
                }
                try requireReplaceable(present, found.deviceKey)
                try keyFile.adopt(successor, replacing: present, sealed: isSealed)
                return found.member
            }
            // Checked before anything is created.
            let content = try database.transaction(.snapshot) { (transaction) throws(StoreError) in
                try self.content(of: invitation, transaction)
            }
            try requireReplaceable(present, content.deviceKey)
            let successor = try keyFile.successorMakingIt(content.deviceKey.id, sealed: isSealed)
            let member = try successor.key
            try storing(member.id, content.deviceKey) { (transaction) throws(StoreError) in
                // Again, because another machine may have used it meanwhile.
                let content = try self.content(of: invitation, transaction)
                let chosen = name ?? (content.name.isEmpty ? Self.hostName : content.name)
                let details = MemberRow.Details(
                    name: chosen, since: Self.now, inviter: content.inviter, voucher: member.voucher)
                var commands = [MemberTable.deletion(invitation.id)]
                if try MemberTable.row(member.id, transaction) != nil {
                    commands.append(MemberTable.deletion(member.id))
                }
                commands.append(MemberTable.insertion(try MemberRow(member: member.id, details, content.deviceKey)))
                _ = try transaction.finish(commands)
            }
            let joined = try requireMember(member, content.deviceKey, isSealed: isSealed)
            try keyFile.adopt(successor, replacing: present, sealed: isSealed)
            return joined
        }

        /// Checks that a device key in the key file is that of the fleet. One of another database is not replaced: it may be
        /// all that opens that one.
        private func requireReplaceable(_ present: KeyFile.Content?, _ fleet: DeviceKey) throws(StoreError) {
            guard case .device(let key)? = present, key.id != fleet.id else { return }
            throw StoreError(
                .unavailable, "the key file \(keyFile.path) is that of another database: name another file")
        }

        /// What an invitation has for the holder of its token.
        private func content(
            of invitation: Invitation, _ transaction: PostgreSQLTransaction
        ) throws(StoreError) -> Invitation.Content {
            guard let row = try MemberTable.row(invitation.id, transaction) else {
                throw StoreError(
                    .unavailable,
                    "there is no such invitation: it was used, the keychains have got new keys, or it belongs to another "
                        + "database")
            }
            let content = try invitation.content(of: row)
            guard content.expires >= Self.now else { throw StoreError(.unavailable, "the invitation has expired") }
            try requirePresent(content.deviceKey, transaction)
            return content
        }

        /// This machine as a member, and the fleet's device key; nil if it is none.
        private func ownRow(
            _ member: MemberKey, isSealed: Bool
        ) throws(StoreError) -> (member: FleetMember, deviceKey: DeviceKey)? {
            try database.transaction(.snapshot) {
                (transaction) throws(StoreError) -> (member: FleetMember, deviceKey: DeviceKey)? in
                guard let row = try MemberTable.row(member.id, transaction),
                    let opened = try? MemberTable.open(row, member)
                else { return nil }
                return (Self.described(row, opened.details, member.id, isSealed: isSealed), opened.deviceKey)
            }
        }

        // MARK: Sealing

        package func sealKeyFile() throws(StoreError) -> [String] {
            // One that is sealed and does not open is no success.
            guard let present = try keyFile.anyPresent() else { throw missingKeyFile }
            var sealed: [String] = []
            // Twice, because another process may have put the machine's own key into the place of the device key meanwhile, which
            // makes another former file.
            for _ in 0..<2 {
                let files = keyFile.allFormer + keyFile.unfinishedSuccessors.map(\.file) + [keyFile]
                for file in files where try file.sealNow() {
                    sealed.append(file.path)
                }
            }
            // What a killed process has left of such files may have the device key.
            if case .device(let key) = present.content { keyFile.former(key.id).removeUnfinished() }
            for successor in keyFile.unfinishedSuccessors { successor.file.removeUnfinished() }
            keyFile.removeUnfinished()
            state.withLock { $0.isKeyFileSealed = true }
            if !present.isSealed {
                logger.notice(
                    "This machine's TPM has sealed the key file: it opens nothing on another machine, or after a reset",
                    metadata: ["file": "\(keyFile.path)"])
            }
            return sealed
        }
    }
#endif
