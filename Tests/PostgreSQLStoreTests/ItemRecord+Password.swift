// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore

    extension ItemRecord {
        /// A generic password that a test stores.
        ///
        /// - Parameters:
        ///   - account: Its account, by which the test knows it.
        ///   - accessible: When it can be opened.
        ///   - service: Its service.
        ///   - secret: Its secret; nil for one that tells the account.
        ///   - more: Further attributes.
        static func password(
            _ account: String, _ accessible: Accessible = .afterFirstUnlock, service: String = "service",
            secret: String? = nil, _ more: [ItemAttribute: AttributeValue] = [:]
        ) -> ItemRecord {
            ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: more.merging([
                    .service: .string(service), .account: .string(account),
                    .accessible: .string(accessible.rawValue),
                ]) { $1 },
                secrets: [.valueData: Secret(Data((secret ?? "secret of \(account)").utf8))])
        }
    }
#endif
