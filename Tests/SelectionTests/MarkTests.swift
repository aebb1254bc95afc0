// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Foundation
    import SecItemShim
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemSelection

    /// The file that records that an application has items in the Secret Service.
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

        private static let codes: [StoreError.Code] = [
            .duplicate, .locked, .cancelled, .authenticationFailed, .unavailable, .corrupt, .readOnly, .full, .tooLarge,
            .tooMany, .unrepresentable, .unsupported, .io,
        ]
        /// What leaves open whether a single item was stored.
        private static let uncertain: Set<StoreError.Code> = [.unavailable, .corrupt, .tooMany, .io]

        @Test(arguments: codes.filter { !uncertain.contains($0) })
        func itemThatIsNotStored_leavesNoMark(_ code: StoreError.Code) throws {
            base.failNext(StoreError(code, "told to"))
            #expect(insert(store(), "one") == code)
            #expect(try !mark().isSet)
            #expect(files == [])
        }

        @Test(arguments: uncertain)
        func itemThatMayBeStored_leavesAMark(_ code: StoreError.Code) throws {
            base.failNext(StoreError(code, "told to"))
            #expect(insert(store(), "one") == code)
            #expect(try mark().isSet)
        }

        /// Of several items, some may be there although the call failed. Only a refusal before the first one is certain.
        @Test(arguments: codes, ["insert", "move"])
        func severalItems_thatMayBeThere_leaveAMark(_ code: StoreError.Code, _ verb: String) throws {
            let records = ["one", "two"].map { account in
                ItemRecord(
                    reference: PersistentReference(itemClass: .genericPassword),
                    attributes: [.account: .string(account), .accessGroup: .string("another")], secrets: [:])
            }
            let store = store()
            if verb == "move" { try base.insert(records, interaction: .allowed) }
            base.failNext(StoreError(code, "told to"))
            let found = Self.code {
                switch verb {
                case "insert": try store.insert(records, interaction: .allowed)
                default: _ = try move(store, "one")
                }
            }
            #expect(found == code)
            #expect(try mark().isSet != [.duplicate, .unrepresentable, .tooMany].contains(code))
        }

        /// A program that tries repeatedly leaves one file. A later attempt does not undo the record of an earlier one.
        @Test func attemptsThatMayHaveStored_shareOneFile() throws {
            let store = store()
            for _ in 0..<20 {
                base.failNext(StoreError(.unavailable, "told to"))
                #expect(insert(store, "one") == .unavailable)
            }
            base.failNext(StoreError(.duplicate, "told to"))
            #expect(insert(store, "one") == .duplicate)
            #expect(try files.count == 1 && mark().isSet)
            #expect(insert(store, "one") == nil)
            #expect(files == ["application.secret-service"])
        }

        @Test func failedItem_leavesTheMarkOfAnother() throws {
            let store = store()
            #expect(insert(store, "one") == nil)
            #expect(insert(store, "one") == .duplicate)
            #expect(try mark().isSet)
        }

        private static func path(of descriptor: Int32) -> String {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? "?"
        }

        /// A power failure must not remove the record and keep the item.
        @Test func mark_isOnTheDisk_withEachFolderThatWasMade() throws {
            let synced = Shared<[String]>([])
            let sync: @Sendable (Int32) -> Int32 = { descriptor in
                synced.change { $0.append(Self.path(of: descriptor)) }
                return 0
            }
            try StateFile.$sync.withValue(sync) { _ = try mark().begin(isNeeded: true) }
            let secitem = folder.path + "/state/secitem"
            #expect(synced.value.count == 4)
            #expect(synced.value.prefix(2) == [folder.path, folder.path + "/state"])
            // The content, and then the name.
            #expect(synced.value.dropFirst(2).first?.hasPrefix(secitem + "/application.secret-service.") == true)
            #expect(synced.value.last == secitem)
        }

        /// A power failure must not bring back a record that was removed: calls would fail where no service runs.
        @Test func removal_isOnTheDisk() throws {
            try mark().begin(isNeeded: true)?.confirm()
            let secitem = folder.path + "/state/secitem"
            let synced = Shared<[String]>([])
            let sync: @Sendable (Int32) -> Int32 = { descriptor in
                let isThere = access(secitem + "/application.secret-service", F_OK) == 0
                synced.change { $0.append(isThere ? "too early" : Self.path(of: descriptor)) }
                return 0
            }
            try StateFile.$sync.withValue(sync) { try mark().remove() }
            #expect(synced.value == [secitem])
            #expect(files == [])
        }

        /// A program that another thread starts at that moment inherits none of the files, and nobody else may read them.
        @Test func markBeingWritten_isForThisProgramAndUserAlone() throws {
            let folder = folder.path
            let inherited = Shared<[String]>([])
            let sync: @Sendable (Int32) -> Int32 = { _ in
                inherited.change { $0 += (try? inheritedFiles(below: folder)) ?? ["?"] }
                return 0
            }
            try StateFile.$sync.withValue(sync) { _ = try mark().begin(isNeeded: true) }
            #expect(inherited.value == [])
            let made = try FileManager.default.subpathsOfDirectory(atPath: folder)
            #expect(made.count == 3)
            for path in made {
                var status = stat()
                #expect(lstat(folder + "/" + path, &status) == 0 && status.st_mode & 0o077 == 0, "\(path)")
            }
        }

        @Test func markThatDoesNotReachTheDisk_isNone() throws {
            let sync: @Sendable (Int32) -> Int32 = { _ in
                errno = EIO
                return -1
            }
            StateFile.$sync.withValue(sync) { #expect(insert(store(), "one") == .unavailable) }
            #expect(files == [])
            #expect(try !mark().isSet)
        }

        /// Some file systems cannot flush a folder to the disk, and do not need to. One that can, and fails, has no mark.
        @Test(arguments: [EINVAL, EOPNOTSUPP, EIO, ENOSPC])
        func folderThatCannotBeBroughtToTheDisk_isAHindranceWhereItShouldBe(_ number: Int32) throws {
            let sync: @Sendable (Int32) -> Int32 = { descriptor in
                var status = stat()
                guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return 0 }
                errno = number
                return -1
            }
            let isUnsupported = number == EINVAL || number == EOPNOTSUPP
            StateFile.$sync.withValue(sync) { #expect(insert(store(), "one") == (isUnsupported ? nil : .unavailable)) }
            #expect(try mark().isSet == isUnsupported)
        }

        private static func code(_ body: () throws -> Void) -> StoreError.Code? {
            do { try body() } catch { return (error as? StoreError)?.code }
            return nil
        }

        /// Moves the item with this account to another group.
        private func move(_ store: some KeychainStore, _ account: String) throws -> Int {
            let filter = RecordFilter(itemClass: .genericPassword, attributes: [.account: .string(account)])
            let changes = RecordChanges(attributes: [.accessGroup: .string("application")], secrets: [:])
            return try store.update(matching: filter, applying: changes, interaction: .allowed)
        }

        @Test func itemThatIsMoved_isMarked_asANewOneIs() throws {
            let record = ItemRecord(
                reference: PersistentReference(itemClass: .genericPassword),
                attributes: [.account: .string("one"), .accessGroup: .string("another")], secrets: [:])
            try base.insert(record, interaction: .allowed)
            let store = store()
            #expect(try move(store, "none") == 0)
            #expect(files == [])
            base.failNext(StoreError(.duplicate, "told to"))
            #expect(Self.code { _ = try move(store, "one") } == .duplicate)
            #expect(files == [])
            #expect(try move(store, "one") == 1)
            #expect(files == ["application.secret-service"])
        }

        @Test func itemThatMayBeMoved_leavesAMark() throws {
            base.failNext(StoreError(.io, "told to"))
            #expect(Self.code { _ = try move(store(), "one") } == .io)
            #expect(try mark().isSet)
        }

        /// Other changes affect items that already exist.
        @Test func itemThatIsChanged_isNotMarked() throws {
            let filter = RecordFilter(itemClass: .genericPassword, attributes: [.account: .string("one")])
            let changes = RecordChanges(attributes: [.label: .string("new")], secrets: [:])
            _ = try store().update(matching: filter, applying: changes, interaction: .allowed)
            #expect(files == [])
        }

        /// The program dies after it has written the record and before it stores the item.
        @Test func deathInBetween_isOnTheSafeSide() throws {
            _ = try mark().begin(isNeeded: true)
            #expect(try mark().isSet)
            #expect(files.count == 1 && files[0].hasPrefix("application.secret-service."))
            #expect(insert(store(), "one") == nil)
            #expect(files.contains("application.secret-service"))
        }

        @Test func markThatCannotBeWritten_addFails_andStoresNothing() throws {
            // A file replaces the folder, because root may write everywhere else.
            try Data().write(to: URL(fileURLWithPath: folder.path + "/state"))
            #expect(insert(store(), "one") == .unavailable)
            #expect(
                try base.records(
                    matching: RecordFilter(itemClass: .genericPassword), parts: [], limit: nil, interaction: .allowed
                ).isEmpty)
            // A program that always asks for the Secret Service needs no record.
            #expect(insert(store(isNeeded: false), "one") == nil)
        }

        /// Moved items are recorded for each application, and forgotten for each.
        @Test(arguments: [[], ["one"], ["one", "two", "three"]]) func movedItems_areRecorded(
            _ identifiers: [String]
        ) throws {
            let environment = ["XDG_STATE_HOME": folder.path + "/state"]
            #expect(MovedItems.areInSecretService(identifiers, environment: environment))
            for identifier in identifiers { #expect(try mark(identifier).isSet) }
            #expect(files == identifiers.map { "\($0).secret-service" }.sorted())
            #expect(MovedItems.areNotInSecretService(identifiers, environment: environment))
            #expect(files == [])
        }

        /// Whichever application's record cannot be written or removed, the caller is told, and the others are.
        @Test(arguments: 0..<3) func movedItems_thatCannotAllBeRecorded_areReported(_ failing: Int) throws {
            let environment = ["XDG_STATE_HOME": folder.path + "/state"]
            let identifiers = ["one", "two", "three"]
            let count = Shared(0)
            let sync: @Sendable (Int32) -> Int32 = { descriptor in
                var status = stat()
                guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
                count.change { $0 += 1 }
                errno = EIO
                return count.value == failing + 1 ? -1 : 0
            }
            StateFile.$sync.withValue(sync) {
                #expect(!MovedItems.areInSecretService(identifiers, environment: environment))
            }
            for (number, identifier) in identifiers.enumerated() {
                #expect(try mark(identifier).isSet == (number != failing))
            }
            // A folder in place of the record cannot be removed as a file.
            _ = try folder.make("state/secitem/\(identifiers[failing]).secret-service", mode: 0o700)
            #expect(!MovedItems.areNotInSecretService(identifiers, environment: environment))
            #expect(files == ["\(identifiers[failing]).secret-service"])
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
            #expect(probe.errors.contains("\(state) cannot be read: it belongs to user 0"), "\(probe.errors)")
            #expect(!probe.errors.contains("Let this user read it"), "\(probe.errors)")
        }
    }
#endif
