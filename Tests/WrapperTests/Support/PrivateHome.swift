// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A home folder for the tests, for files that stores and Foundation create in the user's folders.
enum PrivateHome {
    private static let folder = Result {
        let folder = try TemporaryFolder()
        setenv("HOME", folder.path, 1)
        setenv("XDG_STATE_HOME", folder.path + "/state", 1)
        setenv("XDG_DATA_HOME", folder.path + "/data", 1)
        setenv("XDG_CONFIG_HOME", folder.path + "/config", 1)
        // A folder is removed when its value is released, but a global value is never released.
        atexit { try? FileManager.default.removeItem(atPath: PrivateHome.path ?? "") }
        return folder
    }

    private static var path: String? { (try? folder.get())?.path }

    /// Sets it as the home folder of this process and of the programs that it starts.
    static func use() throws {
        _ = try folder.get()
    }
}
