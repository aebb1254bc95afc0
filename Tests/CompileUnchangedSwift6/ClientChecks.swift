// SPDX-License-Identifier: Apache-2.0

/// The error of a check in the clients' files.
struct Failure: Error, CustomStringConvertible {
    let description: String
}

func expect(_ condition: Bool, _ what: String = "", file: StaticString = #fileID, line: UInt = #line) throws {
    guard !condition else { return }
    throw Failure(description: "\(file):\(line) \(what)")
}

func expectEqual<Value: Equatable>(
    _ found: Value?, _ expected: Value?, file: StaticString = #fileID, line: UInt = #line
) throws {
    let texts = [found, expected].map { $0.map { "\($0)" } ?? "nil" }
    try expect(found == expected, "found \(texts[0]), expected \(texts[1])", file: file, line: line)
}
