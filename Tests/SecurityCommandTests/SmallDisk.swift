// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A file system in memory that only a script sees, and that is as small as it mounts it.
enum SmallDisk {
    /// Whether this user may mount one.
    static let isAvailable = (try? run("mount -t tmpfs tmpfs /mnt", in: Program.inheritedEnvironment).status) == 0

    static func run(_ script: String, _ arguments: String..., in environment: [String: String]) throws
        -> FinishedProgram
    {
        let program = Program("unshare", ["--mount", "sh", "-c", script] + arguments, environment: environment)
        return try program.run()
    }
}
