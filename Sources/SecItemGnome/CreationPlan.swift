// SPDX-License-Identifier: Apache-2.0

import SecItemBus
import SecItemStore

/// An insert in progress. Used by one thread.
final class CreationPlan: Plan {
    private let record: ItemRecord
    private let attributes: [String: String]
    private let secret: Secret
    /// Whether the service was asked to create the item. It may have done so before it died, or after a person
    /// confirmed.
    private var mayBeThere = false
    /// Removes the record of the application's items, if it was written for this item.
    private var takeBackRecord: (@Sendable () -> Void)?

    init(of record: ItemRecord, attributes: [String: String]) {
        self.record = record
        self.attributes = attributes
        secret = record.secrets[.valueData]?.written ?? Secret(count: 0) { _ in }
    }

    func perform(_ operation: Operation) throws {
        try operation.requireSearchable()
        if mayBeThere, let item = try operation.locate(record.reference) {
            if try isUsable(item, operation) { return }
            try delete(item, operation)
        }
        try operation.requireNoOther(record)
        guard let collection = try operation.session.defaultCollection() else { throw Need.collection }
        if takeBackRecord == nil { takeBackRecord = try operation.store.configuration.record?() }
        mayBeThere = true
        do {
            let prompt = try operation.session.create(
                attributes, label: record.displayedLabel, secret: secret, in: collection)
            try operation.confirm(prompt)
        } catch let failure as BusFailure where failure.kind == .locked {
            throw Need.unlocking([collection])
        } catch let failure as BusFailure where failure.kind == .noObject {
            // The collection was deleted. There may be another default one by now.
            throw Need.collection
        }
    }

    /// Whether the existing item is the right one. Others may have added theirs during a prompt, and KWallet creates an
    /// item before it notices that it cannot decrypt the secret.
    private func isUsable(_ item: StoredItem, _ operation: Operation) throws -> Bool {
        do {
            try operation.requireNoOther(record, except: [item])
        } catch let error as StoreError where error.code == .duplicate {
            try delete(item, operation)
            mayBeThere = false
            throw error
        }
        // The secret of a locked item cannot be read. It was encrypted with a verified key.
        if try operation.session.isLocked("Item", at: item.path) { return true }
        guard let stored = try operation.session.secrets(at: [item.path])[item.path] else { return false }
        return stored.hasSameBytes(as: secret)
    }

    // MARK: Undo

    var isBegun: Bool { mayBeThere }

    /// Nobody knows of the item: its insert failed, but it may have been created.
    func undo(_ operation: Operation) throws -> Bool {
        do {
            if let item = try operation.locate(record.reference) { try delete(item, operation) }
            mayBeThere = false
            try operation.takeBack(takeBackRecord, of: record)
        } catch let failure as BusFailure where failure.kind == .lost {
            throw failure
        } catch {
            operation.store.log.warning(
                "an insert failed but may have left its item: each later call tries to delete it",
                metadata: ["cause": "\(error)"])
        }
        return !mayBeThere
    }

    /// Deletes an item whose id was read and is the right one.
    private func delete(_ item: StoredItem, _ operation: Operation) throws {
        do {
            try operation.confirm(operation.session.delete(item.path))
        } catch let failure as BusFailure where failure.kind == .noObject {
            // Somebody else was faster.
        } catch let failure as BusFailure where failure.kind == .locked {
            throw Need.unlocking([item.path])
        }
    }
}
