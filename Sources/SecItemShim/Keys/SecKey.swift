// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A public or private key, of RSA or of one of the curves P-256, P-384 and P-521.
///
/// Made by `SecKeyCreateWithData`, `SecKeyCreateRandomKey` or `SecCertificateCopyKey`; it never changes. Two keys are
/// equal if they are both public or both private and belong to the same pair. Apple:
/// [SecKey](https://developer.apple.com/documentation/security/seckey).
public final class SecKey: NSObject, @unchecked Sendable {
    package let material: KeyMaterial
    /// What of all that the material can do this object does.
    package let permissions: KeyPermissions
    /// What gives the private half of a key whose item is guarded; nil for every other.
    private let guarding: KeyGuard?

    init(_ material: KeyMaterial, permitting permissions: KeyPermissions, guardedBy guarding: KeyGuard? = nil) {
        self.material = material
        self.guarding = guarding
        // Whatever is said of it, no chip lets its keys out.
        self.permissions = material.token == nil ? permissions : permissions.keptInside
        super.init()
    }

    convenience init(_ material: KeyMaterial) {
        self.init(material, permitting: .all)
    }

    /// The same key, without its private half: each use has to be allowed.
    func guarded(by guarding: KeyGuard) -> SecKey {
        SecKey(
            GuardedKeyMaterial(publicMaterial: material.publicMaterial), permitting: permissions, guardedBy: guarding)
    }

    /// Whether each use has to be allowed by whoever the key's item names.
    var isGuarded: Bool { guarding != nil }

    /// The key for one use. May ask a person, so call it outside every lock.
    ///
    /// - Throws: As ``KeyGuard/open()``.
    func opened() throws(KeychainError) -> SecKey {
        guard let guarding else { return self }
        return SecKey(try guarding.open(), permitting: permissions)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return material.isPrivate == other.material.isPrivate && material.type == other.material.type
            && material.publicRepresentation == other.material.publicRepresentation
    }

    public override var hash: Int { material.publicRepresentation.hashValue }

    /// The kind of key. Never its bytes.
    public override var description: String {
        let side = material.isPrivate ? "private" : "public"
        return "<SecKey: \(side), \(material.type), \(material.sizeInBits) bits>"
    }
}

extension SecKey: CoreFoundationObject {
    package static let typeIdentifier = TypeIdentifier.key
}

/// Gives the type identifier of keys, to compare with what `CFGetTypeID` gives for an object.
@discardableResult
public func SecKeyGetTypeID() -> CFTypeID {
    SecKey.typeIdentifier
}
