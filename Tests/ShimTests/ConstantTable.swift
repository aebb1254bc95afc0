// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The constants of Data/constants.tsv, of which Scripts/make-constants writes Swift: their names in C, and their values.
enum ConstantTable {
    static let all: [(name: String, value: String)] = {
        let data = URL(fileURLWithPath: #filePath + "/../../../Data/constants.tsv").standardized
        guard let text = try? String(contentsOf: data, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t").map(String.init)
            return line.hasPrefix("k") && fields.count == 4 ? (fields[0], fields[2]) : nil
        }
    }()
}
