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

    /// Whether a module that reads a finger is among those that authenticate for a service. A service without rules has
    /// those of `other`.
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
        for line in Self.lines(of: text) {
            switch Rule(line) {
            case .include(let other): collect(from: other, depth: depth + 1, &modules, &seen)
            case .module(let path): modules.insert(path.split(separator: "/").last.map(String.init) ?? path)
            case nil: break
            }
        }
    }

    /// The rules of a service, or of a path that an inclusion names. PAM reads bytes, whatever text they are.
    private func text(of service: String) -> [UInt8]? {
        if service.isEmpty { return nil }
        let paths = service.hasPrefix("/") ? [service] : folders.map { $0 + service }
        return paths.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first.map(Array.init)
    }

    // MARK: Reading as libpam reads

    private static let blanks: Set<UInt8> = Set(" \t\n".utf8)

    /// The lines of a file. A backslash at the end joins a line with the next one that is neither empty nor a remark, and a
    /// remark ends a line. A zero byte ends a line too, because libpam takes it for the end of a text.
    private static func lines(of text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for part in text.split(separator: UInt8(ascii: "\n")) {
            let content = part.prefix { $0 != 0 }.drop(while: blanks.contains)
            if content.isEmpty || content.first == UInt8(ascii: "#") { continue }
            let rule = content.prefix { $0 != UInt8(ascii: "#") }
            let end = rule.lastIndex { !blanks.contains($0) } ?? rule.startIndex
            if rule.count == content.count, rule[end] == UInt8(ascii: "\\") {
                line += rule[..<end] + [UInt8(ascii: " ")]
            } else {
                lines.append(line + rule)
                line = []
            }
        }
        return lines + [line]
    }

    /// The words of a line. What is in brackets is one word, without them; a backslash keeps a bracket from ending it.
    private static func words(of line: [UInt8]) -> [String] {
        var words: [String] = []
        var rest = line[...]
        while true {
            rest = rest.drop(while: blanks.contains)
            guard let first = rest.first else { return words }
            var word: [UInt8] = []
            if first == UInt8(ascii: "[") {
                rest = rest.dropFirst()
                while let byte = rest.popFirst(), byte != UInt8(ascii: "]") {
                    let isEscaped = byte == UInt8(ascii: "\\") && rest.first == UInt8(ascii: "]")
                    word.append(isEscaped ? rest.removeFirst() : byte)
                }
            } else {
                word = Array(rest.prefix { !blanks.contains($0) })
                rest = rest.dropFirst(word.count)
            }
            words.append(String(decoding: word, as: UTF8.self))
        }
    }

    /// One line of a file, if it is about authentication. Case matters in paths alone.
    private enum Rule {
        case include(String)
        case module(String)

        init?(_ line: [UInt8]) {
            let words = PAMStack.words(of: line)
            guard words.count > 1 else { return nil }
            // Without it, libpam logs that a module is missing.
            let kind = words[0].hasPrefix("-") ? String(words[0].dropFirst()) : words[0]
            if kind.isSame(as: "@include") {
                self = .include(words[1])
                return
            }
            let others = ["account", "session", "password"]
            guard words.count > 2, !others.contains(where: { kind.isSame(as: $0) }) else { return nil }
            // libpam takes any other word for "auth": it loads no module for it, but follows inclusions.
            if words[1].isSame(as: "include") || words[1].isSame(as: "substack") {
                self = .include(words[2])
            } else if kind.isSame(as: "auth") {
                self = .module(words[2])
            } else {
                return nil
            }
        }
    }
}

extension String {
    /// Whether they differ in nothing but the case of ASCII letters, which is what `strcasecmp` compares.
    fileprivate func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && strcasecmp(self, other) == 0 }
}
