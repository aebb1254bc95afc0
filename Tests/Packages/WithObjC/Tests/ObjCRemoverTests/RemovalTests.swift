// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite final class RemovalTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()) \"quoted\"")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What becomes of a source in a file of that name.
    private func removal(of source: String, to name: String = "copy/P.swift") throws
        -> (source: String, status: Int32, errors: String)
    {
        let file = folder.appendingPathComponent("P.swift"), copy = folder.appendingPathComponent(name)
        try Data(source.utf8).write(to: file)
        let end = try Remover.run(file, copy)
        return (try String(contentsOf: copy, encoding: .utf8), end.status, end.errors)
    }

    @Test(arguments: [
        ("@objc class A {}", "      class A {}"),
        ("@objc(XYZAccount)\nfinal class Account {}", "                 \nfinal class Account {}"),
        ("@objcMembers public class A {}", "             public class A {}"),
        ("class A { @nonobjc func f() {} }", "class A {          func f() {} }"),
        (
            "class A { @objc(\n  f:g:) func f(_ a: Int, g: Int) {} }",
            "class A {       \n        func f(_ a: Int, g: Int) {} }"
        ),
        (
            "@objc extension A { @discardableResult @objc func f() -> Int { 1 } }",
            "      extension A { @discardableResult       func f() -> Int { 1 } }"
        ),
        ("class A { var a: Int { @objc(isA) get { 1 } } }", "class A { var a: Int {            get { 1 } } }"),
        ("@objc public enum E: Int { case a }", "      public enum E: Int { case a }"),
    ])
    func attributeIsBlanked(original: String, expected: String) throws {
        #expect(try removal(of: original) == (expected, 0, ""))
    }

    @Test(arguments: [
        ("@objc protocol P {}", "      protocol P: AnyObject {}"),
        ("@objc protocol P: Q {}", "      protocol P: AnyObject, Q {}"),
        ("@objc protocol P: NSObjectProtocol {}", "      protocol P: NSObjectProtocol {}"),
        ("protocol P {}", "protocol P {}"),
    ])
    func protocolStaysBoundToClasses(original: String, expected: String) throws {
        #expect(try removal(of: original) == (expected, 0, ""))
    }

    @Test(arguments: [
        "let text = \"@objc class A {}\"",
        "// @objc class A {}\nlet a = 1",
        "let objc = 1; struct Ä { let 🔑 = #\"@objc(a)\"# }",
        "@available(macOS 10.15, *) @MainActor final class A {}",
        "let selector = #selector(getter: A.b)",
    ])
    func otherCodeIsLeftAsItIs(original: String) throws {
        #expect(try removal(of: original) == (original, 0, ""))
    }

    @Test func optionalRequirementIsAFailureAtItsPlace() throws {
        let end = try removal(of: "@objc protocol P {\n    @objc optional func f()\n}")
        #expect(end.status == 1)
        #expect(end.errors == "\(folder.path)/P.swift:2:11: error: an optional requirement needs Objective-C\n")
    }

    @Test func compilerIsToldWhereTheSourceComesFrom() throws {
        let copy = try removal(of: "let a = 1\n", to: "P.without-objc.swift")
        let path = "\(folder.path)/P.swift".replacingOccurrences(of: "\"", with: "\\\"")
        #expect(copy.source == "#sourceLocation(file: \"\(path)\", line: 1)\nlet a = 1\n")
    }
}
