// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The modules that PAM's rules name. The library must know them before it asks anybody, and before an answer counts.
package struct PAMStack: Sendable {
    /// The folders with rules. The machine's own take precedence over those of its packages.
    private static let folders = ["/etc/pam.d/", "/usr/lib/pam.d/", "/usr/etc/pam.d/"]
    /// How many files deep PAM follows inclusions.
    private static let greatestDepth = 32

    /// Modules that read a finger. They ask no question, but tell the user what to do.
    private static let fingerModules: Set = ["pam_fprintd.so", "pam_fprintd_grosshack.so"]
    /// Modules that recognise a user by the password in the machine's own files, or not at all.
    private static let modulesOfOwnPassword: Set = [
        "pam_unix.so", "pam_access.so", "pam_cap.so", "pam_debug.so", "pam_deny.so", "pam_echo.so", "pam_ecryptfs.so",
        "pam_env.so", "pam_faildelay.so", "pam_faillock.so", "pam_gnome_keyring.so", "pam_group.so", "pam_kwallet.so",
        "pam_kwallet5.so", "pam_listfile.so", "pam_localuser.so", "pam_nologin.so", "pam_permit.so", "pam_rootok.so",
        "pam_securetty.so", "pam_shells.so", "pam_succeed_if.so", "pam_time.so", "pam_usertype.so", "pam_warn.so",
        "pam_wheel.so",
    ]

    /// Modules that recognise nobody, whatever the other modules say.
    private static let modulesThatRecogniseNobody: Set = ["pam_deny.so", "pam_warn.so"]

    private let folders: [String]

    /// - Parameter root: The path before the folders with rules. Empty except in tests.
    package init(root: String = "") {
        folders = Self.folders.map { root + $0 }
    }

    /// The rules in one folder.
    package init(folder: String) {
        folders = [folder + "/"]
    }

    /// Whether a module is among those that authenticate for a service. A service without rules has those of `other`.
    package func authenticates(_ service: String, with module: String) -> Bool {
        modules(of: service).contains(module)
    }

    /// Whether a module that reads a finger is among those that authenticate for a service.
    package func readsFingers(_ service: String) -> Bool { !modules(of: service).isDisjoint(with: Self.fingerModules) }

    /// Whether a service accepts no other proof than the password in the machine's own files.
    package func knowsOwnPasswordOnly(_ service: String) -> Bool {
        modules(of: service).isSubset(of: Self.modulesOfOwnPassword)
    }

    /// Whether a service can recognise nobody: the user is known to have no password, and no rule accepts anything else.
    package func canKnowNobody(_ service: String) -> Bool {
        MachineUser.current?.hasNoPassword == true && knowsOwnPasswordOnly(service)
    }

    /// Whether a service recognises nobody, as the rules of `other` on many machines.
    package func refusesEverybody(_ service: String) -> Bool {
        let modules = modules(of: service)
        return modules.contains("pam_deny.so") && modules.isSubset(of: Self.modulesThatRecogniseNobody)
    }

    /// The path of the rules of a service; nil if it has none, and so those of `other`.
    package func file(of service: String) -> String? {
        folders.lazy.map { $0 + service }.first { FileManager.default.isReadableFile(atPath: $0) }
    }

    /// The names of the modules that authenticate for a service.
    private func modules(of service: String) -> Set<String> {
        var modules: Set<String> = [], seen: Set<String> = []
        collect(from: text(of: service) == nil ? "other" : service, depth: 0, &modules, &seen)
        return modules
    }

    private func collect(from service: String, depth: Int, _ modules: inout Set<String>, _ seen: inout Set<String>) {
        guard depth < Self.greatestDepth, seen.insert(service).inserted, let text = text(of: service) else { return }
        for line in text.replacingOccurrences(of: "\\\n", with: " ").split(separator: "\n") {
            switch Rule(line) {
            case .include(let other): collect(from: other, depth: depth + 1, &modules, &seen)
            case .module(let path): modules.insert(path.split(separator: "/").last.map(String.init) ?? path)
            case nil: break
            }
        }
    }

    private func text(of service: String) -> String? {
        guard !service.isEmpty, !service.hasPrefix("."), !service.contains("/") else { return nil }
        return folders.lazy.compactMap { try? String(contentsOfFile: $0 + service, encoding: .utf8) }.first
    }

    /// One line of a file, if it is about authentication.
    private enum Rule {
        case include(String)
        case module(String)

        init?(_ line: Substring) {
            var words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)[...]
            guard let kind = words.popFirst() else { return nil }
            if kind == "@include", let name = words.first {
                self = .include(String(name))
                return
            }
            guard kind == "auth" || kind == "-auth", let control = words.popFirst() else { return nil }
            // A control in brackets may have blanks in it.
            if control.hasPrefix("["), !control.hasSuffix("]") {
                while let word = words.popFirst(), !word.hasSuffix("]") {}
            }
            guard let name = words.first else { return nil }
            self = ["include", "substack"].contains(control) ? .include(String(name)) : .module(String(name))
        }
    }
}
