import Foundation
import SecItemConformance
import Testing

/// `docs/compatibility.md` and the suite say the same.
@Suite struct CompatibilityPageTests {
    /// The names on the page, where `<…>` stands for each of many.
    private let patterns: [String]
    /// The numbers of the rules on the page.
    private let rules: Set<String>

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/compatibility.md"), encoding: .utf8)
        patterns = page.matches(of: /`([A-Za-z0-9<>]+_[A-Za-z0-9<>_]+)`/).map { String($0.1) }
            .filter { !$0.hasPrefix("SECITEM_") }
        rules = Set(page.matches(of: /(?m)^(?:\| )?(\d+(?:\.\d+)?)(?: \||:)/).map { String($0.1) })
    }

    @Test func everyCase_isOnThePage() throws {
        let expressions = try patterns.map(Self.expression)
        for name in ConformanceSuite.cases.map(\.name) {
            #expect(expressions.contains { name.wholeMatch(of: $0) != nil }, "\(name) is not on the page")
        }
    }

    @Test func everyName_isACase() throws {
        #expect(patterns.count > 250)
        for pattern in Set(patterns) {
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
