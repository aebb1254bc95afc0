// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension AccessConstraints.Flags {
    /// The proofs to give, one after another. Each method of a step is enough for the step. A step without methods cannot be
    /// proven here.
    ///
    /// As on Apple's platforms, all conditions must hold, unless the flags contain `or`. The application password is not among
    /// the steps, because it is always needed as well.
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
    /// The proofs to give: see ``AccessConstraints/Flags/steps``.
    package var steps: [PresenceRequest.Methods] { constraints.steps }

    /// The conditions as a store keeps them. Unknown flags of the caller stay unknown, and calls that depend on them refuse
    /// them.
    package var constraints: AccessConstraints.Flags {
        AccessConstraints.Flags(rawValue: UInt32(exactly: flags.rawValue) ?? .max)
    }

    /// The access control of an item.
    convenience init(_ accessible: Accessible, _ constraints: AccessConstraints.Flags) {
        self.init(
            protection: accessible.rawValue, flags: SecAccessControlCreateFlags(rawValue: UInt(constraints.rawValue)))
    }
}
