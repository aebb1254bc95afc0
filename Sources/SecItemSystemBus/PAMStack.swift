// SPDX-License-Identifier: Apache-2.0

import Foundation

/// PAM's rules, as far as they must be known before anybody is asked.
struct PAMStack {
    /// The folders of the rules. The machine's rules override those of its packages.
    private static let folders = ["/etc/pam.d/", "/usr/lib/pam.d/", "/usr/etc/pam.d/"]
    /// The depth to which PAM itself follows inclusions.
    private static let greatestDepth = 32

    /// The root of these folders, which differs in tests.
    var root = ""

    /// Whether a module is among those that authenticate for a service. A service without rules uses those of `other`.
    func authenticates(_ service: String, with module: String) -> Bool {
        let name = text(of: service) == nil ? "other" : service
        return contains(module, in: name, depth: 0)
    }

    private func contains(_ module: String, in service: String, depth: Int) -> Bool {
        guard depth < Self.greatestDepth, let text = text(of: service) else { return false }
        let lines = text.replacingOccurrences(of: "\\\n", with: " ").split(separator: "\n")
        return lines.contains { line in
            switch Rule(line) {
            case .include(let other): contains(module, in: other, depth: depth + 1)
            case .module(let path): path == module || path.hasSuffix("/" + module)
            case nil: false
            }
        }
    }

    private func text(of service: String) -> String? {
        guard !service.isEmpty, !service.hasPrefix("."), !service.contains("/") else { return nil }
        return Self.folders.lazy.compactMap { try? String(contentsOfFile: root + $0 + service, encoding: .utf8) }.first
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
            // A control in brackets may contain blanks.
            if control.hasPrefix("["), !control.hasSuffix("]") {
                while let word = words.popFirst(), !word.hasSuffix("]") {}
            }
            guard let name = words.first else { return nil }
            self = ["include", "substack"].contains(control) ? .include(String(name)) : .module(String(name))
        }
    }
}
