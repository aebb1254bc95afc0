// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension AccessConstraints.Flags {
    /// What has to be proven, one after another: each of the methods of a step is enough for it, and a step without any
    /// cannot be taken here.
    ///
    /// As on Apple's, all conditions hold unless `or` is said. The application's password is none of them: it is always
    /// needed as well.
    package var steps: [PresenceRequest.Methods] {
        let steps = Self.conditions.filter { contains($0.flag) }.map(\.methods)
        guard contains(.or), !steps.isEmpty else { return steps }
        return [steps.reduce([]) { $0.union($1) }]
    }

    private static let conditions: [(flag: AccessConstraints.Flags, methods: PresenceRequest.Methods)] = [
        (.userPresence, [.password, .biometry]), (.biometryAny, .biometry), (.biometryCurrentSet, .biometry),
        (.devicePasscode, .password), (.companion, []),
    ]
}

extension SecAccessControl {
    /// What has to be proven: see ``AccessConstraints/Flags/steps``.
    package var steps: [PresenceRequest.Methods] { constraints.steps }

    /// The conditions as a store keeps them. What a caller makes of flags that nobody knows has unknown ones too, and is
    /// refused where they count.
    var constraints: AccessConstraints.Flags {
        AccessConstraints.Flags(rawValue: UInt32(exactly: flags.rawValue) ?? .max)
    }

    /// An access control as an item has it.
    convenience init(_ accessible: Accessible, _ constraints: AccessConstraints.Flags) {
        self.init(
            protection: accessible.rawValue, flags: SecAccessControlCreateFlags(rawValue: UInt(constraints.rawValue)))
    }
}
