// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The keyring of these tests. It is separate, because these tests lock it while other tests use theirs.
enum Keyring {
    /// A bus with an unlocked gnome-keyring, which is stopped at the end of the run. Nil if the run has no keyrings, or
    /// if the service cannot be started.
    static let shared: PrivateBus? = {
        guard PrivateBus.isGnomeKeyring, let bus = try? PrivateBus() else { return nil }
        atexit { Keyring.shared?.stop() }
        return bus
    }()
}
