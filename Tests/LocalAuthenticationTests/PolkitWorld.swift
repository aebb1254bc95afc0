// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A program on a system bus of its own, with the real polkitd: `Scripts/presence/with-polkit`.
struct PolkitWorld {
    /// Why these tests are skipped, or nil where they can run.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "namespaces of their own take root" }
        let needed = [
            ("polkitd", ["/usr/lib/polkit-1/polkitd", "/usr/libexec/polkitd", "/usr/libexec/polkit-1/polkitd"]),
            ("python3-gi", ["/usr/lib/python3/dist-packages/gi"]), ("dbus", ["/usr/bin/dbus-daemon"]),
        ]
        for (package, places) in needed where !places.contains(where: FileManager.default.fileExists) {
            return "\(package) is not installed"
        }
        let namespaces = ["--mount", "--pid", "--fork", "--mount-proc", "--propagation", "private", "true"]
        guard (try? Program("unshare", namespaces).run().status) == 0 else { return "no namespaces can be made here" }
        return nil
    }()

    static var canRun: Bool { obstacle == nil }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // The person who is asked is another user.
        chmod(folder.url.path, 0o711)
    }

    /// What the agent and the reader were asked.
    var log: [String] {
        let text = (try? String(contentsOf: folder.url.appendingPathComponent("log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// How often the agent was asked.
    var questions: Int { log.count { $0.hasPrefix("asked: ") } }

    /// What the probe prints in that world.
    ///
    /// - Parameter rulesOfOther: PAM's rules of `other` for the terminal, where there are none for `secitem`; nil for the
    ///   machine's rules.
    func output(_ options: [String], _ task: String, rulesOfOther: String? = nil) throws -> String {
        if let rulesOfOther { try Data(rulesOfOther.utf8).write(to: folder.url.appendingPathComponent("other")) }
        let probe = try Program.built("PresenceProbe", [rulesOfOther == nil ? "-" : folder.url.path, task])
        let script = URL(fileURLWithPath: PrivateBus.scripts).deletingLastPathComponent()
            .appendingPathComponent("presence/with-polkit").path
        let log = folder.url.appendingPathComponent("log").path
        let arguments = ["--log", log] + options + [probe.executable] + probe.arguments
        return try Program(script, arguments, timeLimit: 240).run().output
    }
}
