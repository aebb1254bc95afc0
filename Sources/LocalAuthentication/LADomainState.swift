// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the machine recognises its owner by, to compare with what it was at another time.
///
/// Names and behaviour are those of
/// [LADomainState](https://developer.apple.com/documentation/localauthentication/ladomainstate).
public final class LADomainState: NSObject, Sendable {
    /// What is enrolled of fingers and faces.
    public let biometry: LADomainStateBiometry

    /// Which devices nearby are paired: none.
    public let companion: LADomainStateCompanion

    /// The hash of both; `nil` while nothing is enrolled and nothing paired.
    public var stateHash: Data? { biometry.stateHash }

    init(_ biometry: LADomainStateBiometry) {
        self.biometry = biometry
        companion = LADomainStateCompanion()
        super.init()
    }
}

/// What is enrolled of fingers and faces.
///
/// Names and behaviour are those of
/// [LADomainStateBiometry](https://developer.apple.com/documentation/localauthentication/ladomainstatebiometry).
public final class LADomainStateBiometry: NSObject, Sendable {
    /// What the machine can recognise.
    public let biometryType: LABiometryType

    /// A hash that changes when a finger is enrolled or removed; `nil` while none is enrolled.
    ///
    /// A finger that is enrolled anew in the place of another does not change it: the machine tells names of fingers, and
    /// nothing of how they look.
    public let stateHash: Data?

    init(_ biometryType: LABiometryType, _ stateHash: Data?) {
        self.biometryType = biometryType
        self.stateHash = stateHash
        super.init()
    }
}

/// Which devices nearby are paired: none ever is.
///
/// Names and behaviour are those of
/// [LADomainStateCompanion](https://developer.apple.com/documentation/localauthentication/ladomainstatecompanion).
public final class LADomainStateCompanion: NSObject, Sendable {
    /// The paired devices: none.
    public var availableCompanionTypes: Set<LACompanionType> { [] }

    /// A hash of the paired devices: `nil`, as there are none.
    public var stateHash: Data? { nil }

    /// A hash of the paired devices of one type.
    ///
    /// - Parameter companionType: The type.
    /// - Returns: `nil`, as there are none.
    public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}
