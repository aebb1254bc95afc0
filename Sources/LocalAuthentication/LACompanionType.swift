// SPDX-License-Identifier: Apache-2.0

/// A nearby device that can confirm its owner.
///
/// The cases and numbers are those of
/// [LACompanionType](https://developer.apple.com/documentation/localauthentication/lacompaniontype). None of them works with
/// this machine.
public enum LACompanionType: Int, Sendable {
    /// A watch.
    case watch = 1

    /// A Mac.
    case mac = 2

    /// A headset.
    case vision = 4
}
