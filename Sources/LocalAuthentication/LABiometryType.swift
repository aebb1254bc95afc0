// SPDX-License-Identifier: Apache-2.0

/// What a machine can recognise of a person.
///
/// The cases and numbers are those of
/// [LABiometryType](https://developer.apple.com/documentation/localauthentication/labiometrytype).
public enum LABiometryType: Int, Sendable {
    /// Nothing.
    case none = 0

    /// A finger.
    case touchID = 1

    /// A face.
    case faceID = 2

    /// The iris.
    case opticID = 4

    /// Nothing. The older name of `none`.
    public static var LABiometryNone: LABiometryType { .none }
}
