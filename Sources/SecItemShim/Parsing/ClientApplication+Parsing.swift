// SPDX-License-Identifier: Apache-2.0

extension ClientApplication {
    /// Checks the access group that a query names. An update or delete does this before it reads the rest.
    ///
    /// - Throws: `errSecMissingEntitlement` if the application may not write to the group, or if the value is not text.
    func requireWritableGroup(in query: CallerDictionary) throws(KeychainError) {
        guard let group = query[.kSecAttrAccessGroup] else { return }
        let groups = try writableGroups(naming: group.text?.string)
        if group.text == nil && groups != nil { throw .missingEntitlement("kSecAttrAccessGroup is not text") }
    }
}
