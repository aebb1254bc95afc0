// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The access group that an option names. No item is of the group without a name.
struct AccessGroupName {
    let text: String

    /// - Throws: `ValidationError` for an empty name.
    init(argument: String) throws {
        guard !argument.isEmpty else { throw ValidationError("an access group has a name") }
        text = argument
    }
}
