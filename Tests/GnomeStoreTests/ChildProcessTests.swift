// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension OnARealService {
    /// Programs and children that a process starts while it uses a Secret Service.
    @Suite(.serialized, .enabled(if: PrivateBus.isGnomeKeyring, "other tests' items are on the only other service"))
    struct ChildProcessTests {
        @Test func store_keepsItsPromisesToParentsAndChildren() throws {
            let bus = try PrivateBus()
            let own = ["SECITEM_STORE": "secret-service", "SECITEM_APPLICATION_IDENTIFIER": "org.example.children"]
            try ForkCheck(bus.environment.merging(own) { $1 }, folder: bus.folder, worksInChild: false).all()
        }
    }
}
