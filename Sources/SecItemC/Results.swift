// SPDX-License-Identifier: Apache-2.0

// What a caller in C receives: objects that Core Foundation made. Its functions cannot describe or format Swift's own
// dictionaries and arrays.

import CoreFoundation
import Foundation
import SecItemShim

/// An object for a caller in C, who owns it and releases it.
func copied(_ object: AnyObject?) -> UnsafeRawPointer? {
    switch object {
    case nil: nil
    case let data as NSData: copied(data)
    case let string as NSString: copied(string as String)
    case let number as NSNumber: retained(number)
    case let date as NSDate: retained(CoreFoundation.CFDateCreate(nil, date.timeIntervalSinceReferenceDate))
    case let dictionary as NSDictionary: copied(dictionary)
    case let array as NSArray: copied(array)
    case let error as NSError: copied(error)
    case let ours as any CoreFoundationObject: Reference.make(to: ours)
    case let other?: retained(other)
    }
}

private func retained(_ object: AnyObject?) -> UnsafeRawPointer? {
    object.map { UnsafeRawPointer(Unmanaged.passRetained($0).toOpaque()) }
}

private func copied(_ string: String) -> UnsafeRawPointer? {
    var string = string
    return string.withUTF8 { bytes in
        return retained(
            CoreFoundation.CFStringCreateWithBytes(
                nil, bytes.baseAddress, bytes.count, CoreFoundation.CFStringBuiltInEncodings.UTF8.rawValue, false))
    }
}

private func copied(_ data: NSData) -> UnsafeRawPointer? {
    retained(
        CoreFoundation.CFDataCreate(nil, data.bytes.assumingMemoryBound(to: UInt8.self), data.length))
}

private func copied(_ array: NSArray) -> UnsafeRawPointer? {
    var callbacks = CoreFoundation.kCFTypeArrayCallBacks
    let made = CoreFoundation.CFArrayCreateMutable(nil, array.count, &callbacks)
    for index in 0..<array.count {
        consume(copied(array.object(at: index) as AnyObject)) { CoreFoundation.CFArrayAppendValue(made, $0) }
    }
    return retained(made)
}

private func copied(_ dictionary: NSDictionary) -> UnsafeRawPointer? {
    var keyCallbacks = CoreFoundation.kCFTypeDictionaryKeyCallBacks
    var callbacks = CoreFoundation.kCFTypeDictionaryValueCallBacks
    let made = CoreFoundation.CFDictionaryCreateMutable(nil, dictionary.count, &keyCallbacks, &callbacks)
    for (key, value) in dictionary {
        consume(copied(key as AnyObject)) { key in
            consume(copied(value as AnyObject)) { CoreFoundation.CFDictionarySetValue(made, key, $0) }
        }
    }
    return retained(made)
}

private func copied(_ error: NSError) -> UnsafeRawPointer? {
    let information = error.userInfo as NSDictionary
    return consume(copied(error.domain)) { domain in
        consume(copied(information)) { information in
            guard let domain, let information else { return nil }
            return retained(
                CoreFoundation.CFErrorCreate(
                    nil, unsafeBitCast(domain, to: CoreFoundation.CFString.self), error.code,
                    unsafeBitCast(information, to: CoreFoundation.CFDictionary.self)))
        }
    }
}

/// Lends an object to a collection or a block, and releases it.
func consume<Result>(_ pointer: UnsafeRawPointer?, _ body: (UnsafeRawPointer?) -> Result) -> Result {
    defer { pointer.map { Unmanaged<AnyObject>.fromOpaque($0).release() } }
    return body(pointer)
}
