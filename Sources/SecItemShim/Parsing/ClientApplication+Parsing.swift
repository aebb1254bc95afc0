// SPDX-License-Identifier: Apache-2.0

extension ClientApplication {
    /// Looks at the access group that a query names: what an update or delete does before it reads the rest.
    ///
    /// - Throws: `errSecMissingEntitlement` for a group that the application may not write, or that is no text.
    func requireWritableGroup(in query: CallerDictionary) throws(KeychainError) {
        guard let group = query[.kSecAttrAccessGroup] else { return }
        let groups = try writableGroups(naming: group.text?.string)
        if group.text == nil && groups != nil { throw .missingEntitlement("kSecAttrAccessGroup is not text") }
    }
}
