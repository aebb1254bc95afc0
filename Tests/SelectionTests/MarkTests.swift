#if Gnome
    import Foundation
    import SecItemShim
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemSelection

    /// What says that an application has items in the Secret Service.
    @Suite struct MarkTests {
        private let folder: TemporaryFolder
        private let base = InMemoryStore()

        init() throws {
            folder = try TemporaryFolder()
        }

        private func mark(_ identifier: String = "application") -> SecretServiceMark {
            SecretServiceMark(environment: ["XDG_STATE_HOME": folder.path + "/state"], identifier: identifier)
        }

        private func store(isNeeded: Bool = true) -> MarkingStore {
            let mark = mark()
            return MarkingStore(base) { () throws(StoreError) in try mark.begin(isNeeded: isNeeded) }
        }

        private func insert(_ store: MarkingStore, _ account: String) -> StoreError.Code? {
            let record = ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [.account: .string(account)], secrets: [:])
            do throws(StoreError) { try store.insert(record, interaction: .allowed) } catch { return error.code }
            return nil
        }

        private var files: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/secitem")) ?? []).sorted()
        }

        @Test func firstItem_isMarked_lookUpsAreNot() throws {
            let store = store()
            _ = try store.records(
                matching: RecordFilter(itemClass: .genericPassword), parts: [], limit: nil, interaction: .allowed)
            #expect(try !mark().isSet)
            #expect(insert(store, "one") == nil)
            #expect(try mark().isSet)
            #expect(files == ["application.secret-service"])
            #expect(insert(store, "two") == nil)
            #expect(files == ["application.secret-service"])
            #expect(try !mark("another").isSet && !mark("application.secret-service").isSet)
        }

        @Test(arguments: [StoreError.Code.duplicate, .locked, .cancelled, .full, .tooLarge, .unsupported])
        func itemThatIsNotStored_leavesNoMark(_ code: StoreError.Code) throws {
            base.failNext(StoreError(code, "told to"))
            #expect(insert(store(), "one") == code)
            #expect(try !mark().isSet)
            #expect(files == [])
        }

        @Test(arguments: [StoreError.Code.unavailable, .io])
        func itemThatMayBeStored_leavesAMark(_ code: StoreError.Code) throws {
            base.failNext(StoreError(code, "told to"))
            #expect(insert(store(), "one") == code)
            #expect(try mark().isSet)
        }

        @Test func failedItem_leavesTheMarkOfAnother() throws {
            let store = store()
            #expect(insert(store, "one") == nil)
            #expect(insert(store, "one") == .duplicate)
            #expect(try mark().isSet)
        }

        /// The program dies after it has said that it will store an item.
        @Test func deathInBetween_isOnTheSafeSide() throws {
            _ = try mark().begin(isNeeded: true)
            #expect(try mark().isSet)
            #expect(files.count == 1 && files[0].hasPrefix("application.secret-service."))
            #expect(insert(store(), "one") == nil)
            #expect(files.contains("application.secret-service"))
        }

        @Test func markThatCannotBeWritten_addFails_andStoresNothing() throws {
            // A file where the folder would be: root may write everywhere else.
            try Data().write(to: URL(fileURLWithPath: folder.path + "/state"))
            #expect(insert(store(), "one") == .unavailable)
            #expect(
                try base.records(
                    matching: RecordFilter(itemClass: .genericPassword), parts: [], limit: nil, interaction: .allowed
                ).isEmpty)
            // Whoever asks for the Secret Service each time needs no mark.
            #expect(insert(store(isNeeded: false), "one") == nil)
        }

        @Test(arguments: [1, 161, 255, 256, 5_000]) func longIdentifier_isMarked_apartFromOthers(_ count: Int) throws {
            let identifier = String(repeating: "é", count: count)
            let reminder = try #require(try mark(identifier).begin(isNeeded: true))
            reminder.confirm()
            #expect(try mark(identifier).isSet)
            #expect(try !mark(identifier + "é").isSet && !mark(String(identifier.dropLast())).isSet)
        }

        @Test(.enabled(if: Root.isHere, Root.reason)) func folderThatCannotBeRead_isAnError() throws {
            let state = try folder.make("state/secitem", mode: 0o700)
            try #require(chmod(folder.path, 0o755) == 0 && chmod(folder.path + "/state", 0o755) == 0)
            let probe = try Probe(
                "find", "one", environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path + "/state"],
                through: ["setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups"])
            #expect(probe.lines == ["-25291"], "\(probe.errors)")
            #expect(probe.errors.contains(state))
        }
    }
#endif
