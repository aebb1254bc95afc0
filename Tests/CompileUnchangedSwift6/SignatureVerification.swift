// SPDX-License-Identifier: Apache-2.0

// A signed token, verified with a key that is given as numbers.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private let keyText = """
    MIIBCgKCAQEAnDVvQu68Oh3maNT4+HYKpBV8JM8vOO69WjsVI6nOwTUrtwvDpcnCvBX3+AqIrBKXvy8k4ijbsgxYQpnbqpnO82ENbtN9
    8CC0od6cBtSFYopzq3yjp4ezbTb9zsI7nDtmApjLXbxYqgbgP+so8QTASEa+Ku8MVIMCqOyXz4/YdyR3mGTlk1gIJUP/JYNNbAcE3Wr0
    QVOEZVjc2A+IbmHabLPT012cST1MUVK/OpqZvNytzwJK+L/FpbmoP/wiXommTSlel3mnrpi2ZV/hw+pgsAvUjGnLs/kNPa9Pe2+sIS1N
    q/0D54zL/5VCziygQ84QF8/+N+VMsMMwSvSjWgAwpwIDAQAB
    """

private let signatureText = """
    aFfsjL8OEDkbmOnjNHROpzAJjrXCaFw4a/2iKP8aqfTJtGPukQTBbLib6WRQo3tcwzAaFkHG4TcFMzprxZJ8v38RQezmhQ9hyb1NmIZt
    A4m4P1amwoGCLqJcHhfyBr4DSmRQQPc7d+8hgKUMrPVa2OwdZr5FdlC5PQtAXNMp2ehT++VjTTAfZIxO0zCvYJFlu2mgTuZgpOkcCb4R
    KEnXbloJwr7cZMw+evRWLXyDTHx2zPJWq2jH4V/QcoYfuoDb50CC8QZk/JWfaZdGBO8s/TvRyoJPRO+3Jx0u1KGJfZBJk4DidqGJbz3d
    gI/v1ZBncT0oJjQ0PkgxqnkAloNV+g==
    """

private struct Token {
    let payload: Data
    let signature: Data

    func isGenuine(_ keyData: Data) -> Bool {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
            kSecAttrKeySizeInBits: NSNumber(value: keyData.count * 8), kSecAttrIsPermanent: false,
        ]
        guard let key = SecKeyCreateWithData(keyData as CFData, attributes as CFDictionary, nil) else { return false }
        let algorithm: SecKeyAlgorithm = .rsaSignatureMessagePKCS1v15SHA256
        guard SecKeyIsAlgorithmSupported(key, .verify, algorithm) else { return false }
        return SecKeyVerifySignature(key, algorithm, payload as CFData, signature as CFData, nil)
    }
}

@Sendable func checkSignatureVerification() throws {
    let key = Data(base64Encoded: keyText, options: .ignoreUnknownCharacters)!
    let signature = Data(base64Encoded: signatureText, options: .ignoreUnknownCharacters)!
    try expect(Token(payload: "message".data(using: .utf8)!, signature: signature).isGenuine(key))
    try expect(!Token(payload: Data("massage".utf8), signature: signature).isGenuine(key))
    try expect(!Token(payload: Data("message".utf8), signature: signature).isGenuine(Data([1])))

    var error: Unmanaged<CFError>?
    let parameters = [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256] as CFDictionary
    guard let made = SecKeyCreateRandomKey(parameters, &error), let publicKey = SecKeyCopyPublicKey(made) else {
        throw error!.takeRetainedValue() as Error
    }
    let mine = SecKeyCreateSignature(made, .ecdsaSignatureMessageX962SHA256, Data("message".utf8) as CFData, &error)
    try expect(
        SecKeyVerifySignature(
            publicKey, .ecdsaSignatureMessageX962SHA256, Data("message".utf8) as CFData, mine! as CFData, &error))
    let bytes = SecKeyCopyExternalRepresentation(publicKey, &error) as Data?
    try expectEqual(bytes?.count, 65)
}
