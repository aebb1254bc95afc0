// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A home of the tests' own, for what stores and Foundation leave in the user's folders.
enum PrivateHome {
    private static let folder = Result {
        let folder = try TemporaryFolder()
        setenv("HOME", folder.path, 1)
        setenv("XDG_STATE_HOME", folder.path + "/state", 1)
        setenv("XDG_DATA_HOME", folder.path + "/data", 1)
        setenv("XDG_CONFIG_HOME", folder.path + "/config", 1)
        // A folder goes with its value, and that of a global never goes.
        atexit { try? FileManager.default.removeItem(atPath: PrivateHome.path ?? "") }
        return folder
    }

    private static var path: String? { (try? folder.get())?.path }

    /// Makes it this process' home, and that of the programs it starts.
    static func use() throws {
        _ = try folder.get()
    }
}
