// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite

/// A program that closes its standard descriptors, as one does that goes into the background.
@Suite struct StandardDescriptorTests {
    private static let closed = ["0", "1", "2", "01", "02", "12", "012"]

    /// What the program prints later reaches none of the store's files.
    @Test(arguments: closed)
    func standardDescriptorsThatAreClosed_areNotTheStores(_ closed: String) throws {
        let folder = try TemporaryFolder()
        try openStore(folder.location).insert(.password(service: "probe", account: "first"))
        let key = try Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath))
        let probe = try Program.built("StoreProbe", ["closed-standard", folder.location.folder, closed]).run()
        #expect(probe.lines.suffix(1) == ["done done false"], "\(probe.lines) \(probe.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.location.keyFilePath)) == key)
        let store = try openStore(folder.location)
        try store.verify()
        #expect(try store.find(.password()).count == 2)
    }
}
