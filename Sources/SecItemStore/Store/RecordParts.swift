// SPDX-License-Identifier: Apache-2.0

/// The parts of a record that a look-up needs.
public struct RecordParts: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The attributes.
    public static let attributes = RecordParts(rawValue: 1 << 0)
    /// The secrets.
    public static let secrets = RecordParts(rawValue: 1 << 1)
}
