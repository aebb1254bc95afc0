// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A file of another program, read completely.
enum ImportedText {
    /// No list of passwords is larger than 64 MiB.
    static let greatestSize = 64 << 20

    /// - Throws: ``StoreError/Code/unavailable`` when it cannot be read, ``StoreError/Code/tooLarge`` when it is too long.
    static func read(_ path: String) throws(StoreError) -> Data {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { throw PlainFile.failure("\(path) cannot be opened") }
        defer { close(file) }
        var content = Data()
        while true {
            let part = try PlainFile.read(64 << 10, from: file)
            if part.isEmpty {
                guard !content.isEmpty else {
                    throw StoreError(.corrupt, "\(path) is empty", underlying: FileFailure())
                }
                return content
            }
            content.append(contentsOf: part)
            if content.count > greatestSize {
                throw StoreError(.tooLarge, "\(path) is too long for a file of this kind")
            }
        }
    }
}
