import Foundation
import Security

/// The bundle identifier, which is what the original uses, or for a program without a bundle the name that its items
/// are kept under.
func applicationName() -> String {
    Bundle.main.bundleIdentifier ?? LinuxKeychain.applicationIdentifier
}
