// SPDX-License-Identifier: Apache-2.0

// Random bytes in arrays, data and memory, and suggested passwords.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

@Sendable func checkRandomBytes() throws {
    var bytes = [UInt8](repeating: 0, count: 32)
    try expectEqual(SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes), errSecSuccess)
    try expect(bytes != [UInt8](repeating: 0, count: 32))
    var data = Data(count: 32)
    let status = data.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!) }
    try expectEqual(status, 0)
    try expect(data != Data(count: 32) && data != Data(bytes))
    let memory = NSMutableData(length: 16)!
    SecRandomCopyBytes(nil, memory.length, memory.mutableBytes.bindMemory(to: UInt8.self, capacity: 16))
    try expect(memory as Data != Data(count: 16))
    let password = SecCreateSharedWebCredentialPassword()! as String
    try expect(password.count > 12)
}
