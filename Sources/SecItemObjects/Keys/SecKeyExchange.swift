// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Agrees on a secret with the holder of another key on the same curve.
///
///     let parameters = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32]
///     let secret = SecKeyCopyKeyExchangeResult(
///         mine, .ecdhKeyExchangeStandardX963SHA256, theirs, parameters as CFDictionary, &error)
///
/// Apple: [SecKeyCopyKeyExchangeResult](https://developer.apple.com/documentation/security/seckeycopykeyexchangeresult(_:_:_:_:_:)).
///
/// - Parameters:
///   - privateKey: The caller's private key.
///   - algorithm: How to agree.
///   - publicKey: The other party's public key.
///   - parameters: For an algorithm with key derivation (X963), the number of bytes to derive, under
///     `SecKeyKeyExchangeParameter.requestedSize`. Optionally, data that both parties mix in, under `.sharedInfo`.
///   - error: Receives the reason for a failure, unless nil: an error of the domain `NSOSStatusErrorDomain`, which the
///     caller releases. `errSecParam` if the key does not support the algorithm, if the other key has another type or
///     curve, or if parameters are missing or wrong.
/// - Returns: The secret, or nil. Plain ECDH gives the coordinate itself.
@discardableResult
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    answer(to: error) { () throws(KeychainError) in
        let algorithm = try privateKey.algorithm(algorithm, for: .keyExchange)
        let secret = try privateKey.material.sharedSecret(with: publicKey.material)
        guard let digest = algorithm.digest else { return secret.withUnsafeBytes { ResultData(secret: $0) } }
        let request = try KeyExchangeRequest(parameters)
        return ResultData.secret(
            digest.derivedKey(from: secret, sharedInfo: request.sharedInfo, byteCount: request.byteCount))
    }
}
