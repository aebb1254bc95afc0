// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What a caller wants of a new pair of keys. Reads it at once: the caller may change the dictionary afterwards.
struct KeyPairRequest {
    fileprivate let request: KeyRequest
    fileprivate let permanent: PermanentKeys

    init(_ parameters: CFDictionary) throws(KeychainError) {
        request = try KeyRequest(parameters)
        permanent = try PermanentKeys(parameters)
    }
}

extension KeychainCalls {
    /// Makes a pair of keys, and stores those that should be permanent. If only one of two can be stored, it is deleted
    /// again.
    ///
    /// - Throws: The errors of `SecKeyCreateRandomKey`.
    package func makeKeys(
        _ parameters: CFDictionary
    ) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        try makeKeys(KeyPairRequest(parameters))
    }

    /// Reads the parameters, makes the keys on another thread, and passes on the keys or the error there.
    func makeKeys(
        _ parameters: CFDictionary, then deliver: @escaping @Sendable (SecKey?, SecKey?, CFError?) -> Void
    ) {
        // Only this thread and then the other one have it. What it holds of the caller's values are copies.
        nonisolated(unsafe) let keys = Result { () throws(KeychainError) in try KeyPairRequest(parameters) }
        DispatchQueue.global().async {
            var error: Unmanaged<CFError>?
            let pair = answer(to: &error, of: "SecKeyGeneratePairAsync") { () throws(KeychainError) in
                try makeKeys(keys.get())
            }
            deliver(pair?.publicKey, pair?.privateKey, error?.takeRetainedValue())
        }
    }

    /// Makes the pair that was asked for.
    private func makeKeys(_ keys: KeyPairRequest) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        let request = keys.request
        let permanent = keys.permanent
        let pair = try permanent.pair(of: newMaterial(request))
        // The conditions apply to a key of the chip whether it is stored or not.
        if request.token != nil { try permanent.check(pair.privateKey) }
        let items = try permanent.items(of: pair)
        // Both items come from the same call, so one store may ask for both.
        if let first = items.first { try engine(first.interaction).add(all: items) }
        return pair
    }

    private func newMaterial(_ request: KeyRequest) throws(KeychainError) -> any KeyMaterial {
        switch request.token {
        case nil: try newKeyMaterial(request.type, sizeInBits: request.sizeInBits)
        case .chip: try newChipKeyMaterial(request.type, sizeInBits: request.sizeInBits, in: machineChip())
        case .other: throw .unimplemented("keys cannot be made in this token")
        }
    }
}
