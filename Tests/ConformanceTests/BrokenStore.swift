// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A store that breaks exactly one promise, which the suite must notice.
struct BrokenStore: LockableStore {
    /// The promise that it breaks.
    enum Fault: String, CaseIterable, Sendable {
        case forgetsUpdates
        case updatesTheFirstOnly
        case updatesHalfBeforeFailing
        case ignoresAccessGroups
        case dropsUniqueness
        case keepsWhatIsDeleted
        case deletesTheWholeClass
        case losesTheData
        case cutsTextAtNUL
        case normalisesText
        case foldsCase
        case ignoresReferences
        case ignoresTheLimit
        case ignoresTheLock
        case takesAnyPassphrase
        case seemsEmptyWhenLocked
        case changesTheReference
        case turnsNumbersIntoText
        case keepsTheOldDate
        case roundsDates
        case ignoresTheGreatestCount
    }

    let fault: Fault
    private let base = InMemoryStore()

    init(_ fault: Fault) {
        self.fault = fault
    }

    var summary: String { "broken: \(fault)" }
    var isPassphraseProtected: Bool { false }
    var isLocked: Bool { base.isLocked }

    func lock() { if fault != .ignoresTheLock { base.lock() } }
    func unlock(passphrase: Secret?) throws(StoreError) {
        try base.unlock(passphrase: fault == .takesAnyPassphrase ? nil : passphrase)
    }

    func insert(_ record: ItemRecord, interaction: Interaction) throws(StoreError) {
        var record = record
        switch fault {
        case .losesTheData: record.secrets = [:]
        case .cutsTextAtNUL, .normalisesText, .foldsCase, .turnsNumbersIntoText, .roundsDates:
            record.attributes = record.attributes.mapValues(spoilt)
        case .dropsUniqueness:
            let marker = UUID().uuid
            record.attributes[.multiUser] = .data(withUnsafeBytes(of: marker) { Data($0) })
        default: break
        }
        try base.insert(record, interaction: interaction)
    }

    func records(
        matching filter: RecordFilter, parts: RecordParts, limit: Int?, interaction: Interaction
    ) throws(StoreError) -> [ItemRecord] {
        if fault == .seemsEmptyWhenLocked && base.isLocked { return [] }
        return try base.records(
            matching: spoilt(filter), parts: parts, limit: fault == .ignoresTheLimit ? nil : limit,
            interaction: interaction)
    }

    func update(_ steps: [RecordUpdate], interaction: Interaction) throws(StoreError) -> Int {
        var count = 0
        try requireCounts(steps)
        for step in steps { count += try update(step.filter, step.changes, interaction) }
        return count
    }

    private func update(
        _ filter: RecordFilter, _ changes: RecordChanges, _ interaction: Interaction
    ) throws(StoreError) -> Int {
        let matches = try base.records(
            matching: spoilt(filter), parts: [.attributes, .secrets], limit: nil, interaction: .allowed)
        switch fault {
        case .forgetsUpdates: return matches.count
        case .updatesTheFirstOnly, .updatesHalfBeforeFailing:
            let some = fault == .updatesTheFirstOnly ? matches.prefix(1) : matches[...]
            for match in some {
                let one = RecordFilter(itemClass: match.itemClass, reference: match.reference)
                _ = try base.update(matching: one, applying: changes, interaction: interaction)
            }
            return matches.count
        case .keepsTheOldDate:
            let old = RecordChanges(
                attributes: changes.attributes, secrets: changes.secrets, modificationDate: .distantPast)
            return try base.update(matching: filter, applying: old, interaction: interaction)
        case .changesTheReference where !matches.isEmpty:
            let count = try base.update(matching: filter, applying: changes, interaction: interaction)
            for match in matches {
                _ = try base.delete(
                    matching: RecordFilter(itemClass: match.itemClass, reference: match.reference),
                    interaction: interaction)
                let reference = PersistentReference(itemClass: match.itemClass)
                let changed = try match.applying(changes)
                try base.insert(
                    ItemRecord(reference: reference, attributes: changed.attributes, secrets: changed.secrets),
                    interaction: interaction)
            }
            return count
        default: return try base.update(matching: spoilt(filter), applying: changes, interaction: interaction)
        }
    }

    func delete(_ steps: [RecordDeletion], interaction: Interaction) throws(StoreError) -> Int {
        var count = 0
        try requireCounts(steps)
        for step in steps { count += try delete(step.filter, interaction) }
        return count
    }

    private func delete(_ filter: RecordFilter, _ interaction: Interaction) throws(StoreError) -> Int {
        switch fault {
        case .keepsWhatIsDeleted:
            return try base.records(matching: filter, parts: [], limit: nil, interaction: .allowed).count
        case .deletesTheWholeClass:
            return try base.delete(matching: RecordFilter(itemClass: filter.itemClass), interaction: interaction)
        default: return try base.delete(matching: spoilt(filter), interaction: interaction)
        }
    }

    private func requireCounts(_ steps: [some RecordStep]) throws(StoreError) {
        if fault == .ignoresTheGreatestCount { return }
        for step in steps {
            let found = try base.records(
                matching: spoilt(step.filter), parts: [], limit: nil, interaction: .allowed)
            try step.requireCount(found.count)
        }
    }

    private func spoilt(_ filter: RecordFilter) -> RecordFilter {
        RecordFilter(
            itemClass: filter.itemClass,
            reference: fault == .ignoresReferences ? nil : filter.reference,
            attributes: filter.attributes.mapValues(spoilt),
            accessGroups: fault == .ignoresAccessGroups ? nil : filter.accessGroups?.map(spoilt),
            condition: filter.condition)
    }

    private func spoilt(_ value: AttributeValue) -> AttributeValue {
        switch (fault, value) {
        case (.turnsNumbersIntoText, .integer(let number)): .string("\(number)")
        case (.roundsDates, .date(let date)):
            .date(Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded()))
        case (_, .string(let text)): .string(spoilt(text))
        default: value
        }
    }

    private func spoilt(_ text: String) -> String {
        switch fault {
        case .cutsTextAtNUL: String(text.prefix { $0 != "\0" })
        case .normalisesText: text.precomposedStringWithCanonicalMapping
        case .foldsCase: text.lowercased()
        default: text
        }
    }
}
