// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension AttributeValue {
    /// Converts a caller's value to the type of the attribute.
    ///
    /// - Throws: `errSecParam` if the attribute does not accept the type of the value.
    package init(_ value: CallerValue, as kind: AttributeKind) throws(KeychainError) {
        let coerced: AttributeValue? =
            switch kind {
            case .string: Self.string(from: value)
            case .blob: Self.blob(from: value)
            case .data: Self.data(from: value)
            case .number: Self.number(from: value)
            case .date: Self.date(from: value)
            case .uuid: Self.uuid(from: value)
            case .sha1: Self.sha1(from: value)
            }
        guard let coerced else { throw .param("a value has a type that its attribute does not accept") }
        self = coerced
    }

    private static func string(from value: CallerValue) -> AttributeValue? {
        switch value {
        case .string(let text): .string(text.string)
        case .data(let data): String(data: data.copiedData, encoding: .utf8).map { .string($0) }
        case .uuid(let uuid): .string(uuid.uuidString)
        default: nil
        }
    }

    private static func blob(from value: CallerValue) -> AttributeValue? {
        switch value {
        case .string(let text): .string(text.string)
        case .data(let data): .data(data.copiedData)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        default: nil
        }
    }

    private static func data(from value: CallerValue) -> AttributeValue? {
        switch value {
        case .string(let text): .data(Data(text.utf8))
        case .data(let data): .data(data.copiedData)
        case .integer(let number): .data(withUnsafeBytes(of: Int32(truncatingIfNeeded: number)) { Data($0) })
        default: nil
        }
    }

    private static func number(from value: CallerValue) -> AttributeValue? {
        switch value {
        case .boolean(let boolean): .integer(boolean ? 1 : 0)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .string(let text): number(from: text)
        default: nil
        }
    }

    /// A text becomes a number only if the 32-bit number is printed in the same way: "042" stays text.
    private static func number(from text: CallerText) -> AttributeValue {
        guard let number = Int32(text.string), CallerText("\(number)") == text else { return .string(text.string) }
        return .integer(Int64(number))
    }

    private static func date(from value: CallerValue) -> AttributeValue? {
        if case .date(let date) = value { .date(date) } else { nil }
    }

    private static func uuid(from value: CallerValue) -> AttributeValue? {
        switch value {
        case .uuid(let uuid): .data(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .data(let data) where data.length == 16 || data.length == 0: .data(data.copiedData)
        case .null: .data(Data())
        default: nil
        }
    }

    private static func sha1(from value: CallerValue) -> AttributeValue? {
        if case .data(let data) = value, data.length == 20 { .data(data.copiedData) } else { nil }
    }
}

extension AttributeValue {
    /// Reads a caller's value of `kSecAttrIssuer`. A whole name in DER becomes the form of certificate items: the
    /// normalised name without the sequence around it. Other bytes stay as they are.
    ///
    /// - Throws: `errSecParam` if the value is not data.
    package static func issuer(_ value: CallerValue) throws(KeychainError) -> AttributeValue {
        guard case .data(let data) = value else { throw .param("kSecAttrIssuer is not data") }
        let bytes = data.copiedData
        return .data(DistinguishedName(parsing: bytes)?.normalizedContent ?? bytes)
    }
}
