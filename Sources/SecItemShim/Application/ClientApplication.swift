// SPDX-License-Identifier: Apache-2.0

/// The calling application: its name, and the access groups it may use.
package struct ClientApplication: Sendable {
    /// The name that identifies the application's own items.
    package let identifier: String
    /// The access groups that the application may use, or nil if none were set.
    package let entitledGroups: [String]?
    /// Whether the folder in which it stores items is recorded as the place of its items. A command that restores a backup into
    /// a folder that somebody names has no items of its own there.
    package var recordsPlace = true

    package init(identifier: String, entitledGroups: [String]? = nil) {
        self.identifier = identifier
        self.entitledGroups = entitledGroups
    }

    /// Apple's group for items on hardware tokens. An application that names it among its groups may read it. Nobody
    /// may write to it.
    private static let tokenGroup = "com.apple.token"
    private static let wildcard = "*"

    private var groups: [String] { entitledGroups ?? [identifier] }

    private var writableGroups: [String] { groups.filter { !Self.isSame($0, Self.tokenGroup) } }

    /// - Throws: `errSecMissingEntitlement` when there are no groups at all.
    func requireGroups() throws(KeychainError) {
        if groups.isEmpty { throw .missingEntitlement("the application has no access groups") }
    }

    /// The groups that a look-up searches, or nil for all groups.
    ///
    /// - Throws: `errSecMissingEntitlement` for a named group that the application may not read.
    package func readableGroups(naming group: String?) throws(KeychainError) -> [String]? {
        try allowed(group, in: groups)
    }

    /// The groups that an update or delete searches, or nil for all groups.
    ///
    /// - Throws: `errSecMissingEntitlement` for a named group that the application may not write.
    func writableGroups(naming group: String?) throws(KeychainError) -> [String]? {
        try allowed(group, in: writableGroups)
    }

    /// The group of a new item: the named one, or the application's first one.
    ///
    /// - Throws: `errSecMissingEntitlement` if the application may not write to the named group, or if it has no group
    ///   to write to.
    func groupForNewItem(naming group: String?) throws(KeychainError) -> String {
        if let group {
            _ = try allowed(group, in: writableGroups)
            return group
        }
        guard let first = writableGroups.first else {
            throw .missingEntitlement("the application may write to no access group")
        }
        return first == Self.wildcard ? identifier : first
    }

    private func allowed(_ group: String?, in groups: [String]) throws(KeychainError) -> [String]? {
        guard let group else { return groups.contains(Self.wildcard) ? nil : groups }
        let isFree = entitledGroups == nil && !Self.isSame(group, Self.tokenGroup)
        guard isFree || groups.contains(Self.wildcard) || groups.contains(where: { Self.isSame($0, group) })
        else { throw .missingEntitlement("the application is not entitled to the access group") }
        return [group]
    }

    /// Groups are compared byte by byte, as all of a caller's texts are.
    private static func isSame(_ group: String, _ other: String) -> Bool {
        group.utf8.count == other.utf8.count && group.utf8.elementsEqual(other.utf8)
    }
}
