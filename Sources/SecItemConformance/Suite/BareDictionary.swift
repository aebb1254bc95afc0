// SPDX-License-Identifier: Apache-2.0

internal import CoreFoundation
import Foundation

/// Lends a dictionary that has no callbacks: it compares keys by address, retains nothing and may hold NULL.
func withBareDictionary(
    _ entries: [(key: AnyObject, value: AnyObject?)], _ body: (NSDictionary) throws -> Void
) throws {
    var keys = entries.map { UnsafeRawPointer(Unmanaged.passUnretained($0.key).toOpaque()) as UnsafeRawPointer? }
    var values = entries.map { entry in entry.value.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }
    guard let dictionary = CFDictionaryCreate(nil, &keys, &values, entries.count, nil, nil) else {
        throw ConformanceFailure(description: "no dictionary could be made", file: #fileID, line: #line)
    }
    try withExtendedLifetime(entries) { try body(unsafeBitCast(dictionary, to: NSDictionary.self)) }
}

/// Lends an array that has no callbacks: it retains nothing and may hold NULL.
func withBareArray(_ elements: [AnyObject?], _ body: (NSArray) throws -> Void) throws {
    var values = elements.map { element in
        element.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    }
    guard let array = CFArrayCreate(nil, &values, elements.count, nil) else {
        throw ConformanceFailure(description: "no array could be made", file: #fileID, line: #line)
    }
    try withExtendedLifetime(elements) { try body(unsafeBitCast(array, to: NSArray.self)) }
}
