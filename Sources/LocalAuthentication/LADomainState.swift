// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the machine recognises its owner by, for comparison with an earlier state.
///
/// Names and behaviour are those of
/// [LADomainState](https://developer.apple.com/documentation/localauthentication/ladomainstate).
public final class LADomainState: NSObject, Sendable {
    /// The enrolled fingers and faces.
    public let biometry: LADomainStateBiometry

    /// The paired nearby devices: none.
    public let companion: LADomainStateCompanion

    /// The hash of both; `nil` if nothing is enrolled and nothing paired.
    public var stateHash: Data? { biometry.stateHash }

    init(_ biometry: LADomainStateBiometry) {
        self.biometry = biometry
        companion = LADomainStateCompanion()
        super.init()
    }
}

/// The enrolled fingers and faces.
///
/// Names and behaviour are those of
/// [LADomainStateBiometry](https://developer.apple.com/documentation/localauthentication/ladomainstatebiometry).
public final class LADomainStateBiometry: NSObject, Sendable {
    /// What the machine can recognise.
    public let biometryType: LABiometryType

    /// A hash that changes when a finger is enrolled or removed; `nil` if none is enrolled.
    ///
    /// It stays the same if a finger is enrolled again in place of another, because the machine reveals only the names of
    /// fingers.
    public let stateHash: Data?

    init(_ biometryType: LABiometryType, _ stateHash: Data?) {
        self.biometryType = biometryType
        self.stateHash = stateHash
        super.init()
    }
}

/// The paired nearby devices. There are never any.
///
/// Names and behaviour are those of
/// [LADomainStateCompanion](https://developer.apple.com/documentation/localauthentication/ladomainstatecompanion).
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The paired devices: none.
    public var availableCompanionTypes: Set<LACompanionType> { [] }

    /// A hash of the paired devices: `nil`, because there are none.
    public var stateHash: Data? { nil }

    /// A hash of the paired devices of one type.
    ///
    /// - Parameter companionType: The type.
    /// - Returns: `nil`, because there are none.
    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
