// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension WrapperTests {
    /// The declarations of each product, and the page of its documentation that lists them.
    @Suite struct DeclarationTests {
        private static let products = ["FXKeychain", "Lockbox", "KCMutableDictionary", "KeychainObjects"]
        private let wrappers = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Wrappers").standardized

        @Test(arguments: products)
        func everyDeclaration_isOnThePage_andNothingElse(_ product: String) throws {
            let page = wrappers.appendingPathComponent("\(product)/\(product).docc/\(product)Header.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            let rows = text.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
            let written = rows.map { row in
                Self.withoutQuotes(row.components(separatedBy: " | ")[1])
            }
            let declared = try declarations(product).map(Self.withoutQuotes)
            #expect(Set(written) == Set(declared))
            #expect(Set(written).count == written.count)
        }

        /// The code in the documentation of a class is the beginning of a program that is compiled, including its
        /// imports. `Scripts/test` compares the code in other pages.
        @Test(arguments: products)
        func everySnippet_isTheBeginningOfAProgram(_ product: String) throws {
            let program = wrappers.appendingPathComponent(
                "../../Examples/Wrappers/Sources/Short\(product)/main.swift")
            let compiled = try String(contentsOf: program, encoding: .utf8).components(separatedBy: "\n")
                .drop { $0.isEmpty || $0.hasPrefix("// SPDX-License-Identifier:") }
            let snippets = try sources(product).flatMap { source in
                source.components(separatedBy: "/// ```swift\n").dropFirst().map { part in
                    part.components(separatedBy: "\n").prefix { !$0.contains("```") }.map { line in
                        String(line.drop { $0 == " " }.dropFirst(3))
                    }
                }
            }
            #expect(!snippets.isEmpty)
            for snippet in snippets {
                let lines = snippet.map { $0.hasPrefix(" ") ? String($0.dropFirst()) : $0 }
                #expect(lines == Array(compiled.prefix(lines.count)))
                #expect(lines.first == "import \(product)")
            }
        }

        private func sources(_ product: String) throws -> [String] {
            let folder = wrappers.appendingPathComponent(product)
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift")
            }
            return try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        }

        private static func withoutQuotes(_ text: String) -> String {
            text.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
        }

        private func declarations(_ product: String) throws -> [String] {
            var found: [String] = []
            for text in try sources(product) {
                var rest = Substring(text)
                while let line = rest.firstIndex(of: "\n") {
                    rest = rest[rest.index(after: line)...]
                    let trimmed = rest.drop { $0 == " " }
                    if trimmed.hasPrefix("public ") || trimmed.hasPrefix("open ") {
                        found.append(Self.declaration(trimmed.drop { $0 != " " }.dropFirst()))
                    }
                }
            }
            return found
        }

        /// A declaration in one line, without its body and without attributes that do not concern its use.
        private static func declaration(_ text: Substring) -> String {
            var depth = 0
            let declaration = text.prefix { character in
                if "([".contains(character) { depth += 1 }
                if ")]".contains(character) { depth -= 1 }
                return depth > 0 || !"{\n".contains(character)
            }
            var words = declaration.split(whereSeparator: \.isWhitespace)
            var isStatic = false
            while ["static", "override", "required", "convenience", "final"].contains(words[0]) {
                isStatic = isStatic || words[0] == "static"
                words.removeFirst()
            }
            if words[0] == "class", ["func", "var"].contains(words[1]) {
                isStatic = true
                words.removeFirst()
            }
            var joined = words.joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
            if ["let", "var"].contains(words[0]) { joined = joined.components(separatedBy: " = ")[0] }
            return (isStatic ? "static " : "") + joined
        }
    }
}
