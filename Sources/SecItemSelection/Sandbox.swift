import Foundation

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

    /// The sandbox that the environment and Flatpak's file tell of, or nil outside one.
    init?(environment: [String: String], flatpakInformation path: String = Self.flatpakInformation) {
        if FileManager.default.fileExists(atPath: path) {
            kind = .flatpak
        } else if environment["SNAP_NAME"]?.isEmpty == false {
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
