// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The keyring of these tests, who lock it while others use theirs.
enum Keyring {
    /// A bus with an unlocked gnome-keyring, stopped at the end of the run; nil when the run is one without keyrings, or
    /// when it cannot be started.
    static let shared: PrivateBus? = {
        guard PrivateBus.isGnomeKeyring, let bus = try? PrivateBus() else { return nil }
        atexit { Keyring.shared?.stop() }
        return bus
    }()
}
