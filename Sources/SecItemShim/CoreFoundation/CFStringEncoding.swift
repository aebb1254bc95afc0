import Foundation

/// The number of a text encoding.
public typealias CFStringEncoding = UInt32

/// The number that stands for no encoding.
public let kCFStringEncodingInvalidId: CFStringEncoding = 0xffff_ffff

/// The encodings that are always there.
public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
    case macRoman = 0
    case windowsLatin1 = 0x0500
    case isoLatin1 = 0x0201
    case nextStepLatin = 0x0B01
    case ASCII = 0x0600
    case UTF8 = 0x0800_0100
    case nonLossyASCII = 0x0BFF
    case UTF16 = 0x0100
    case UTF16BE = 0x1000_0100
    case UTF16LE = 0x1400_0100
    case UTF32 = 0x0c00_0100
    case UTF32BE = 0x1800_0100
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
