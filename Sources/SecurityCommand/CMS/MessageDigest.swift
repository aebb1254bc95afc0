// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemShim
import SwiftASN1

/// A digest that a message can be signed with.
struct MessageDigest: Sendable {
    /// As `-H` names it.
    let name: String
    let identifier: ASN1ObjectIdentifier
    /// ECDSA with it.
    let curveSignature: ASN1ObjectIdentifier
    let rsaAlgorithm: SecKeyAlgorithm
    let curveAlgorithm: SecKeyAlgorithm
    let digest: @Sendable ([UInt8]) -> [UInt8]

    /// SHA-256 comes first: it is used where nobody names another.
    static let all = [
        MessageDigest(
            name: "SHA256", identifier: [2, 16, 840, 1, 101, 3, 4, 2, 1], curveSignature: [1, 2, 840, 10045, 4, 3, 2],
            rsaAlgorithm: .rsaSignatureMessagePKCS1v15SHA256, curveAlgorithm: .ecdsaSignatureMessageX962SHA256,
            digest: { Array(SHA256.hash(data: $0)) }),
        MessageDigest(
            name: "SHA384", identifier: [2, 16, 840, 1, 101, 3, 4, 2, 2], curveSignature: [1, 2, 840, 10045, 4, 3, 3],
            rsaAlgorithm: .rsaSignatureMessagePKCS1v15SHA384, curveAlgorithm: .ecdsaSignatureMessageX962SHA384,
            digest: { Array(SHA384.hash(data: $0)) }),
        MessageDigest(
            name: "SHA512", identifier: [2, 16, 840, 1, 101, 3, 4, 2, 3], curveSignature: [1, 2, 840, 10045, 4, 3, 4],
            rsaAlgorithm: .rsaSignatureMessagePKCS1v15SHA512, curveAlgorithm: .ecdsaSignatureMessageX962SHA512,
            digest: { Array(SHA512.hash(data: $0)) }),
        MessageDigest(
            name: "SHA1", identifier: [1, 3, 14, 3, 2, 26], curveSignature: [1, 2, 840, 10045, 4, 1],
            rsaAlgorithm: .rsaSignatureMessagePKCS1v15SHA1, curveAlgorithm: .ecdsaSignatureMessageX962SHA1,
            digest: { Array(Insecure.SHA1.hash(data: $0)) }),
    ]

    /// - Throws: ``CommandFailure`` for one that is not there.
    static func named(_ name: String) throws -> MessageDigest {
        guard let digest = all.first(where: { $0.name == name }) else {
            throw CommandFailure.usage("option -H takes one of \(all.map(\.name).joined(separator: ", "))")
        }
        return digest
    }
}
