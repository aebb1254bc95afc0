// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The options that say which applications may use an item: on Linux, access groups say that.
struct IgnoredAccess: ParsableArguments {
    @Flag(name: .customShort("A"), help: "Allow any application to use it (no effect here).")
    var anyApplication = false

    @Option(
        name: .shortJoined("T"), parsing: .unconditionalSingleValue,
        help: "An application that may use it (no effect here).")
    var applications: [String] = []

    /// Says with `-v` what means nothing.
    ///
    /// - Throws: ``CommandFailure`` for `-T ""`: whoever says it believes that each use has to be confirmed.
    func check() throws {
        let reason = "the access group says which applications use an item"
        if anyApplication { CommandContext.current.ignore("-A", because: reason) }
        if applications.contains("") {
            throw CommandFailure.usage("-T \"\" is not supported: items here cannot ask to confirm each use")
        }
        if !applications.isEmpty { CommandContext.current.ignore("-T", because: reason) }
    }
}
