// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The bundle identifier, which is what the originals use, or for a program without a bundle the name that its items
/// are kept under.
package func applicationName() -> String {
    Bundle.main.bundleIdentifier ?? LinuxKeychain.applicationIdentifier
}
