// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSelection

/// The file in the state folder that says where an application's items are.
@Suite struct PlaceFileTests {
    private func name(_ identifier: String) -> String {
        PlaceFile(environment: [:], identifier: identifier).name
    }

    /// Each identifier has a separate file. Its name leads to no other folder, and is short enough for any file system.
    @Test func name_ofAnyIdentifier_isSafeAndItsOwn() {
        var random = SeededGenerator()
        let letters = Array("aZ9./%-_~ \0ä\u{301}🙂").map(String.init)
        var identifiers = ["", ".", "..", "/", "../a", "a/b", "a%2Fb", "A", "a", "ä", "a\u{308}", "\0"]
        identifiers += RandomRounds.usually(300).map { _ in
            (0..<Int.random(in: 1...300, using: &random)).map { _ in
                letters[Int.random(in: letters.indices, using: &random)]
            }.joined()
        }
        let allowed = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz%-".utf8)
        var owners: [String: [UInt8]] = [:]
        for identifier in identifiers {
            let name = name(identifier)
            #expect(name.utf8.count <= 200 && name.hasSuffix(".store"))
            #expect(name.dropLast(".store".count).utf8.allSatisfy(allowed.contains), "\(name)")
            #expect(
                owners.updateValue(Array(identifier.utf8), forKey: name) ?? Array(identifier.utf8)
                    == Array(identifier.utf8))
        }
    }

    /// In a process of its own, because the umask is one of all its threads.
    @Test func files_areForTheirOwnerAlone_whateverTheUmask() throws {
        let home = try TemporaryFolder()
        let probe = try Probe(
            "add", "one", environment: ["HOME": home.path, "SECITEM_STORE": "embedded"],
            through: ["sh", "-c", "umask 0; exec \"$@\"", "sh"])
        #expect(probe.lines == ["0"], "\(probe.errors)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        #expect(paths.contains { $0.hasSuffix(".store") }, "\(paths)")
        for path in paths {
            var status = stat()
            #expect(lstat(home.path + "/" + path, &status) == 0 && status.st_mode & 0o077 == 0, "\(path)")
        }
    }

    private func descriptors(below folder: String) -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.compactMap { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
            return target.flatMap { $0.hasPrefix(folder) ? $0 : nil }
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ identifier: String = "application") -> PlaceFile {
        PlaceFile(environment: ["XDG_STATE_HOME": folder.path + "/state"], identifier: identifier)
    }

    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/secitem")) ?? []).sorted()
    }

    private func write(_ place: ItemPlace, _ identifier: String = "application") throws -> PlaceFile.Outcome {
        try file(identifier).write(place) { $0.givesWay(to: place) }
    }

    private static let embedded = ItemPlace.embedded(folder: "/home/anna/.local/share/secitem")
    private static let other = ItemPlace.embedded(folder: "/srv/ä b")

    /// The whole law of what replaces what, and of what is read back.
    @Test(arguments: [nil, .secretService, embedded, other], [ItemPlace.secretService, embedded, other])
    func record_isReadBack_andGivesWayByTheRule(_ first: ItemPlace?, _ second: ItemPlace) throws {
        #expect(try file().place == nil && files == [])
        if let first { #expect(try write(first) == .written(before: nil)) }
        #expect(try file().place == first)
        let outcome = try write(second)
        let isKept = first == .secretService && second != .secretService
        #expect(outcome == (first == second ? .unchanged : isKept ? .kept(.secretService) : .written(before: first)))
        #expect(try file().place == (isKept ? first : second))
        #expect(try file("another").place == nil)
        #expect(files == ["application.store"])
        if case .written(let before) = outcome { try file().takeBack(second, before: before) }
        if first != second { #expect(try file().place == first) }
        #expect(files == (first == nil ? [] : ["application.store"]))
    }

    /// What somebody else has recorded since is not taken back.
    @Test func takingBack_leavesWhatOthersWrote() throws {
        #expect(try write(Self.embedded) == .written(before: nil))
        #expect(try write(.secretService) == .written(before: Self.embedded))
        try file().takeBack(Self.embedded, before: nil)
        #expect(try file().place == .secretService)
    }

    /// At every length of an interrupted line there is no record, or the complete one.
    @Test func interruptedWriting_leavesNoOtherRecord() throws {
        _ = try write(Self.other)
        let path = try file().path
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path))
            #expect(try file().place == nil)
            #expect(try write(.secretService) == .written(before: nil))
            #expect(try file().place == .secretService)
        }
        // A shorter line takes the place of a longer one.
        for count in 0..<whole.count {
            try (Data("secret-service\n".utf8) + whole.suffix(count)).write(to: URL(fileURLWithPath: path))
            #expect(try file().place == .secretService)
        }
    }

    @Test(arguments: ["\n", "gnome\n", "relative/path\n", "\u{0}\n", " secret-service\n"])
    func nonsense_isAnError_thatNamesTheFile(_ text: String) throws {
        _ = try write(.secretService)
        let path = try file().path
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let error = #expect(throws: StoreError.self) { try file().place }
        #expect(error?.code == .unavailable && error?.message.contains(path) == true)
        #expect(throws: StoreError.self) {
            try PlacedApplication.all(environment: ["XDG_STATE_HOME": folder.path + "/state"])
        }
        try file().remove()
        #expect(try file().place == nil)
    }

    /// One line at a time is written, whoever writes.
    @Test func manyWriters_leaveOneOfTheirLines() throws {
        let places = (0..<8).map { ItemPlace.embedded(folder: "/" + String(repeating: "\($0)", count: 30 * ($0 + 1))) }
        let workers = places.map { place in
            Worker { [self] in
                for _ in 0..<50 {
                    do { _ = try write(place) } catch { Issue.record("\(error)") }
                    do { try file().takeBack(place, before: nil) } catch { Issue.record("\(error)") }
                }
                _ = try? write(place)
            }
        }
        workers.forEach { $0.join() }
        #expect(try places.contains { try file().place == $0 })
        #expect(files == ["application.store"])
    }

    /// A change leaves nothing open: neither the file, nor a folder that is brought to disk.
    @Test func changes_leaveNothingOpen() throws {
        let folder = folder.path
        let sync: @Sendable (Int32) -> Int32 = { [self] _ in
            #expect(!descriptors(below: folder).isEmpty)
            return 0
        }
        _ = try PlaceFile.$sync.withValue(sync) { try write(.secretService) }
        #expect(try file().place == .secretService)
        try PlaceFile.$sync.withValue(sync) { try file().remove() }
        #expect(descriptors(below: folder) == [])
    }

    /// A place that cannot be recorded, here because a folder has the file's name, leaves nothing behind.
    @Test func placeThatCannotBeRecorded_leavesNoFile() throws {
        _ = try folder.make("state/secitem/application.store/other", mode: 0o700)
        #expect(throws: StoreError.self) { try write(Self.embedded) }
        #expect(throws: StoreError.self) { try write(.embedded(folder: "/a\nb"), "line") }
        #expect(files == ["application.store"])
    }

    // MARK: Disk

    private static func path(of descriptor: Int32) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? "?"
    }

    /// A power failure must not remove the record and keep the item.
    @Test func record_isOnTheDisk_withEachFolderThatWasMade() throws {
        let synced = Shared<[String]>([])
        let sync: @Sendable (Int32) -> Int32 = { descriptor in
            synced.change { $0.append(Self.path(of: descriptor)) }
            return 0
        }
        _ = try PlaceFile.$sync.withValue(sync) { try write(.secretService) }
        let secitem = folder.path + "/state/secitem"
        // The content, and then the name.
        #expect(synced.value == [folder.path, folder.path + "/state", secitem + "/application.store", secitem])
    }

    /// A power failure must not bring back a record that was removed: calls would fail where no service runs.
    @Test func removal_isOnTheDisk() throws {
        _ = try write(.secretService)
        let secitem = folder.path + "/state/secitem"
        let synced = Shared<[String]>([])
        let sync: @Sendable (Int32) -> Int32 = { descriptor in
            let isThere = access(secitem + "/application.store", F_OK) == 0
            synced.change { $0.append(isThere ? "too early" : Self.path(of: descriptor)) }
            return 0
        }
        try PlaceFile.$sync.withValue(sync) { try file().remove() }
        #expect(synced.value == [secitem])
        #expect(files == [])
    }

    /// A program that another thread starts at that moment inherits none of the files, and nobody else may read them.
    @Test func recordBeingWritten_isForThisProgramAndUserAlone() throws {
        let folder = folder.path
        let inherited = Shared<[String]>([])
        let sync: @Sendable (Int32) -> Int32 = { _ in
            inherited.change { $0 += (try? inheritedFiles(below: folder)) ?? ["?"] }
            return 0
        }
        _ = try PlaceFile.$sync.withValue(sync) { try write(.secretService) }
        #expect(inherited.value == [])
        let made = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(made.count == 3)
        for path in made {
            var status = stat()
            #expect(lstat(folder + "/" + path, &status) == 0 && status.st_mode & 0o077 == 0, "\(path)")
        }
    }

    /// Some file systems cannot flush a folder to the disk, and do not need to. Where one can, and fails, there is no record.
    @Test(arguments: [EINVAL, EOPNOTSUPP, EIO, ENOSPC], [S_IFDIR, S_IFREG])
    func whatDoesNotReachTheDisk_isNoRecord(_ number: Int32, _ kind: mode_t) throws {
        let sync: @Sendable (Int32) -> Int32 = { descriptor in
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind else { return 0 }
            errno = number
            return -1
        }
        let isUnsupported = kind == S_IFDIR && (number == EINVAL || number == EOPNOTSUPP)
        PlaceFile.$sync.withValue(sync) {
            #expect((try? write(.secretService)) == (isUnsupported ? .written(before: nil) : nil))
        }
        #expect(files == (isUnsupported ? ["application.store"] : []))
    }

    // MARK: Moved items

    /// Moved items are recorded for each application, and forgotten for each.
    @Test(arguments: [[], ["one"], ["one", "two", "three"]]) func movedItems_areRecorded(
        _ identifiers: [String]
    ) throws {
        let environment = ["XDG_STATE_HOME": folder.path + "/state"]
        func moved(to place: ItemPlace?, from former: ItemPlace?) -> Bool {
            PlacedApplication.moved(identifiers, to: place, from: former, environment: environment)
        }
        #expect(moved(to: .secretService, from: Self.embedded))
        #expect(try identifiers.allSatisfy { try file($0).place == .secretService })
        #expect(moved(to: Self.embedded, from: .secretService))
        #expect(try identifiers.allSatisfy { try file($0).place == Self.embedded })
        #expect(moved(to: Self.other, from: Self.embedded))
        #expect(try identifiers.allSatisfy { try file($0).place == Self.other })
        // They may have items in the third place too.
        #expect(moved(to: Self.embedded, from: .secretService) && moved(to: nil, from: .secretService))
        #expect(try identifiers.allSatisfy { try file($0).place == Self.other })
        #expect(moved(to: .secretService, from: nil) && moved(to: nil, from: .secretService))
        #expect(files == [])
    }

    /// Whichever application's record cannot be written or removed, the caller is told, and the others are.
    @Test(arguments: 0..<3) func movedItems_thatCannotAllBeRecorded_areReported(_ failing: Int) throws {
        let environment = ["XDG_STATE_HOME": folder.path + "/state"]
        let identifiers = ["one", "two", "three"]
        // A folder in place of the record cannot be opened as a file.
        _ = try folder.make("state/secitem/\(identifiers[failing]).store", mode: 0o700)
        #expect(!PlacedApplication.moved(identifiers, to: .secretService, from: nil, environment: environment))
        for (number, identifier) in identifiers.enumerated() where number != failing {
            #expect(try file(identifier).place == .secretService)
        }
        #expect(!PlacedApplication.moved(identifiers, to: nil, from: .secretService, environment: environment))
        #expect(files == ["\(identifiers[failing]).store"])
    }

    // MARK: Names

    @Test func name_isInPercentEncoding() {
        #expect(name("org.example.App1") == "org%2Eexample%2EApp1.store")
        #expect(name("ä/b") == "%C3%A4%2Fb.store")
    }

    /// Whoever looks through all files tells a person which applications they are of. A name of the file system may be any.
    @Test func name_saysWhichApplicationItIsOf() {
        for identifier in ["org.example.App1", "ä/b", "%2E", "a\0b", "-"] {
            #expect(PlaceFile.identifier(ofFile: name(identifier)) == identifier)
        }
        let long = PlaceFile.identifier(ofFile: name(String(repeating: "ab", count: 200)))
        #expect(long == String(repeating: "ab", count: 40) + "…")
        for junk in ["%.store", "%A.store", "%GG.store", "%é.store", ".store"] {
            _ = PlaceFile.identifier(ofFile: junk)
        }
        for other in ["", ".", "application", "application.store.new", "writer"] {
            #expect(PlaceFile.identifier(ofFile: other) == nil)
        }
    }

    @Test(arguments: [1, 161, 255, 256, 5_000]) func longIdentifier_isRecorded_apartFromOthers(_ count: Int) throws {
        let identifier = String(repeating: "é", count: count)
        #expect(try write(.secretService, identifier) == .written(before: nil))
        #expect(try file(identifier).place == .secretService)
        #expect(try file(identifier + "é").place == nil && file(String(identifier.dropLast())).place == nil)
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
