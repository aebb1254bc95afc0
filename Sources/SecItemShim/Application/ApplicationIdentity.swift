import Foundation

/// Finds the name that an application's items are kept under, when the application did not say.
///
/// In this order: `SECITEM_APPLICATION_IDENTIFIER`, the bundle identifier, the Flatpak id, the snap's name, the name of
/// the executable.
struct ApplicationIdentity {
    let environment: [String: String]

    var identifier: String {
        let candidates = [
            environment["SECITEM_APPLICATION_IDENTIFIER"],
            Bundle.main.bundleIdentifier,
            flatpakIdentifier,
            environment["SNAP_INSTANCE_NAME"] ?? environment["SNAP_NAME"],
            executableName,
        ]
        return candidates.compactMap { $0 }.first { !$0.isEmpty } ?? "unnamed"
    }

    /// The access groups that `SECITEM_ACCESS_GROUPS` lists, separated by commas: what entitlements are on Apple's.
    var accessGroups: [String]? {
        environment["SECITEM_ACCESS_GROUPS"]?.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    /// The `name` of the `[Application]` section that Flatpak puts into every sandbox.
    private var flatpakIdentifier: String? {
        guard let text = try? String(contentsOfFile: "/.flatpak-info", encoding: .utf8) else { return nil }
        let section = text.components(separatedBy: "[Application]").dropFirst().first ?? ""
        let line = section.split(separator: "\n").first { $0.hasPrefix("name=") }
        return line.map { String($0.dropFirst("name=".count)) }
    }

    private var executableName: String? {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (path ?? CommandLine.arguments.first).map { ($0 as NSString).lastPathComponent }
    }
}
