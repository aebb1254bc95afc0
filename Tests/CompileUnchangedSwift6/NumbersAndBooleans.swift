// SPDX-License-Identifier: Apache-2.0

// Numbers and truth values, cast as on Apple's platforms.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

@Sendable func checkNumbersAndBooleans() throws {
    let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "numbers", kSecAttrIsInvisible: kCFBooleanTrue!,
        kSecAttrIsNegative: false, kSecAttrType: FourCharCode(0x6162_6364), kSecAttrCreator: 7,
        kSecAttrSynchronizable: kCFBooleanFalse!, kSecValueData: Data(count: 1 << 20),
    ]
    try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    var result: CFTypeRef?
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecReturnData: true,
    ]
    try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
    guard let found = result as? [CFString: Any] else { throw Failure(description: "no dictionary") }
    try expectEqual(found[kSecAttrIsInvisible] as? Bool, true)
    try expectEqual(found[kSecAttrIsInvisible] as? Int, 1)
    try expectEqual(found[kSecAttrIsNegative] as? Bool, false)
    try expectEqual(found[kSecAttrIsNegative] as? NSNumber, 0)
    try expectEqual(found[kSecAttrSynchronizable] as? Bool, false)
    try expectEqual((found[kSecAttrSynchronizable] as? CFNumber)?.intValue, 0)
    try expectEqual(found[kSecAttrType] as? FourCharCode, 0x6162_6364)
    try expectEqual(found[kSecAttrCreator] as? UInt32, 7)
    try expectEqual(found[kSecAttrCreator] as? Int, 7)
    try expectEqual((found[kSecAttrCreationDate] as? Date).map { abs($0.timeIntervalSinceNow) < 3600 }, true)
    // The class of the result casts quickly, because its bytes are contiguous.
    try expectEqual((found[kSecValueData] as? Data)?.count, 1 << 20)
    try expect((result as? NSDictionary)?[kSecValueData] is any ContiguousBytes)
}
