// SPDX-License-Identifier: Apache-2.0

/// A credential that an application can give to a context, so that the user is not asked for it.
///
/// The cases and numbers are those of
/// [LACredentialType](https://developer.apple.com/documentation/localauthentication/lacredentialtype), except
/// `devicePasscode`, which only this library has.
public enum LACredentialType: Int, Sendable {
    /// A password that the application keeps.
    case applicationPassword = 0

    /// The passphrase of the store, which takes the place of the device's passcode. **Apple:** has no such type, because only
    /// the system learns the passcode.
    case devicePasscode = -1

    /// The PIN of a smart card.
    case smartCardPIN = -3
}
