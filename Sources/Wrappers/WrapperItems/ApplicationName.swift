// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The bundle identifier, as in the originals. For a program without a bundle, the name that identifies its items.
package func applicationName() -> String {
    OwnProgram.current.bundleIdentifier ?? LinuxKeychain.applicationIdentifier
}
