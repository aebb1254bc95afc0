// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSealing
import SecItemStore

extension KeychainEngine {
    /// The constraints that an item can have.
    ///
    /// - Throws: `errSecNotAvailable` for a condition that cannot be checked here when the item is used. Such an item
    ///   must not be stored as if it were protected.
    func newConstraints(_ flags: AccessConstraints.Flags) throws(KeychainError) -> AccessConstraints {
        if flags.steps.contains([]) { throw .notAvailable("conditions on nearby devices cannot be checked") }
        var fingers: Data?
        if flags.contains(.biometryCurrentSet) {
            fingers = authenticator.enrolledBiometrySet()
            // If another condition is sufficient, it alone opens the item.
            let hasOther = flags.contains(.or) && flags.steps != [.biometry]
            if fingers == nil, !hasOther {
                throw .notAvailable("no fingers are enrolled to bind the item to")
            }
        }
        let password = flags.contains(.applicationPassword) ? PasswordSeal.newDerivation(passwordCost) : nil
        guard let constraints = AccessConstraints(flags: flags, biometrySet: fingers, password: password) else {
            throw .notAvailable("the access control has unknown conditions")
        }
        return constraints
    }
}

extension ItemRecord {
    /// The record with these constraints, which include the public half of a private key. The record must have its
    /// attributes and secrets.
    ///
    /// - Parameter known: The public half, if it is known and the secrets stay the same. Attributes that describe the key
    ///   wrongly cannot change it then.
    func constrained(by constraints: AccessConstraints, knownPublicKey known: Data? = nil) -> ItemRecord {
        var record = self
        let publicKey = known ?? publicKeyOfPrivateKey
        record.attributes[.accessControl] = .data(constraints.with(publicKey: publicKey).encoded)
        return record
    }

    /// The public half, if the item is a readable private key. Its object needs only this until it is used.
    private var publicKeyOfPrivateKey: Data? {
        guard itemClass == .key, !isOfChip, let material = try? keyMaterial(), material.isPrivate else { return nil }
        return material.publicRepresentation
    }
}

extension AccessConstraints {
    /// The same with a key that is made in another way.
    func with(password: PasswordDerivation) -> AccessConstraints {
        AccessConstraints(flags: flags, biometrySet: biometrySet, password: password, publicKey: publicKey) ?? self
    }

    fileprivate func with(publicKey: Data?) -> AccessConstraints {
        AccessConstraints(flags: flags, biometrySet: biometrySet, password: password, publicKey: publicKey) ?? self
    }
}
