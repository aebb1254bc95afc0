// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore

    /// Generic passwords of one service, each known by its account.
    extension PostgreSQLStore {
        private static let service = AttributeValue.string("service")

        /// Adds one with that account.
        func add(_ account: String, secret: Secret = Secret(Data("secret".utf8))) throws(StoreError) {
            var record = ItemRecord.password(account)
            record.secrets[.valueData] = secret
            try insert(record, interaction: .forbidden)
        }

        /// Gives the one with that account another one.
        func rename(_ account: String, to other: String) throws(StoreError) {
            let changes = RecordChanges(attributes: [.account: .string(other)], secrets: [:])
            _ = try update([RecordUpdate(Self.filter(account), applying: changes)], interaction: .forbidden)
        }

        /// Deletes the one with that account.
        func remove(_ account: String) throws(StoreError) {
            _ = try delete([RecordDeletion(Self.filter(account))], interaction: .forbidden)
        }

        /// The accounts of all, in the order of the rows. Each has been decrypted.
        func accounts() throws(StoreError) -> [String] {
            let filter = RecordFilter(itemClass: .genericPassword, attributes: [.service: Self.service])
            return try records(matching: filter, parts: [.attributes, .secrets], limit: nil, interaction: .forbidden)
                .compactMap { if case .string(let account) = $0.attributes[.account] { account } else { nil } }
        }

        private static func filter(_ account: String) -> RecordFilter {
            RecordFilter(itemClass: .genericPassword, attributes: [.service: service, .account: .string(account)])
        }
    }
#endif
