// SPDX-License-Identifier: Apache-2.0

/// A truth value of C functions. Apple:
/// [DarwinBoolean](https://developer.apple.com/documentation/swift/darwinboolean).
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, Sendable, CustomStringConvertible {
    private var value: UInt8

    /// Makes one from a `Bool`.
    public init(_ value: Bool) {
        self.value = value ? 1 : 0
    }

    public init(booleanLiteral value: Bool) {
        self.init(value)
    }

    /// The value as a `Bool`.
    public var boolValue: Bool { value != 0 }

    public var description: String { boolValue.description }
}
