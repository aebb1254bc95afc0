// SPDX-License-Identifier: Apache-2.0

import CommonCrypto
import Foundation

/// A cipher in a mode, with its name in OpenSSL's command.
struct CipherUnderTest: CustomStringConvertible, Sendable {
    let description: String
    let algorithm: CCAlgorithm
    let mode: CCMode
    let keySize: Int
    let blockSize: Int
    /// Whether the mode works on whole blocks, as ECB and CBC do.
    var hasBlocks: Bool { mode == CCMode(kCCModeECB) || mode == CCMode(kCCModeCBC) }
    var isLegacy = false

    init(_ name: String, _ algorithm: Int, _ mode: Int, key: Int, block: Int, isLegacy: Bool = false) {
        description = name
        self.algorithm = CCAlgorithm(algorithm)
        self.mode = CCMode(mode)
        keySize = key
        blockSize = block
        self.isLegacy = isLegacy
    }

    static let all: [CipherUnderTest] = {
        let modes = [
            ("ecb", kCCModeECB), ("cbc", kCCModeCBC), ("cfb", kCCModeCFB), ("cfb8", kCCModeCFB8), ("ofb", kCCModeOFB),
        ]
        var all: [CipherUnderTest] = []
        for size in [kCCKeySizeAES128, kCCKeySizeAES192, kCCKeySizeAES256] {
            for (name, mode) in modes + [("ctr", kCCModeCTR)] {
                all.append(
                    CipherUnderTest("aes-\(size * 8)-\(name)", kCCAlgorithmAES, mode, key: size, block: 16))
            }
        }
        for (name, mode) in modes {
            all.append(
                CipherUnderTest("des-\(name)", kCCAlgorithmDES, mode, key: kCCKeySizeDES, block: 8, isLegacy: true))
            let command = name == "ecb" ? "des-ede3" : "des-ede3-\(name)"
            all.append(CipherUnderTest(command, kCCAlgorithm3DES, mode, key: kCCKeySize3DES, block: 8))
        }
        for (name, mode) in modes where name != "cfb8" {
            all.append(
                CipherUnderTest("cast5-\(name)", kCCAlgorithmCAST, mode, key: 16, block: 8, isLegacy: true))
            all.append(CipherUnderTest("bf-\(name)", kCCAlgorithmBlowfish, mode, key: 16, block: 8, isLegacy: true))
            all.append(CipherUnderTest("rc2-\(name)", kCCAlgorithmRC2, mode, key: 16, block: 8, isLegacy: true))
        }
        all.append(CipherUnderTest("rc4", kCCAlgorithmRC4, kCCModeRC4, key: 16, block: 1, isLegacy: true))
        return all
    }()

    static let ofBlocks = all.filter(\.hasBlocks)
}

/// A cryptor that is released with this object.
final class Cryptor {
    let reference: CCCryptorRef?
    let status: CCCryptorStatus

    init(_ operation: Int, _ cipher: CipherUnderTest, padded: Bool, key: [UInt8], iv: [UInt8]?) {
        var made: CCCryptorRef?
        let padding = CCPadding(padded ? ccPKCS7Padding : ccNoPadding)
        status = CCCryptorCreateWithMode(
            CCOperation(operation), cipher.mode, cipher.algorithm, padding, iv, key, key.count, nil, 0, 0, 0, &made)
        reference = made
    }

    deinit {
        CCCryptorRelease(reference)
    }

    /// Adds data, with exactly the room that the cryptor says it needs.
    ///
    /// - Returns: Nil if the call fails, writes elsewhere, or writes another number of bytes than announced.
    func update(_ data: [UInt8]) -> [UInt8]? {
        output(of: CCCryptorGetOutputLength(reference, data.count, false)) {
            CCCryptorUpdate(reference, data, data.count, $0, $1, $2)
        }
    }

    func finish(room: Int) -> [UInt8]? {
        output(of: room, exactly: false) { CCCryptorFinal(reference, $0, $1, $2) }
    }

    func whole(_ data: [UInt8]) -> [UInt8]? {
        let most = CCCryptorGetOutputLength(reference, data.count, true)
        guard let first = update(data), let rest = finish(room: most - first.count) else { return nil }
        return first + rest
    }
}

/// Makes a call with this much room, between bytes that it must not change.
func output(
    of room: Int, exactly: Bool = true,
    _ call: (UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>) -> CCCryptorStatus
) -> [UInt8]? {
    let margin = 64
    var buffer = [UInt8](repeating: 0x5a, count: room + 2 * margin)
    var moved = -1
    let status = buffer.withUnsafeMutableBufferPointer { call($0.baseAddress.map { $0 + margin }, room, &moved) }
    guard status == kCCSuccess, exactly ? moved == room : 0...room ~= moved else { return nil }
    guard buffer.prefix(margin).allSatisfy({ $0 == 0x5a }) else { return nil }
    guard buffer.dropFirst(margin + moved).allSatisfy({ $0 == 0x5a }) else { return nil }
    return Array(buffer[margin..<margin + moved])
}
