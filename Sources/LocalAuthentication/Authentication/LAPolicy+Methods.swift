// SPDX-License-Identifier: Apache-2.0

import SecItemShim

extension LAPolicy {
    /// What proves it here. Nothing does where only a device nearby would.
    var methods: PresenceRequest.Methods {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometry
        case .deviceOwnerAuthentication: [.password, .biometry]
        case .deviceOwnerAuthenticationWithWristDetection: .password
        case .deviceOwnerAuthenticationWithCompanion: []
        }
    }
}
