// SPDX-License-Identifier: Apache-2.0

import SecItemShim

extension LAPolicy {
    /// The methods that prove it here. Empty if the policy accepts only a nearby device.
    var methods: PresenceRequest.Methods {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion: .biometry
        case .deviceOwnerAuthentication: [.password, .biometry]
        case .deviceOwnerAuthenticationWithWristDetection: .password
        case .deviceOwnerAuthenticationWithCompanion: []
        }
    }
}
