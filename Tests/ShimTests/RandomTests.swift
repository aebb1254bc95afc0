// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import Security
import Testing

/// Random bytes and passwords.
@Suite struct RandomTests {
    static func random(_ count: Int) -> (status: Int32, bytes: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: count)
        let status = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
        return (status, bytes)
    }

    @Test func copyBytes_twice_givesDifferentBytes() {
        let (first, second) = (Self.random(32), Self.random(32))
        #expect(first.status == errSecSuccess)
        #expect(second.status == errSecSuccess)
        #expect(first.bytes != second.bytes)
    }

    @Test func copyBytes_noBytes_succeeds() {
        var byte: UInt8 = 7
        #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &byte) == errSecSuccess)
        #expect(byte == 7)
    }

    @Test func copyBytes_negativeCount_isParamError() {
        var byte: UInt8 = 7
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &byte) == errSecParam)
        #expect(byte == 7)
    }

    @Test func copyBytes_anotherSource_isTheSame() {
        var bytes = [UInt8](repeating: 0, count: 16)
        let other = SecRandomRef(bitPattern: 1)
        #expect(SecRandomCopyBytes(other, bytes.count, &bytes) == errSecSuccess)
        #expect(bytes != [UInt8](repeating: 0, count: 16))
    }

    @Test func copyBytes_moreThanTheKernelGivesAtOnce_fillsAll() {
        // One call to the kernel returns less than 32 MiB, and one call of the C library returns at most 256 bytes.
        let count = (40 << 20) + 13
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 1)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        guard let start = memory.baseAddress else { return }
        #expect(SecRandomCopyBytes(nil, count, start) == errSecSuccess)
        // 64 zero bytes in a row do not occur by chance.
        #expect(memory[(count - 64)..<count].contains { $0 != 0 })
        #expect(memory[count] == 0)
    }

    @Test func password_always_hasTheShapeThatSitesAskFor() throws {
        for _ in 0..<200 {
            let password = try #require(SecCreateSharedWebCredentialPassword()) as String
            let groups = password.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.map(\.count) == [3, 3, 3, 3])
            #expect(password.contains { $0.isUppercase })
            #expect(password.contains { $0.isLowercase })
            #expect(password.contains { $0.isNumber })
            #expect(password.allSatisfy { $0.isASCII })
            #expect(!password.contains { "0Oo1Iil".contains($0) })
        }
    }

    @Test func password_repeated_isNeverTheSame() throws {
        let passwords = try (0..<200).map { _ in try #require(SecCreateSharedWebCredentialPassword()) as String }
        #expect(Set(passwords).count == passwords.count)
    }
}
