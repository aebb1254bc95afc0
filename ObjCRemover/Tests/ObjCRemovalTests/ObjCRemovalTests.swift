// SPDX-License-Identifier: Apache-2.0

import ObjCRemoval
import Testing

@Suite struct ObjCRemovalTests {
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
    func attributeIsBlanked(original: String, expected: String) {
        let removal = ObjCRemoval(of: original)
        #expect(removal.source == expected)
        #expect(removal.failures.isEmpty)
    }

    @Test(arguments: [
        ("@objc protocol P {}", "      protocol P: AnyObject {}"),
        ("@objc protocol P: Q {}", "      protocol P: AnyObject, Q {}"),
        ("@objc protocol P: NSObjectProtocol {}", "      protocol P: NSObjectProtocol {}"),
        ("protocol P {}", "protocol P {}"),
    ])
    func protocolStaysBoundToClasses(original: String, expected: String) {
        #expect(ObjCRemoval(of: original).source == expected)
    }

    @Test(arguments: [
        "let text = \"@objc class A {}\"",
        "// @objc class A {}\nlet a = 1",
        "let objc = 1; struct Ä { let 🔑 = #\"@objc(a)\"# }",
        "@available(macOS 10.15, *) @MainActor final class A {}",
        "let selector = #selector(getter: A.b)",
    ])
    func otherCodeIsLeftAsItIs(original: String) {
        #expect(ObjCRemoval(of: original).source == original)
    }

    @Test func optionalRequirementIsAFailureAtItsPlace() {
        let removal = ObjCRemoval(of: "@objc protocol P {\n    @objc optional func f()\n}", file: "P.swift")
        #expect(removal.failures == ["P.swift:2:11: error: an optional requirement needs Objective-C"])
    }

    @Test func compilerIsToldWhereTheSourceComesFrom() {
        let source = ObjCRemoval(of: "let a = 1\n").source(namedAfter: "/a \"b\"/c.swift")
        #expect(source == "#sourceLocation(file: \"/a \\\"b\\\"/c.swift\", line: 1)\nlet a = 1\n")
    }
}
