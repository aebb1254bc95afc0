// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension KeychainCalls {
    /// Makes a pair of keys, and stores what of it is to be permanent: when one of two cannot be, the other is deleted again.
    ///
    /// - Throws: As `SecKeyCreateRandomKey` says.
    package func makeKeys(
        _ parameters: CFDictionary
    ) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        let (pair, items) = try FirstUse.performing(#function) { () throws(KeychainError) in
            let request = try KeyRequest(parameters)
            let permanent = try PermanentKeys(parameters)
            let pair = try permanent.pair(of: newMaterial(request))
            // Its conditions hold for a key of the chip whether it is kept or not.
            if request.token != nil { try permanent.check(pair.privateKey) }
            return (pair, try permanent.items(of: pair))
        }
        let guarding = try store(items)
        return (pair.publicKey, guarding.map { pair.privateKey.guarded(by: $0) } ?? pair.privateKey)
    }

    private func newMaterial(_ request: KeyRequest) throws(KeychainError) -> any KeyMaterial {
        switch request.token {
        case nil: try newKeyMaterial(request.type, sizeInBits: request.sizeInBits)
        case .chip: try ChipKeyMaterial(new: request.type, sizeInBits: request.sizeInBits)
        case .other: throw .unimplemented("keys cannot be made in this token")
        }
    }

    /// - Returns: What gives the private key to its object, where its item is guarded.
    private func store(_ items: [NewItem]) throws(KeychainError) -> KeyGuard? {
        guard let first = items.first else { return nil }
        do throws(KeychainError) {
            let engine = try engine(first.interaction)
            return try engine.add(all: items).lazy.compactMap { engine.keyGuard(of: $0, first.asking) }.first
        } catch {
            Self.log(error, of: "SecKeyCreateRandomKey")
            throw error
        }
    }
}
