// SPDX-License-Identifier: Apache-2.0

// A query and its result with Core Foundation's functions alone, as in code translated from C.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

private func address(_ object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
}

@Sendable func checkCoreFoundationFunctions() throws {
    var keyCallBacks = kCFTypeDictionaryKeyCallBacks
    var valueCallBacks = kCFTypeDictionaryValueCallBacks
    let query: CFMutableDictionary = CFDictionaryCreateMutable(
        kCFAllocatorDefault, 0, &keyCallBacks, &valueCallBacks)
    let bytes: [UInt8] = [1, 2, 3]
    let secret = bytes.withUnsafeBufferPointer { buffer -> CFData in
        let shared = CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, buffer.baseAddress, 3, kCFAllocatorNull)
        return CFDataCreateCopy(nil, shared)
    }
    let service = CFStringCreateWithCString(nil, "service", CFStringBuiltInEncodings.UTF8.rawValue)
    CFDictionarySetValue(query, address(kSecClass), address(kSecClassGenericPassword))
    CFDictionarySetValue(query, address(kSecAttrService), address(service!))
    CFDictionaryAddValue(query, unsafeBitCast(kSecValueData, to: UnsafeRawPointer.self), address(secret))
    try expectEqual(SecItemAdd(query, nil), errSecSuccess)

    CFDictionaryRemoveValue(query, address(kSecValueData))
    CFDictionarySetValue(query, address(kSecReturnAttributes), address(kCFBooleanTrue))
    CFDictionarySetValue(query, address(kSecReturnData), address(kCFBooleanTrue))
    CFDictionarySetValue(query, address(kSecMatchLimit), address(kSecMatchLimitAll))
    var result: CFTypeRef?
    try expectEqual(SecItemCopyMatching(query, &result), errSecSuccess)
    let items = result as! CFArray
    try expectEqual(CFArrayGetCount(items), 1)
    let item = unsafeBitCast(CFArrayGetValueAtIndex(items, 0), to: CFDictionary.self)
    var value: UnsafeRawPointer?
    try expect(CFDictionaryGetValueIfPresent(item, address(kSecValueData), &value))
    let data = unsafeBitCast(value, to: CFData.self)
    var copy = [UInt8](repeating: 0, count: CFDataGetLength(data))
    CFDataGetBytes(data, CFRangeMake(0, CFDataGetLength(data)), &copy)
    try expectEqual(copy, bytes)
    let found = unsafeBitCast(CFDictionaryGetValue(item, address(kSecAttrService)), to: CFString.self)
    try expectEqual(CFStringCompare(found, service, []), .compareEqualTo)
    var text = [CChar](repeating: 0, count: 32)
    try expect(CFStringGetCString(found, &text, text.count, CFStringBuiltInEncodings.UTF8.rawValue))
    try expectEqual(strcmp(text, "service"), 0)

    var number: Int32 = 7
    let size = CFNumberCreate(kCFAllocatorDefault, .sInt32Type, &number)
    var read: Int64 = 0
    try expect(CFNumberGetValue(size, .sInt64Type, &read))
    try expectEqual(read, 7)
    var mask = [UInt8](repeating: 1, count: 4)
    _ = memset_s(&mask, mask.count, 0, mask.count)
    try expectEqual(timingsafe_bcmp(mask, [0, 0, 0, 0], 4), 0)
}
