// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A public or private key of RSA or of one of the curves P-256, P-384 and P-521.
///
/// `SecKeyCreateWithData`, `SecKeyCreateRandomKey` and `SecCertificateCopyKey` make one. It never changes. Two keys are
/// equal if they belong to the same pair and are both public or both private. Apple:
/// [SecKey](https://developer.apple.com/documentation/security/seckey).
public final class SecKey: _CFObject, @unchecked Sendable {
    package let material: KeyMaterial
    /// The operations that this object allows, of those that the material supports.
    package let permissions: KeyPermissions
    /// Gives the private half of a key whose item is guarded; nil for every other key.
    private let guarding: KeyGuard?

    init(_ material: KeyMaterial, permitting permissions: KeyPermissions, guardedBy guarding: KeyGuard? = nil) {
        self.material = material
        self.guarding = guarding
        // A chip never reveals its keys, whatever the attributes say.
        self.permissions = material.token == nil ? permissions : permissions.keptInside
    }

    convenience init(_ material: KeyMaterial) {
        self.init(material, permitting: .all)
    }

    /// The same key without its private half, so that each use needs permission.
    func guarded(by guarding: KeyGuard) -> SecKey {
        SecKey(
            GuardedKeyMaterial(publicMaterial: material.publicMaterial), permitting: permissions, guardedBy: guarding)
    }

    /// Whether each use needs a proof that the key's item demands.
    var isGuarded: Bool { guarding != nil }

    /// The key for one use. This may prompt, so call it outside every lock.
    ///
    /// - Throws: As ``KeyGuard/open()``.
    func opened() throws(KeychainError) -> SecKey {
        guard let guarding else { return self }
        return SecKey(try guarding.open(), permitting: permissions)
    }
}

extension SecKey: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.key

    package func isEqual(to other: SecKey) -> Bool {
        material.isPrivate == other.material.isPrivate && material.type == other.material.type
            && material.publicRepresentation == other.material.publicRepresentation
    }

    package var hashCode: Int { material.publicRepresentation.hashValue }

    /// The type of the key. Never its bytes.
    package var summary: String {
        let side = material.isPrivate ? "private" : "public"
        return "<SecKey: \(side), \(material.type), \(material.sizeInBits) bits>"
    }
}

/// Gives the type identifier of keys, to compare with the result of `CFGetTypeID`.
@discardableResult
public func SecKeyGetTypeID() -> CFTypeID {
    SecKey.typeIdentifier
}
