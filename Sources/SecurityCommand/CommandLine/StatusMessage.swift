// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// What the command says of a status.
///
/// Scripts and libraries look for some of macOS's sentences ("could not be found in the keychain"). Those are in this table;
/// for every other status, the library's own sentence is used.
enum StatusMessage {
    private static let compatible: [OSStatus: String] = [
        errSecItemNotFound: "The specified item could not be found in the keychain.",
        errSecDuplicateItem: "The specified item already exists in the keychain.",
        errSecAuthFailed: "The user name or passphrase you entered is not correct.",
        errSecInteractionNotAllowed: "User interaction is not allowed.",
        errSecNoSuchKeychain: "The specified keychain could not be found.",
        errSecInvalidKeychain: "The specified keychain is not a valid keychain file.",
        errSecDuplicateKeychain: "A keychain with the same name already exists.",
        errSecNoDefaultKeychain: "A default keychain could not be found.",
        errSecUserCanceled: "User canceled the operation.",
    ]

    static func text(_ status: OSStatus) -> String {
        if let text = compatible[status] { return text }
        return SecCopyErrorMessageString(status, nil).map { "\($0)" } ?? "OSStatus \(status)"
    }
}
