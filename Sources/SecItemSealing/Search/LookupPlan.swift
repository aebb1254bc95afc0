// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// How to find the rows of a filter, and which of its terms to check on them.
package struct LookupPlan {
    /// The source of the rows.
    enum Probe {
        /// The row with that reference.
        case reference(UUID)
        /// The rows that are listed for the values of a natural key.
        case naturalKey(Int, [MatchKey])
        /// The rows that are listed for an attribute's value.
        case attribute(ItemAttribute, MatchKey)
        /// The rows that are listed for any of the access groups.
        case accessGroups([MatchKey])
        /// All rows.
        case everything
    }

    /// A term that the slots of a row decide.
    private struct Term {
        let attribute: ItemAttribute
        let value: MatchKey
        /// Whether the slot must be missing, because the value is empty.
        let isLeftOut: Bool
    }

    /// The filter.
    package let filter: RecordFilter
    let probe: Probe
    /// Other values to probe with.
    private let alternatives: [(ItemAttribute, MatchKey)]
    /// Whether the slots decide the whole filter, so that attributes need not be opened for it.
    let isDecidedBySlots: Bool
    private let terms: [Term]
    private let groups: [MatchKey]?

    /// Whether no list of rows narrows the search.
    package var readsAllRows: Bool {
        if case .everything = probe { true } else { false }
    }

    /// The parts of a row that are needed to evaluate the filter.
    var neededParts: RecordParts {
        (filter.condition?.parts ?? []).union(isDecidedBySlots ? [] : .attributes)
    }

    /// The plan for a filter.
    package init(_ filter: RecordFilter) {
        self.filter = filter
        let schema = ItemSchema.schema(of: filter.itemClass)
        var terms: [Term] = []
        terms.reserveCapacity(filter.attributes.count)
        var isDecidedBySlots = true
        for (attribute, value) in filter.attributes {
            guard let row = schema[attribute], row.isDecisive else {
                isDecidedBySlots = false
                continue
            }
            let value = value.matchKey
            terms.append(Term(attribute: attribute, value: value, isLeftOut: ItemIndex.isLeftOut(value, of: row)))
        }
        self.isDecidedBySlots = isDecidedBySlots
        let groups = filter.accessGroups.map { groups in groups.map { AttributeValue.string($0).matchKey } }
        self.groups = groups
        probe = Self.choose(filter, schema, terms, groups)
        self.terms = terms
        guard case .attribute(let chosen, _) = probe else {
            alternatives = []
            return
        }
        alternatives = terms.compactMap { term in
            guard !term.isLeftOut, term.attribute != chosen, Self.isIndexed(term.attribute, schema) else { return nil }
            return (term.attribute, term.value)
        }
    }

    /// The same plan with another probe.
    init(_ plan: LookupPlan, probe: Probe) {
        filter = plan.filter
        self.probe = probe
        isDecidedBySlots = plan.isDecidedBySlots
        terms = plan.terms
        groups = plan.groups
        alternatives = []
    }

    private static func isIndexed(_ attribute: ItemAttribute, _ schema: ItemSchema) -> Bool {
        schema[attribute]?.roles.contains(.indexed) == true
    }

    /// The probe that should give the fewest rows, without counting rows.
    private static func choose(
        _ filter: RecordFilter, _ schema: ItemSchema, _ terms: [Term], _ groups: [MatchKey]?
    ) -> Probe {
        if let reference = filter.reference { return .reference(reference.uuid) }
        for (index, names) in ItemIndex.naturalKeys(of: filter.itemClass).enumerated() {
            let parts = names.compactMap { name in terms.first { $0.attribute == name } }
            // If all parts are empty, items are not listed by their natural key.
            guard parts.count == names.count, !parts.allSatisfy(\.isLeftOut) else { continue }
            return .naturalKey(index, parts.map(\.value))
        }
        let candidates = terms.filter { !$0.isLeftOut && isIndexed($0.attribute, schema) }
        if let best = candidates.min(by: { rank($0.attribute) < rank($1.attribute) }) {
            return .attribute(best.attribute, best.value)
        }
        // A union of many small searches is not better than a scan of all rows.
        if let groups, (1...8).contains(groups.count), !groups.contains(AttributeValue.string("").matchKey) {
            return .accessGroups(groups)
        }
        return .everything
    }

    /// How many items are likely to share a value of the attribute: the fewer, the smaller the rank.
    private static func rank(_ attribute: ItemAttribute) -> Int {
        order.firstIndex(of: attribute) ?? order.count
    }

    private static let order: [ItemAttribute] = [
        .applicationLabel, .publicKeyHash, .serialNumber, .subjectKeyID, .applicationTag, .subject, .generic, .alias,
        .account, .path, .label, .server, .service, .issuer, .securityDomain, .tokenID, .accessGroup,
    ]

    /// Whether a term needs no check on a row that the probe found rightly.
    private func isDecidedByProbe(_ term: Term) -> Bool {
        switch probe {
        case .naturalKey(let index, _): ItemIndex.naturalKeys(of: filter.itemClass)[index].contains(term.attribute)
        case .attribute(let attribute, _): attribute == term.attribute
        case .reference, .accessGroups, .everything: false
        }
    }

    // MARK: Probing

    /// The plan with the probe that gives the fewest rows. If there is a choice, the rows are counted.
    package func refined(_ rows: any SealedRows, _ keys: KeySet) throws -> LookupPlan {
        guard case .attribute(let attribute, let value) = probe, !alternatives.isEmpty else { return self }
        var best: (plan: LookupPlan, count: Int)?
        for (attribute, value) in [(attribute, value)] + alternatives {
            let plan = LookupPlan(self, probe: .attribute(attribute, value))
            var count = 0
            for blind in try plan.probeBlinds(keys).all { count += try rows.count(of: blind, atMost: 32) }
            if count < best?.count ?? .max { best = (plan, count) }
            if count <= 1 { break }
        }
        return best?.plan ?? self
    }

    /// The blinds to probe.
    struct ProbeBlinds {
        fileprivate let main: [Blind]
        fileprivate let always: [Blind]

        /// Those of both domains.
        var all: [Blind] { main + always }
    }

    /// The blinds to probe, in the domains whose keys are available.
    func probeBlinds(_ keys: KeySet) throws(StoreError) -> ProbeBlinds {
        ProbeBlinds(
            main: try keys.metadata(.main).map(probeBlinds) ?? [],
            always: try keys.metadata(.always).map(probeBlinds) ?? []
        )
    }

    private func probeBlinds(_ keys: MetadataKeys) throws(StoreError) -> [Blind] {
        switch probe {
        case .reference, .everything: return []
        case .naturalKey(let index, let values):
            return [try keys.lastingBlind(values, ofNaturalKey: index, in: filter.itemClass)]
        case .attribute(let attribute, let value):
            return [try keys.blind(value, of: attribute, in: filter.itemClass)]
        case .accessGroups(let groups):
            var blinds: [Blind] = []
            for group in groups {
                let blind = try keys.blind(group, of: .accessGroup, in: filter.itemClass)
                if !blinds.contains(blind) { blinds.append(blind) }
            }
            return blinds
        }
    }

    // MARK: Checking

    /// The slots that a matching row must have, in one domain.
    struct Expectation {
        fileprivate let probed: [Blind]
        fileprivate let terms: [(code: UInt32, blind: Blind?)]
        /// Nil: any group. A nil element: no group.
        fileprivate let groups: [Blind?]?
    }

    private var groupsToCheck: [MatchKey]? {
        if case .accessGroups = probe { nil } else { groups }
    }

    /// The slots that a matching row of that domain must have.
    func expectation(
        _ domain: KeyDomain, _ keys: MetadataKeys, probed: ProbeBlinds
    ) throws(StoreError) -> Expectation {
        let itemClass = filter.itemClass
        var blinds: [(code: UInt32, blind: Blind?)] = []
        for term in terms where !isDecidedByProbe(term) {
            let blind = term.isLeftOut ? nil : try keys.lastingBlind(term.value, of: term.attribute, in: itemClass)
            blinds.append((term.attribute.fourCharCode, blind))
        }
        let empty = AttributeValue.string("").matchKey
        let groups = try groupsToCheck.map { (groups) throws(StoreError) in
            try groups.map { (group) throws(StoreError) -> Blind? in
                group == empty ? nil : try keys.lastingBlind(group, of: .accessGroup, in: itemClass)
            }
        }
        return Expectation(probed: domain == .main ? probed.main : probed.always, terms: blinds, groups: groups)
    }

    /// Whether the slots are those of a row that the probe should find. If not, the list is damaged.
    func isFoundRightly(_ slots: UnsafeRawBufferPointer, _ expected: Expectation) -> Bool {
        let code: UInt32
        switch probe {
        case .reference, .everything: return true
        case .naturalKey(let index, _): code = ItemIndex.code(ofNaturalKey: index)
        case .attribute(let attribute, _): code = attribute.fourCharCode
        case .accessGroups: code = ItemAttribute.accessGroup.fourCharCode
        }
        guard let found = ItemIndex.blind(of: code, in: slots) else { return false }
        return expected.probed.contains(found)
    }

    /// Whether the slots meet every term that slots can decide.
    func matches(_ slots: UnsafeRawBufferPointer, _ expected: Expectation) -> Bool {
        for term in expected.terms where ItemIndex.blind(of: term.code, in: slots) != term.blind { return false }
        guard let groups = expected.groups else { return true }
        let own = ItemIndex.blind(of: ItemAttribute.accessGroup.fourCharCode, in: slots)
        return groups.contains { $0 == own }
    }
}
