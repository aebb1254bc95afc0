// SPDX-License-Identifier: Apache-2.0

/// What the keychain has to know of the object under `kSecUseAuthenticationContext`.
///
/// `LAContext` is one; its module stands on this one, so it says so itself.
package protocol AuthenticationContext: AnyObject {
    /// Whether to fail instead of asking the user.
    var interactionNotAllowed: Bool { get }
}
