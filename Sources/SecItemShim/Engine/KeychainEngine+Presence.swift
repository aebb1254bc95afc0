// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainEngine {
    /// How often to read records again if others change them during a prompt.
    static var presenceAttempts: Int { 5 }

    /// The items that a look-up finds, with the secrets and objects that the caller may have.
    ///
    /// Attributes alone need no proof. An object needs the same proof as data, and none later. Damaged items, and items
    /// that have no object, are left out and do not count for the limit.
    ///
    /// - Throws: The errors of ``PresenceCheck/admits(_:)`` and ``PresenceCheck/opened(_:)``. If no matching item can be
    ///   returned, the reason for the first of them: `errSecDecode` for a damaged one.
    func usable(
        _ query: ItemQuery, in groups: [String]?, _ check: inout PresenceCheck
    ) throws(KeychainError) -> [FoundItem] {
        let limit = query.limit.maximum
        guard query.parts.contains(.secrets) else {
            return try find(query, in: groups, parts: query.parts, limit: limit)
        }
        var readsAll = false
        var attempts = 0
        while attempts < Self.presenceAttempts {
            let found = try readable(query, in: groups, limit: readsAll ? nil : limit, check)
            switch try finished(found, query, upTo: readsAll ? limit : nil, &check) {
            case .hasAsked: attempts += 1
            // The person may type another one, as often as the authenticator allows it.
            case .wrongPassword: continue
            case .items(let items, let failure):
                // Instead of the items that are left out, the store may have others.
                if failure != nil, !readsAll, let limit, found.count >= limit {
                    readsAll = true
                } else if let failure, items.isEmpty {
                    throw failure
                } else {
                    return items
                }
            }
        }
        throw .notAvailable("other programs keep changing the items: try again")
    }

    /// What became of the items that a look-up has read.
    private enum Finished {
        /// A person was asked, so others may have changed the items meanwhile.
        case hasAsked
        /// A person has typed a wrong password, and may type another one.
        case wrongPassword
        /// The items to return, and why the first of the others was left out.
        case items([FoundItem], KeychainError?)
    }

    /// Opens the items in their order, until there are as many as the limit allows. Asks for what these demand, and no more.
    private func finished(
        _ found: [FoundItem], _ query: ItemQuery, upTo limit: Int?, _ check: inout PresenceCheck
    ) throws(KeychainError) -> Finished {
        var items: [FoundItem] = []
        var failure: KeychainError?
        var rest = found[...]
        while !rest.isEmpty {
            let next = rest.prefix((limit ?? .max) - items.count)
            if next.isEmpty { break }
            rest = rest.dropFirst(next.count)
            if !next.allSatisfy({ $0.allHalves { !$0.isConstrained } }),
                try !check.admits(next.flatMap(\.halves).filter(\.isConstrained))
            {
                return .hasAsked
            }
            for item in next {
                var item = item
                do throws(KeychainError) {
                    try open(&item, check)
                } catch {
                    if check.asksAgain(after: error) { return .wrongPassword }
                    guard error.status == errSecDecode else { throw error }
                    CallLog.logger.warning(
                        "an item's seal is damaged: it is left out",
                        metadata: ["item": "\(item.record.reference)", "reason": "\(error)"])
                    failure = failure ?? error
                    continue
                }
                do throws(KeychainError) {
                    if query.kinds.contains(.reference) { item.live = try item.liveObject() }
                    items.append(item)
                } catch {
                    failure = failure ?? error
                }
            }
        }
        return .items(items, failure)
    }

    /// The matching items, except those whose constraints cannot be read and, if the call skips prompts, those that
    /// need one. These do not count for the limit.
    private func readable(
        _ query: ItemQuery, in groups: [String]?, limit: Int?, _ check: PresenceCheck
    ) throws(KeychainError) -> [FoundItem] {
        let skips = query.interaction == .skipped
        let condition = RecordCondition(on: .attributes) { record in
            guard record.isConstrained else { return true }
            guard record.hasReadableConstraints else { return false }
            guard skips else { return true }
            do {
                return try record.demandedConstraints().map(check.needsNobody) ?? true
            } catch {
                return false
            }
        }
        if skips { return try find(query, in: groups, parts: query.parts, limit: limit, meeting: condition) }
        let found = try find(query, in: groups, parts: query.parts, limit: limit)
        if found.allSatisfy({ $0.allHalves(\.hasReadableConstraints) }) { return found }
        let others = try find(query, in: groups, parts: query.parts, limit: limit, meeting: condition)
        if others.isEmpty { throw KeychainError(errSecDecode, "all matching items are damaged") }
        return others
    }

    private func open(_ item: inout FoundItem, _ check: PresenceCheck) throws(KeychainError) {
        item.record = try check.opened(item.record)
        if let key = item.privateKey { item.privateKey = try check.opened(key) }
    }

    /// The private half of a guarded key without its secret, which opens nothing: for what its public half alone tells.
    ///
    /// - Throws: `errSecItemNotFound` if no private key matches whose public half is known.
    func closedKey(_ query: ItemQuery) throws(KeychainError) -> SecKey {
        let groups = try application.readableGroups(naming: query.accessGroup)
        let found = try find(query, in: groups, parts: .attributes, limit: 1)
        guard let record = found.first?.record, let key = try record.closedKey() else { throw .itemNotFound() }
        return key
    }
}
