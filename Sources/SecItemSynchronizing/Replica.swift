// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A sealed copy of the synchronizable items of a shared keychain, with a record of what it contains.
///
/// The items are in an embedded store of its own. The record is a file beside it, with the keychain and the version of each
/// item that is known, and no names. Its modification date is that of the last comparison. Without a record, the copy is not used.
final class Replica: Sendable {
    let store: any LockableStore
    private let folder: String

    init(store: any LockableStore, folder: String) {
        self.store = store
        self.folder = folder
    }

    private var recordPath: String { folder + "/contents" }

    // MARK: The record

    /// Whether there is a whole copy of a keychain.
    var isUsable: Bool { keychain?.isEmpty == false }

    /// The keychain that it is a copy of; nil without a copy.
    var keychain: [UInt8]? {
        guard let file = fopen(recordPath, "re") else { return nil }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: ContentsRecord.greatestHead)
        let count = fread(&head, 1, head.count, file)
        return ContentsRecord.keychain(of: head[..<count])
    }

    /// When the copy was last compared with the keychain.
    var date: Date? {
        var status = stat()
        guard lstat(recordPath, &status) == 0 else { return nil }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
    }

    /// The seconds since then. Nil also if the clock says that it has not happened yet.
    var age: Double? {
        guard let date, date <= Date() else { return nil }
        return Date().timeIntervalSince(date)
    }

    private func readRecord() -> SharedContents? {
        guard let bytes = FileManager.default.contents(atPath: recordPath) else { return nil }
        return ContentsRecord.contents(of: [UInt8](bytes))
    }

    private func write(_ contents: SharedContents) throws(StoreError) {
        try OwnFolder.make(folder)
        try UnnamedFile.write(ContentsRecord.bytes(of: contents), to: recordPath)
    }

    // MARK: Comparison

    /// Removes everything.
    func clear() throws(StoreError) {
        // First, so that nobody uses what is left.
        unlink(recordPath)
        for itemClass in ItemClass.stored {
            _ = try store.delete(matching: RecordFilter(itemClass: itemClass), interaction: .forbidden)
        }
    }

    /// With so many changes, everything is read once, instead of each item by itself.
    private static let manyChanges = 24
    /// So many items are stored in one transaction.
    private static let batch = 256

    /// Makes the copy equal to the shared store, one process at a time.
    ///
    /// - Returns: False if another process is doing this now.
    func compare(with shared: any SharedStore) throws(StoreError) -> Bool {
        guard let lock = ReplicaLock(folder) else { return false }
        defer { lock.release() }
        // Before the contents: what is in the copy now and not in them was deleted.
        var copied = try references()
        let current = try shared.contents()
        let before = readRecord()
        var known: [PersistentReference: [UInt8]] = [:]
        if let before, before.keychain == current.keychain {
            known = before.versions
        } else {
            try clear()
            copied = []
        }
        var fresh: [PersistentReference: [UInt8]] = [:]
        var changed: Set<PersistentReference> = []
        for (reference, version) in current.versions {
            let isFresh = known[reference] == (copied.contains(reference) ? version : Self.notCopied(version))
            if isFresh { fresh[reference] = known[reference] } else { changed.insert(reference) }
        }
        let gone = copied.subtracting(current.versions.keys)
        if changed.isEmpty && gone.isEmpty && before == SharedContents(keychain: current.keychain, versions: fresh) {
            _ = utimensat(AT_FDCWD, recordPath, nil, AT_SYMLINK_NOFOLLOW)
            return true
        }
        try remove(gone)
        try fetch(changed, from: shared) { (records, seen) throws(StoreError) in
            // Not before they are here: the server may go away meanwhile.
            // Items that may not leave their machine are not copied to another one.
            let records = records.filter { $0.belongsInSharedPlace }
            let replaced = try replace(records.filter { copied.contains($0.reference) })
            try remove(copied.intersection(seen).subtracting(replaced))
            try insert(records.filter { !replaced.contains($0.reference) })
            for reference in seen { fresh[reference] = current.versions[reference].map(Self.notCopied) }
            for record in records { fresh[record.reference] = current.versions[record.reference] }
        }
        try write(SharedContents(keychain: current.keychain, versions: fresh))
        return true
    }

    /// What the record has for an item that is known, but not in the copy.
    private static func notCopied(_ version: [UInt8]) -> [UInt8] { version + [0] }

    /// The items of the copy.
    private func references() throws(StoreError) -> Set<PersistentReference> {
        var found: Set<PersistentReference> = []
        for itemClass in ItemClass.stored {
            let records = try store.records(
                matching: RecordFilter(itemClass: itemClass), parts: [], limit: nil, interaction: .forbidden)
            found.formUnion(records.map(\.reference))
        }
        return found
    }

    private func remove(_ references: Set<PersistentReference>) throws(StoreError) {
        for (itemClass, references) in Dictionary(grouping: references, by: \.itemClass) {
            _ = try store.delete(matching: RecordFilter(itemClass, anyOf: Set(references)), interaction: .forbidden)
        }
    }

    /// Gives items of the copy their new values in one transaction, so that each is there at every moment.
    ///
    /// - Returns: Those that have their new values now. The others have to be removed first.
    private func replace(_ records: [ItemRecord]) throws(StoreError) -> Set<PersistentReference> {
        var old: [PersistentReference: ItemRecord] = [:]
        for (itemClass, records) in Dictionary(grouping: records, by: \.itemClass) {
            let found = try store.records(
                matching: RecordFilter(itemClass, anyOf: Set(records.map(\.reference))),
                parts: [.attributes, .secrets], limit: nil, interaction: .forbidden)
            for record in found { old[record.reference] = record }
        }
        var steps: [RecordUpdate] = [], replaced: Set<PersistentReference> = []
        for record in records {
            // An update takes no secret away, and gives a date that is later than before.
            guard let old = old[record.reference], old.guardedSecrets == nil, record.lastChange > old.lastChange,
                Set(old.secrets.keys).isSubset(of: record.secrets.keys)
            else { continue }
            steps.append(
                RecordUpdate(
                    RecordFilter(itemClass: record.itemClass, reference: record.reference),
                    applying: RecordChanges(from: old, to: record)))
            replaced.insert(record.reference)
        }
        if steps.isEmpty { return [] }
        do throws(StoreError) {
            // If somebody has deleted one of them through this machine meanwhile, nothing has changed.
            return try store.update(steps, interaction: .forbidden) == steps.count ? replaced : []
        } catch {
            // Keys have changed hands.
            guard error.code == .duplicate else { throw error }
            return []
        }
    }

    /// Reads these items, a batch at a time.
    private func fetch(
        _ references: Set<PersistentReference>, from shared: any SharedStore,
        _ body: ([ItemRecord], [PersistentReference]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var records: [ItemRecord] = [], seen: [PersistentReference] = []
        func flush(atLeast count: Int) throws(StoreError) {
            guard seen.count >= count else { return }
            try body(records, seen)
            (records, seen) = ([], [])
        }
        if references.count >= Self.manyChanges, let shared = shared as? any SurveyableStore {
            try shared.survey(interaction: .forbidden) { (item) throws(StoreError) in
                switch item {
                case .item(let record) where references.contains(record.reference):
                    records.append(record)
                    seen.append(record.reference)
                // Read again after the next change. Look-ups leave it out too.
                case .damaged(let item): if let reference = item.reference { seen.append(reference) }
                default: return
                }
                try flush(atLeast: Self.batch)
            }
        } else {
            for reference in references {
                let found: [ItemRecord]
                do throws(StoreError) {
                    found = try shared.records(
                        matching: RecordFilter(itemClass: reference.itemClass, reference: reference),
                        parts: [.attributes, .secrets], limit: 1, interaction: .forbidden)
                } catch {
                    guard error.code == .corrupt else { throw error }
                    seen.append(reference)
                    continue
                }
                // It may have been deleted meanwhile: the next comparison finds that.
                guard let record = found.first else { continue }
                records.append(record)
                seen.append(reference)
                try flush(atLeast: Self.batch)
            }
        }
        try flush(atLeast: 1)
    }

    private func insert(_ records: [ItemRecord]) throws(StoreError) {
        if records.isEmpty { return }
        do throws(StoreError) {
            try store.insert(records, interaction: .forbidden)
        } catch {
            guard error.code == .duplicate else { throw error }
            // Somebody has stored one of them through this machine meanwhile, or keys have changed hands.
            for record in records {
                _ = try store.delete(matching: RecordFilter(primaryKeyOf: record), interaction: .forbidden)
                try remove([record.reference])
                try store.insert(record, interaction: .forbidden)
            }
        }
    }
}

extension RecordChanges {
    /// What makes a record equal to another one with the same reference, later, and with all its secrets.
    fileprivate init(from old: ItemRecord, to new: ItemRecord) {
        var attributes = new.attributes
        let schema = ItemSchema.schema(of: new.itemClass)
        // An attribute of the primary key cannot be removed, and an empty one equals none.
        for row in schema.primaryKeyRows where attributes[row.attribute] == nil && old.attributes[row.attribute] != nil
        {
            attributes[row.attribute] = row.kind.emptyValue
        }
        self.init(
            attributes: attributes, secrets: new.secrets,
            removing: Set(old.attributes.keys).subtracting(attributes.keys), modificationDate: new.lastChange)
    }
}

/// The file that records what a copy contains: the keychain, and the version of each item.
enum ContentsRecord {
    private static let magic = Array("secitem copy 1\n".utf8)
    /// The head has at most this many bytes.
    static let greatestHead = 15 + 1 + 255

    static func bytes(of contents: SharedContents) -> [UInt8] {
        var bytes = magic
        bytes.append(UInt8(clamping: contents.keychain.count))
        bytes += contents.keychain.prefix(255)
        for (reference, version) in contents.versions {
            bytes += reference.data
            bytes.append(UInt8(clamping: version.count))
            bytes += version.prefix(255)
        }
        return bytes
    }

    /// The keychain, or nil if the bytes are not the beginning of such a file.
    static func keychain(of bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.starts(with: magic), bytes.count > magic.count else { return nil }
        let rest = bytes.dropFirst(magic.count)
        guard let count = rest.first, rest.count > Int(count) else { return nil }
        return Array(rest.dropFirst().prefix(Int(count)))
    }

    /// What the file says, or nil if it is damaged.
    static func contents(of bytes: [UInt8]) -> SharedContents? {
        guard let keychain = keychain(of: bytes[...]) else { return nil }
        var rest = bytes.dropFirst(magic.count + 1 + keychain.count)
        var versions: [PersistentReference: [UInt8]] = [:]
        while !rest.isEmpty {
            guard rest.count >= 21, let reference = PersistentReference(Data(rest.prefix(20))) else { return nil }
            let count = Int(rest[rest.startIndex + 20])
            guard rest.count >= 21 + count else { return nil }
            versions[reference] = Array(rest.dropFirst(21).prefix(count))
            rest = rest.dropFirst(21 + count)
        }
        return SharedContents(keychain: keychain, versions: versions)
    }
}

/// The right of one process to change a copy. It ends with the process, and no child inherits it.
struct ReplicaLock {
    private let descriptor: Int32

    /// Nil if another process has it, or the folder cannot be written.
    init?(_ folder: String) {
        try? OwnFolder.make(folder)
        descriptor = OwnDescriptor.aboveStandard(
            open(folder + "/comparing", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
        if descriptor < 0 { return nil }
        var region = flock()
        region.l_type = Int16(F_WRLCK)
        region.l_whence = Int16(SEEK_SET)
        if fcntl(descriptor, F_SETLK, &region) != 0 {
            close(descriptor)
            return nil
        }
    }

    func release() { close(descriptor) }
}
