// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// The sandbox that the program runs in, as far as its keychain is concerned.
struct Sandbox: Sendable {
    /// Who made the sandbox.
    enum Kind: String, Sendable {
        case flatpak = "Flatpak"
        case snap = "Snap"
    }

    /// What Flatpak puts into every sandbox of its own.
    static let flatpakInformation = "/.flatpak-info"

    let kind: Kind
    let portal: SandboxPortal

    /// The sandbox that Flatpak's file, or the environment and the program itself, tell of; nil outside one.
    init?(
        environment: [String: String], program: OwnProgram = .current,
        flatpakInformation path: String = Self.flatpakInformation
    ) {
        if FileManager.default.fileExists(atPath: path) {
            kind = .flatpak
        } else if program.snapName(environment: environment) != nil {
            kind = .snap
        } else {
            return nil
        }
        portal = SandboxPortal(environment: environment)
    }

    /// The sandbox, with another portal.
    init(_ kind: Kind, portal: SandboxPortal) {
        self.kind = kind
        self.portal = portal
    }
}
