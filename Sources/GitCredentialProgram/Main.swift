// SPDX-License-Identifier: Apache-2.0

import GitCredentialKeychain

/// `git-credential-keychain` as a program of its own.
@main
enum Main {
    static func main() {
        StandardDescriptors.keepReserved()
        GitCredentialKeychain.main()
    }
}
