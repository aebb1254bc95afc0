import Foundation

extension KeychainCalls {
    /// Makes a pair of keys, and stores what of it is to be permanent: when one of two cannot be, the other is deleted again.
    ///
    /// - Throws: As `SecKeyCreateRandomKey` says.
    package func makeKeys(
        _ parameters: CFDictionary
    ) throws(KeychainError) -> (publicKey: SecKey, privateKey: SecKey) {
        let request = try KeyRequest(parameters)
        if request.namesToken { throw .unimplemented("there is no chip to make a key in") }
        let permanent = try PermanentKeys(parameters)
        let material = try newKeyMaterial(request.type, sizeInBits: request.sizeInBits)
        let pair = try permanent.pair(of: material)
        try store(try permanent.items(of: pair))
        return pair
    }

    private func store(_ items: [NewItem]) throws(KeychainError) {
        guard let first = items.first else { return }
        do throws(KeychainError) {
            try requireGroups()
            try engine(first.interaction).add(all: items)
        } catch {
            Self.log(error, of: "SecKeyCreateRandomKey")
            throw error
        }
    }
}
