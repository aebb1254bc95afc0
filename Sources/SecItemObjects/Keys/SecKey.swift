// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A public or private key of RSA or of one of the curves P-192, P-224, P-256, P-384 and P-521.
///
/// `SecKeyCreateWithData`, `SecKeyCreateRandomKey` and `SecCertificateCopyKey` make one. It never changes. Two keys are
/// equal if they belong to the same pair and are both public or both private. Apple:
/// [SecKey](https://developer.apple.com/documentation/security/seckey).
public final class SecKey: _CFObject, @unchecked Sendable {
    package let material: KeyMaterial
    /// The operations that this object allows, of those that the material supports.
    package let permissions: KeyPermissions
    /// The name of the key in the file from which it was read, or the label of its item. Only files use it.
    package let name: String?

    package init(_ material: KeyMaterial, permitting permissions: KeyPermissions, named name: String? = nil) {
        self.material = material
        self.name = name
        // A chip never reveals its keys, whatever the attributes say.
        self.permissions = material.token == nil ? permissions : permissions.keptInside
    }

    convenience init(_ material: KeyMaterial) {
        self.init(material, permitting: .all)
    }

    convenience init(_ material: KeyMaterial, named name: String?) {
        self.init(material, permitting: .all, named: name)
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
