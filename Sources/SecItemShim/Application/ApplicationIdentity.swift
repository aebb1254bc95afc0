// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The name that identifies an application's items if the application does not set one, and the origin of that name.
///
/// The first of these that exists: `SECITEM_APPLICATION_IDENTIFIER`, the bundle identifier, the Flatpak id, the snap's
/// name, the name of the executable.
package struct ApplicationIdentity: Sendable {
    /// Where the name comes from.
    package enum Origin: String, Sendable {
        case application = "set by the application"
        case environment = "from SECITEM_APPLICATION_IDENTIFIER"
        case bundle = "the bundle identifier"
        case flatpak = "the Flatpak id"
        case snap = "the snap's name"
        case executable = "the name of the executable, which programs of the same name share"
        case nothing = "as nothing else was found"
    }

    package let identifier: String
    package let origin: Origin
    /// The access groups in `SECITEM_ACCESS_GROUPS`, separated by commas. They take the place of Apple's entitlements.
    /// Nil if the variable is not set or empty.
    package let accessGroups: [String]?

    /// - Parameters:
    ///   - environment: The variables of the environment that can be trusted.
    ///   - program: The running program.
    ///   - bundleIdentifier: The identifier in the Info.plist beside the program. Foundation reads the program's folder
    ///     to find it, so this closure runs only if the environment has no name.
    ///   - flatpakInformation: The path of the file that Flatpak puts into each of its sandboxes.
    package init(
        environment: [String: String], program: OwnProgram = .current,
        bundleIdentifier: @autoclosure @escaping () -> String? = OwnProgram.current.bundleIdentifier,
        flatpakInformation: String = "/.flatpak-info"
    ) {
        let candidates: [(Origin, () -> String?)] = [
            (.environment, { environment["SECITEM_APPLICATION_IDENTIFIER"] }),
            (.bundle, bundleIdentifier),
            (.flatpak, { Self.flatpakIdentifier(flatpakInformation) }),
            (.snap, { program.snapName(environment: environment) }),
            (.executable, { program.name }),
        ]
        var found: (Origin, String)?
        for (origin, name) in candidates where found == nil {
            if let name = name(), !name.isEmpty { found = (origin, name) }
        }
        origin = found?.0 ?? .nothing
        identifier = found?.1 ?? "unnamed"
        if program.path == nil, [.executable, .nothing].contains(origin) {
            CallLog.logger.once(
                .notice, "The program's name is taken from the path with which it was started: /proc is not mounted",
                metadata: ["application": "\(identifier)"])
        }
        accessGroups = environment["SECITEM_ACCESS_GROUPS"].flatMap { list in
            if list.isEmpty { return nil }
            return list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
    }

    /// The `name` of the `[Application]` section.
    private static func flatpakIdentifier(_ path: String) -> String? {
        // This check comes first: few programs run in a sandbox, and Foundation takes long to make an error.
        guard access(path, F_OK) == 0, let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let section = text.components(separatedBy: "[Application]").dropFirst().first ?? ""
        let line = section.split(separator: "\n").first { $0.hasPrefix("name=") }
        return line.map { String($0.dropFirst("name=".count)) }
    }
}
