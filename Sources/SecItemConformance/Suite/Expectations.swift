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
