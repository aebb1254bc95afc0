// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

extension SQLiteStore: SurveyableStore {
    package func survey(
        interaction: Interaction, _ visit: (SurveyedItem) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try open(mayAsk: interaction == .allowed) else { return }
        try perform(interaction, isLookUp: true) { (keys, mayUnlock, _) throws(StoreError) in
            if !keys.isUnlocked && (interaction != .skipped || mayUnlock) { throw StoreError.locked }
            try connection.read { database in
                try RowSurvey(keys: keys, storeID: storeID).run(database, visit)
            }
        }
    }
}
