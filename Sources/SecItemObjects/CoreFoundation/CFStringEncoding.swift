// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The number of a text encoding.
public typealias CFStringEncoding = UInt32

/// The number that means no encoding.
public let kCFStringEncodingInvalidId: CFStringEncoding = 0xffff_ffff

/// The encodings that are always available.
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
    /// The Mac's old encoding for western languages.
    case macRoman = 0
    /// Windows code page 1252.
    case windowsLatin1 = 0x0500
    /// ISO 8859-1.
    case isoLatin1 = 0x0201
    /// The encoding of NeXTSTEP.
    case nextStepLatin = 0x0B01
    /// ASCII, seven bits.
    case ASCII = 0x0600
    /// UTF-8.
    case UTF8 = 0x0800_0100
    /// ASCII, with other characters written as numbers.
    case nonLossyASCII = 0x0BFF
    /// UTF-16 with a byte order mark.
    case UTF16 = 0x0100
    /// UTF-16, high byte first.
    case UTF16BE = 0x1000_0100
    /// UTF-16, low byte first.
    case UTF16LE = 0x1400_0100
    /// UTF-32 with a byte order mark.
    case UTF32 = 0x0c00_0100
    /// UTF-32, high byte first.
    case UTF32BE = 0x1800_0100
    /// UTF-32, low byte first.
    case UTF32LE = 0x1c00_0100

    /// Another name for UTF-16.
    public static var unicode: CFStringBuiltInEncodings { .UTF16 }

    fileprivate var encoding: String.Encoding {
        switch self {
        case .macRoman: .macOSRoman
        case .windowsLatin1: .windowsCP1252
        case .isoLatin1: .isoLatin1
        case .nextStepLatin: .nextstep
        case .ASCII: .ascii
        case .UTF8: .utf8
        case .nonLossyASCII: .nonLossyASCII
        case .UTF16: .utf16
        case .UTF16BE: .utf16BigEndian
        case .UTF16LE: .utf16LittleEndian
        case .UTF32: .utf32
        case .UTF32BE: .utf32BigEndian
        case .UTF32LE: .utf32LittleEndian
        }
    }
}

extension String.Encoding {
    /// - Returns: nil for an encoding that is not built in.
    init?(_ number: CFStringEncoding) {
        guard let builtIn = CFStringBuiltInEncodings(rawValue: number) else { return nil }
        self = builtIn.encoding
    }
}
