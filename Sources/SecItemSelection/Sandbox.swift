// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// The sandbox of the program, as far as it concerns the keychain.
struct Sandbox: Sendable {
    /// The system that created the sandbox.
    enum Kind: String, Sendable {
        case flatpak = "Flatpak"
        case snap = "Snap"
    }

    /// The file that Flatpak puts into each of its sandboxes.
    static let flatpakInformation = "/.flatpak-info"

    let kind: Kind
    let portal: SandboxPortal

    /// The sandbox that Flatpak's file, or the environment and the program itself, reveal; nil outside one.
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

    /// The sandbox with a different portal.
    init(_ kind: Kind, portal: SandboxPortal) {
        self.kind = kind
        self.portal = portal
    }
}
