// SPDX-License-Identifier: Apache-2.0

/// What an application can hand to a context instead of having the user asked.
///
/// The cases and numbers are those of
/// [LACredentialType](https://developer.apple.com/documentation/localauthentication/lacredentialtype), but for
/// `devicePasscode`, which is of this library alone.
public enum LACredentialType: Int, Sendable {
    /// A password that the application keeps.
    case applicationPassword = 0

    /// The passphrase of the store, which stands for the device's passcode. **Apple:** has no such type: only the system
    /// learns the passcode there.
    case devicePasscode = -1

    /// The PIN of a smart card.
    case smartCardPIN = -3
}
