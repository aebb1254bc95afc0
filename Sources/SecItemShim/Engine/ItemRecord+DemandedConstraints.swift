// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension ItemRecord {
    /// The constraints to prove before the secrets are used; nil if there are none. The record must have its
    /// attributes.
    ///
    /// - Throws: `errSecDecode` if they cannot be read.
    func demandedConstraints() throws(KeychainError) -> AccessConstraints? {
        guard let demanded = try forClient({ () throws(StoreError) in try constraints }), demanded.needsProof else {
            return nil
        }
        guard demanded.flags.contains(.applicationPassword) == (demanded.password != nil) else {
            throw KeychainError(errSecDecode, "the access control of an item contradicts itself about its password")
        }
        return demanded
    }

    /// Whether the secrets are sealed under the item's own password. The record must have its attributes.
    ///
    /// - Throws: `errSecDecode` if the constraints cannot be read.
    var demandsPassword: Bool {
        get throws(KeychainError) { try demandedConstraints()?.password != nil }
    }

    /// Whether the constraints, if there are any, can be read. The record must have its attributes.
    var hasReadableConstraints: Bool {
        guard isConstrained else { return true }
        do {
            // Nothing of it needs a person, or it needs what could be made.
            return try demandedConstraints()?.password?.isUsable ?? true
        } catch {
            return false
        }
    }
}
