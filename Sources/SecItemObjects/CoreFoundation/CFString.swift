// SPDX-License-Identifier: Apache-2.0

// Core Foundation's functions on strings. Positions and lengths are in UTF-16 units.

internal import CoreFoundation
import Foundation

/// How strings are compared.
public struct CFStringCompareFlags: OptionSet, Sendable {
    public let rawValue: CFOptionFlags

    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    /// Capital and small letters are the same.
    public static let compareCaseInsensitive = CFStringCompareFlags(rawValue: 1)
    /// Search from the end.
    public static let compareBackwards = CFStringCompareFlags(rawValue: 4)
    /// Search at the beginning or end only.
    public static let compareAnchored = CFStringCompareFlags(rawValue: 8)
    /// Composed and decomposed characters are the same.
    public static let compareNonliteral = CFStringCompareFlags(rawValue: 16)
    /// In the order of the user's language.
    public static let compareLocalized = CFStringCompareFlags(rawValue: 32)
    /// Digits count as numbers.
    public static let compareNumerically = CFStringCompareFlags(rawValue: 64)
    /// Letters with and without marks are the same.
    public static let compareDiacriticInsensitive = CFStringCompareFlags(rawValue: 128)
    /// Wide and narrow characters are the same.
    public static let compareWidthInsensitive = CFStringCompareFlags(rawValue: 256)
    /// Strings that differ only in ways that the other flags ignore get a fixed order.
    public static let compareForcedOrdering = CFStringCompareFlags(rawValue: 512)

    /// The same options for Foundation. Core Foundation compares literally by default, Foundation only on request.
    fileprivate var options: String.CompareOptions {
        var options: String.CompareOptions = contains(.compareNonliteral) ? [] : .literal
        let pairs: [(CFStringCompareFlags, String.CompareOptions)] = [
            (.compareCaseInsensitive, .caseInsensitive), (.compareNumerically, .numeric),
            (.compareDiacriticInsensitive, .diacriticInsensitive), (.compareWidthInsensitive, .widthInsensitive),
            (.compareForcedOrdering, .forcedOrdering),
        ]
        for (flag, option) in pairs where contains(flag) { options.insert(option) }
        return options
    }
}

// MARK: - Making strings

/// Makes a string from bytes that end with a zero.
///
/// - Returns: The string, or `nil` if the bytes are not valid in that encoding, or the encoding is not built in.
@discardableResult
public func CFStringCreateWithCString(
    _ alloc: CFAllocator!, _ cStr: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! {
    guard let cStr, let encoding = String.Encoding(encoding) else { return nil }
    return String(data: Data(bytes: cStr, count: strlen(cStr)), encoding: encoding).map { NSString(string: $0) }
}

/// Makes a string from bytes.
///
/// - Parameters:
///   - alloc: Not used.
///   - bytes: The bytes.
///   - numBytes: The number of bytes.
///   - encoding: The encoding of the bytes.
///   - isExternalRepresentation: Not used: a byte order mark is always recognised.
/// - Returns: The string, or `nil` if the bytes are not valid in that encoding, or the encoding is not built in.
@discardableResult
public func CFStringCreateWithBytes(
    _ alloc: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ numBytes: CFIndex, _ encoding: CFStringEncoding,
    _ isExternalRepresentation: Bool
) -> CFString! {
    guard numBytes >= 0, bytes != nil || numBytes == 0, let encoding = String.Encoding(encoding) else { return nil }
    let data = bytes.map { Data(bytes: $0, count: numBytes) } ?? Data()
    return String(data: data, encoding: encoding).map { NSString(string: $0) }
}

/// Makes a string from data.
///
/// - Returns: The string, or `nil` if the data is not valid in that encoding, or the encoding is not built in.
@discardableResult
public func CFStringCreateFromExternalRepresentation(
    _ alloc: CFAllocator!, _ data: CFData!, _ encoding: CFStringEncoding
) -> CFString! {
    guard let data, let encoding = String.Encoding(encoding) else { return nil }
    return String(data: data as Data, encoding: encoding).map { NSString(string: $0) }
}

/// Encodes a string as data.
///
/// - Parameters:
///   - alloc: Not used.
///   - theString: The string.
///   - encoding: The encoding.
///   - lossByte: The byte that replaces each unit of a character that the encoding does not have. With 0, such a string
///     gives no data; 0xff means `?`.
/// - Returns: The data, or `nil` if the string cannot be encoded, or the encoding is not built in.
@discardableResult
public func CFStringCreateExternalRepresentation(
    _ alloc: CFAllocator!, _ theString: CFString!, _ encoding: CFStringEncoding, _ lossByte: UInt8
) -> CFData! {
    guard let string = theString, let ownEncoding = String.Encoding(encoding) else { return nil }
    if let data = (string as String).data(using: ownEncoding) { return NSData(data: data) }
    if lossByte == 0 { return nil }
    // Foundation would choose the replacement itself.
    let text = unsafeBitCast(string, to: CoreFoundation.CFString.self)
    let data = CoreFoundation.CFStringCreateExternalRepresentation(nil, text, encoding, lossByte)
    return data.map { unsafeBitCast($0, to: NSData.self) }
}

/// Makes a string with the same characters.
@discardableResult
public func CFStringCreateCopy(_ alloc: CFAllocator!, _ theString: CFString!) -> CFString! {
    theString.map { NSString(string: $0 as String) }
}

/// Makes a string from a range of another's characters.
///
/// - Returns: The string, or `nil` if the range is not inside the other.
@discardableResult
public func CFStringCreateWithSubstring(_ alloc: CFAllocator!, _ str: CFString!, _ range: CFRange) -> CFString! {
    guard let str, let positions = range.positions(in: str.length) else { return nil }
    return NSString(string: str.substring(with: NSRange(positions)))
}

/// Makes an empty mutable string.
///
/// - Returns: The string, or `nil` if the length is negative. The length has no other use.
@discardableResult
public func CFStringCreateMutable(_ alloc: CFAllocator!, _ maxLength: CFIndex) -> CFMutableString! {
    maxLength < 0 ? nil : NSMutableString(string: "")
}

/// Makes a mutable string with the same characters.
///
/// - Returns: The string, or `nil` if the length is negative. The length has no other use.
@discardableResult
public func CFStringCreateMutableCopy(
    _ alloc: CFAllocator!, _ maxLength: CFIndex, _ theString: CFString!
) -> CFMutableString! {
    maxLength < 0 ? nil : theString.map { NSMutableString(string: $0 as String) }
}

/// Adds a string at the end.
public func CFStringAppend(_ theString: CFMutableString!, _ appendedString: CFString!) {
    guard let appendedString else { return }
    theString?.append(appendedString as String)
}

// MARK: - Reading strings

/// Gives the length of a string in UTF-16 units.
@discardableResult
public func CFStringGetLength(_ theString: CFString!) -> CFIndex {
    theString?.length ?? 0
}

/// Gives a UTF-16 unit; 0 if the position is outside the string.
@discardableResult
public func CFStringGetCharacterAtIndex(_ theString: CFString!, _ idx: CFIndex) -> unichar {
    guard let string = theString, 0..<string.length ~= idx else { return 0 }
    return string.character(at: idx)
}

/// Copies a string, followed by a zero.
///
/// - Parameters:
///   - theString: The string.
///   - buffer: Receives the bytes.
///   - bufferSize: The capacity of the buffer in bytes, including the zero.
///   - encoding: The encoding.
/// - Returns: Whether the string could be encoded and fitted into the buffer. If not, nothing was written.
@discardableResult
public func CFStringGetCString(
    _ theString: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ bufferSize: CFIndex, _ encoding: CFStringEncoding
) -> Bool {
    guard let buffer, let data = CFStringCreateExternalRepresentation(nil, theString, encoding, 0) else { return false }
    guard data.length < bufferSize else { return false }
    data.getBytes(buffer, length: data.length)
    buffer[data.length] = 0
    return true
}

/// Always gives `nil`, as it may on Apple's platforms. Callers then use `CFStringGetCString`.
@discardableResult
public func CFStringGetCStringPtr(_ theString: CFString!, _ encoding: CFStringEncoding) -> UnsafePointer<CChar>! { nil }

/// Gives the greatest number of bytes that a number of UTF-16 units can become, or -1 if the result is too large or the
/// encoding is not built in.
@discardableResult
public func CFStringGetMaximumSizeForEncoding(_ length: CFIndex, _ encoding: CFStringEncoding) -> CFIndex {
    guard length >= 0, let encoding = CFStringBuiltInEncodings(rawValue: encoding) else { return -1 }
    let most =
        switch encoding {
        case .macRoman, .windowsLatin1, .isoLatin1, .nextStepLatin, .ASCII: 1
        case .UTF8: 3
        case .UTF16BE, .UTF16LE: 2
        // With the byte order mark.
        case .UTF16, .UTF32BE, .UTF32LE: 4
        case .UTF32: 8
        case .nonLossyASCII: 6
        }
    let (size, isTooLarge) = length.multipliedReportingOverflow(by: most)
    return isTooLarge ? -1 : size
}

/// Gives the number at the beginning of a string, or 0.
@discardableResult
public func CFStringGetIntValue(_ str: CFString!) -> Int32 {
    str?.intValue ?? 0
}

// MARK: - Comparing strings

/// Compares two strings.
@discardableResult
public func CFStringCompare(
    _ theString1: CFString!, _ theString2: CFString!, _ compareOptions: CFStringCompareFlags
) -> CFComparisonResult {
    guard let first = theString1, let second = theString2 else {
        return theString1 == nil ? (theString2 == nil ? .compareEqualTo : .compareLessThan) : .compareGreaterThan
    }
    let locale = compareOptions.contains(.compareLocalized) ? Locale.current : nil
    let whole = NSRange(location: 0, length: first.length)
    return CFComparisonResult(
        first.compare(second as String, options: compareOptions.options, range: whole, locale: locale))
}

/// Tells whether a string begins with another.
@discardableResult
public func CFStringHasPrefix(_ theString: CFString!, _ prefix: CFString!) -> Bool {
    guard let string = theString, let prefix else { return false }
    return string.hasPrefix(prefix as String)
}

/// Tells whether a string ends with another.
@discardableResult
public func CFStringHasSuffix(_ theString: CFString!, _ suffix: CFString!) -> Bool {
    guard let string = theString, let suffix else { return false }
    return string.hasSuffix(suffix as String)
}
