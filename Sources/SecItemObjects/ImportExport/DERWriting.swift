// SPDX-License-Identifier: Apache-2.0

import SwiftASN1

// Short names for the values in files of keys.

/// Serializes values in DER.
///
/// - Throws: The `KeychainError` that the body throws, or `errSecInternalComponent` for another error. Values here
///   always serialize.
func derBytes(_ body: (inout DER.Serializer) throws -> Void) throws(KeychainError) -> [UInt8] {
    var serializer = DER.Serializer()
    do {
        try body(&serializer)
    } catch let error as KeychainError {
        throw error
    } catch {
        throw KeychainError(errSecInternalComponent, "a value could not be written in DER", underlying: error)
    }
    return serializer.serializedBytes
}

extension DER.Serializer {
    mutating func sequence(_ body: (inout DER.Serializer) throws -> Void) throws {
        try appendConstructedNode(identifier: .sequence, body)
    }

    mutating func set(_ body: (inout DER.Serializer) throws -> Void) throws {
        try appendConstructedNode(identifier: .set, body)
    }

    /// Writes a value under an explicit, context-specific tag.
    mutating func tagged(_ number: UInt, _ body: (inout DER.Serializer) throws -> Void) throws {
        try appendConstructedNode(identifier: .init(tagWithNumber: number, tagClass: .contextSpecific), body)
    }

    mutating func octets(_ bytes: some Collection<UInt8>) {
        appendPrimitiveNode(identifier: .octetString) { $0.append(contentsOf: bytes) }
    }

    mutating func bits(_ bytes: some Collection<UInt8>) {
        appendPrimitiveNode(identifier: .bitString) { content in
            // The number of unused bits: none.
            content.append(0)
            content.append(contentsOf: bytes)
        }
    }
}
