// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import Testing

/// `docs/compatibility.md`, its list of cases in `docs/compatibility-cases.tsv`, and the suite agree.
@Suite struct CompatibilityPageTests {
    /// The numbers of the rules on the page.
    private let rules: Set<String>
    /// The lines of the list. A line has a rule and the name of a case, in which `<…>` stands for any text; or a rule,
    /// a dash and the reason why the rule has no case.
    private let lines: [[String]]

    init() throws {
        let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs")
        let page = try String(contentsOf: docs.appendingPathComponent("compatibility.md"), encoding: .utf8)
        rules = Set(page.matches(of: /(?m)^\| (\d+(?:\.\d+)?) \|/).map { String($0.1) })
        let list = try String(contentsOf: docs.appendingPathComponent("compatibility-cases.tsv"), encoding: .utf8)
        lines = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The names of cases in the list.
    private var patterns: Set<String> {
        Set(lines.filter { $0.count == 2 }.map { $0[1] })
    }

    @Test func everyLine_isARuleAndACaseOrAReason() {
        for line in lines {
            let hasReason = line.count == 3 && line[1] == "–" && !line[2].isEmpty
            #expect(line.count == 2 || hasReason, "\(line) is neither a case nor a reason")
        }
    }

    @Test func everyRule_hasACaseOrAReason() {
        #expect(rules.count > 130)
        let listed = Set(lines.map { $0[0] })
        let unlisted = rules.subtracting(listed).sorted()
        #expect(unlisted.isEmpty, "rules of the page that are not in the list: \(unlisted)")
        let unknown = listed.subtracting(rules).sorted()
        #expect(unknown.isEmpty, "rules of the list that are not on the page: \(unknown)")
    }

    @Test func everyCase_isInTheList() throws {
        let expressions = try patterns.map(Self.expression)
        for name in ConformanceSuite.cases.map(\.name) {
            #expect(expressions.contains { name.wholeMatch(of: $0) != nil }, "\(name) is not in the list")
        }
    }

    @Test func everyName_isACase() throws {
        #expect(patterns.count > 250)
        for pattern in patterns {
            let expression = try Self.expression(pattern)
            #expect(
                ConformanceSuite.cases.contains { $0.name.wholeMatch(of: expression) != nil }, "\(pattern) is no case")
        }
    }

    @Test func everyRuleOfACase_isOnThePage() {
        for conformanceCase in ConformanceSuite.cases {
            for rule in conformanceCase.rules {
                #expect(rules.contains(rule), "rule \(rule) of \(conformanceCase) is not on the page")
            }
        }
    }

    private static func expression(_ pattern: String) throws -> Regex<AnyRegexOutput> {
        try Regex(pattern.replacing(/<[a-z]+>/, with: "[A-Za-z0-9]+"))
    }
}
