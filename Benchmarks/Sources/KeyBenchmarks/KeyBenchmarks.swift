// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Compares the cost of `SecKey`, a key's look-up and `SecTrust` with that of the libraries that do the work. Usage:
/// `swift run -c release KeyBenchmarks [folder]`.
///
/// Both sides of a comparison take turns in one run. The output has the minimum, median and maximum of the rounds. The
/// folder should be on a disk.
@main
struct KeyBenchmarks {
    static func main() throws {
        let folder = (CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory()) + "/secitem-keys-\(getpid())"
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        print(Pair.header)
        for row in try KeyOperations().measure() { print(row) }
        for row in try KeyLookups(folder: folder + "/keychain").measure() { print(row) }
        for row in try TrustOfThree(folder: folder).measure() { print(row) }
        print("\n\(ThreadedSignatures.header)")
        for row in try ThreadedSignatures().measure() { print(row) }
    }
}

struct Failure: Error {
    let what: String
}

func require<Value>(_ value: Value?, _ what: String = #function, line: Int = #line) throws -> Value {
    guard let value else { throw Failure(what: "\(what), line \(line)") }
    return value
}
