// SPDX-License-Identifier: Apache-2.0

import CSecItem
import CoreFoundation
import Foundation
import SecItemShim
import SecItemStore

/// The objects of this library's types as programs in C have them: objects of Core Foundation's run time that stand for
/// Swift objects. `CFRetain`, `CFEqual`, `CFShow` and collections treat them as any other object.
enum Reference {
    /// A new reference to an object of one of this library's classes.
    static func make(to object: any CoreFoundationObject) -> UnsafeRawPointer? {
        guard let made = makeEmpty(type(of: object).typeIdentifier) else { return nil }
        content(of: made).pointee.referent = UnsafeRawPointer(Unmanaged.passRetained(object as AnyObject).toOpaque())
        return made
    }

    private static func makeEmpty(_ type: SecItemShim.CFTypeID) -> UnsafeRawPointer? {
        let size = MemoryLayout<CSecItem.Reference>.size - MemoryLayout<ReferenceBase>.size
        return CSecItem._CFRuntimeCreateInstance(nil, identifier(of: type), size, nil)
    }

    /// The object for which a reference stands; nil for any other object.
    static func referent(of object: AnyObject) -> AnyObject? {
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        // Core Foundation may be asked for the types of its own objects only.
        guard type(of: object) == swiftClass, types.contains(CoreFoundation.CFGetTypeID(object)) else { return nil }
        return content(of: pointer).pointee.referent.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Core Foundation's identifier of a type of this library.
    static func identifier(of type: SecItemShim.CFTypeID) -> CoreFoundation.CFTypeID {
        identifiers[type] ?? 0
    }

    static func content(of reference: UnsafeRawPointer) -> UnsafeMutablePointer<CSecItem.Reference> {
        UnsafeMutableRawPointer(mutating: reference).assumingMemoryBound(to: CSecItem.Reference.self)
    }

    // MARK: - Types

    private static let types = Set(identifiers.values)

    /// The class that Swift sees in references, and in all other objects of types that Foundation has no class for.
    private static let swiftClass: AnyClass? = makeEmpty(TypeIdentifier.key).map {
        type(of: Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue())
    }

    /// The types are registered when the first one is asked for. From then on, those who read callers' dictionaries look for
    /// references in them.
    private static let identifiers: [SecItemShim.CFTypeID: CoreFoundation.CFTypeID] = {
        let classes: [any CoreFoundationObject.Type] = [
            SecAccessControl.self, SecKey.self, SecCertificate.self, SecIdentity.self, SecTrust.self, SecPolicy.self,
            SecTask.self, SecAccess.self, SecKeychain.self,
        ]
        ReferencesOfC.read { referent(of: $0) }
        return Dictionary(classes.map { ($0.typeIdentifier, register("\($0)")) }) { first, _ in first }
    }()

    private static func register(_ name: String) -> CoreFoundation.CFTypeID {
        let type = UnsafeMutablePointer<RuntimeClass>.allocate(capacity: 1)
        type.initialize(to: RuntimeClass())
        type.pointee.name = UnsafePointer(strdup(name))
        type.pointee.finalize = { Reference.finalize($0) }
        type.pointee.equal = { first, second in
            SecItemShim.CFEqual(Reference.existing(first), Reference.existing(second)) ? 1 : 0
        }
        type.pointee.hash = { SecItemShim.CFHash(Reference.existing($0)) }
        type.pointee.copyFormattingDescription = { object, _ in Reference.description(of: object) }
        type.pointee.copyDebugDescription = { Reference.description(of: $0) }
        return CSecItem._CFRuntimeRegisterClass(type)
    }

    private static func existing(_ reference: UnsafeRawPointer?) -> AnyObject? {
        reference.flatMap { content(of: $0).pointee.referent }
            .map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func description(of reference: UnsafeRawPointer?) -> UnsafeRawPointer? {
        existing(reference).flatMap { copied(SecItemShim.CFCopyDescription($0)) }
    }

    private static func finalize(_ reference: UnsafeRawPointer?) {
        guard let content = reference.map(content) else { return }
        for pointer in [content.pointee.referent, content.pointee.lent] {
            pointer.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
        }
    }
}

/// The references that another reference lends: `SecTrustGetCertificateAtIndex` gives no ownership.
private final class LentReferences: Sendable {
    private let references = LockedValue<[ObjectIdentifier: UInt]>([:])

    /// The reference to an object. It is the same one each time, and lives as long as the lender.
    func reference(to object: any CoreFoundationObject) -> UnsafeRawPointer? {
        references.withLock { references in
            let key = ObjectIdentifier(object)
            if let known = references[key] { return UnsafeRawPointer(bitPattern: known) }
            let made = Reference.make(to: object)
            references[key] = UInt(bitPattern: made)
            return made
        }
    }

    deinit {
        references.withLock { references in
            for reference in references.values {
                UnsafeRawPointer(bitPattern: reference).map { Unmanaged<AnyObject>.fromOpaque($0).release() }
            }
        }
    }
}

extension Reference {
    private static let lending = LockedValue(())

    /// A reference that belongs to another one.
    static func lent(_ object: any CoreFoundationObject, by lender: UnsafeRawPointer) -> UnsafeRawPointer? {
        let content = content(of: lender)
        let references = lending.withLock { _ in
            if content.pointee.lent == nil {
                content.pointee.lent = UnsafeRawPointer(Unmanaged.passRetained(LentReferences()).toOpaque())
            }
            return content.pointee.lent.map { Unmanaged<LentReferences>.fromOpaque($0).takeUnretainedValue() }
        }
        return references?.reference(to: object)
    }
}

/// `SecTrustGetCertificateAtIndex` for programs in C. The certificate belongs to the trust.
@_cdecl("SecTrustGetCertificateAtIndex")
public func cSecTrustGetCertificateAtIndex(_ trust: UnsafeRawPointer?, _ ix: Int) -> UnsafeRawPointer? {
    guard let lender = trust, let trust = argument(trust, SecTrust.self) else { return nil }
    return SecTrustGetCertificateAtIndex(trust, ix).flatMap { Reference.lent($0, by: lender) }
}
