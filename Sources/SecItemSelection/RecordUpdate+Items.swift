// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension [RecordUpdate] {
    /// Whether they may move items into an access group, and so give items to an application that had none.
    var bringItems: Bool { contains { $0.changes.attributes[.accessGroup] != nil } }
}
