// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What a shell offers for arguments that are neither files nor one of a few words.
extension CompletionKind {
    /// The keychains of the search list, as short as they can be named.
    static let keychain = shellCommand(list)

    /// What `--keychain` takes: the kinds of store, too.
    static let maintainedKeychain = shellCommand("echo default; echo embedded; echo secret-service; " + list)

    private static let list =
        #"security list-keychains 2>/dev/null | sed 's/^ *"//; s/"$//; s|^.*/secitem/keychains/||; s/-db$//'"#
}
