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

extension SecAccessControl {
    /// What has to be proven, one after another: each of the methods of a step is enough for it.
    var steps: [PresenceRequest.Methods] {
        let steps = Self.conditions.filter { flags.contains($0.flag) }.map(\.methods)
        guard flags.contains(.or) else { return steps }
        return [steps.reduce([]) { $0.union($1) }]
    }

    private static let conditions: [(flag: SecAccessControlCreateFlags, methods: PresenceRequest.Methods)] = [
        (.userPresence, [.password, .biometry]), (.biometryAny, .biometry), (.biometryCurrentSet, .biometry),
        (.devicePasscode, .password), (.companion, []),
    ]
}
