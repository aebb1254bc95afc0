// SPDX-License-Identifier: Apache-2.0

import Foundation

extension [UInt8] {
    /// Creates bytes from hexadecimal digits. Ignores spaces.
    init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    var hex: String { map { String(format: "%02x", $0) }.joined() }

    static func random(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max) }
    }

    /// Splits the bytes into pieces of random lengths. Some may be empty.
    func randomPieces(upTo longest: Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            let count = Swift.min(.random(in: 0...longest), rest.count)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}

/// The output of the command `openssl` for an input.
func openssl(_ arguments: [String], input: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("in")
    let target = folder.appendingPathComponent("out")
    try Data(input).write(to: source)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    // `dgst` takes its input as the last argument, without an option.
    let input = arguments.first == "dgst" ? [source.path] : ["-in", source.path]
    process.arguments = arguments + ["-out", target.path] + input
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    struct Failure: Error {}
    guard process.terminationStatus == 0 else { throw Failure() }
    return try Array(Data(contentsOf: target))
}
