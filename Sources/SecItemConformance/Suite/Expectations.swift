// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// Fails the case unless the status is the expected one.
func expect(
    _ status: OSStatus, _ expected: OSStatus = errSecSuccess, _ what: String = "",
    file: StaticString = #fileID, line: UInt = #line
) throws {
    guard status != expected else { return }
    throw ConformanceFailure(
        description: "\(what) expected \(statusDescription(expected)), got \(statusDescription(status))",
        file: file, line: line
    )
}

/// Fails the case unless the condition holds.
func expect(
    _ condition: Bool, _ what: String, file: StaticString = #fileID, line: UInt = #line
) throws {
    guard !condition else { return }
    throw ConformanceFailure(description: what, file: file, line: line)
}

/// Fails the case unless the two are equal.
func expectEqual<Value: Equatable>(
    _ value: Value?, _ expected: Value?, _ what: String = "", file: StaticString = #fileID, line: UInt = #line
) throws {
    guard value != expected else { return }
    throw ConformanceFailure(
        description: "\(what) expected \(shown(expected)), got \(shown(value))", file: file, line: line
    )
}

/// Returns the value. Fails the case if it is nil.
func expectValue<Value>(
    _ value: Value?, _ what: String, file: StaticString = #fileID, line: UInt = #line
) throws -> Value {
    guard let value else { throw ConformanceFailure(description: "\(what): nothing", file: file, line: line) }
    return value
}

/// The text that a failure shows for a value. It is short, because a value can be a mebibyte.
private func shown(_ value: Any?) -> String {
    let text = value.map { "\($0)" } ?? "nil"
    return text.count > 200 ? "\(text.prefix(200))…" : text
}
