// SPDX-License-Identifier: Apache-2.0

extension LinuxKeychain {
    /// The access group that an item gets when the call that adds it names none, nil when the application may write to none.
    package static var groupOfNewItems: String? { DefaultStore.shared.application.groupForNewItems }
}
