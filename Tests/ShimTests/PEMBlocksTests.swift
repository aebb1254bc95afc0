// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SecItemObjects

/// PEM files in which some blocks cannot be read.
@Suite struct PEMBlocksTests {
    private func labels(_ text: String) -> [String?] {
        PEMBlocks(Array(text.utf8)[...]).map { try? $0.get().label }
    }

    private func block(_ label: String, _ content: String = "AQID") -> String {
        "-----BEGIN \(label)-----\n\(content)\n-----END \(label)-----\n"
    }

    /// Wherever a broken block is, the other blocks are read, and the broken one gives an error.
    @Test func brokenBlock_doesNotCostTheOthers() {
        let broken = [
            block("B", "!"), "-----BEGIN B-----\nAQID\n", "-----BEGIN B\n",
            "-----BEGIN B-----\nAQID\n-----END C-----\n",
        ]
        for text in broken {
            #expect(labels(block("A") + text + block("C")) == ["A", nil, "C"], "\(text)")
            #expect(labels(text + block("C")) == [nil, "C"], "\(text)")
            #expect(labels(block("A") + text) == ["A", nil], "\(text)")
            #expect(throws: KeychainError.self) { try PEMBlock.all(in: Array((block("A") + text).utf8)[...]) }
        }
        #expect(labels("text\n" + block("A") + "text\r\n\r\n" + block("B")) == ["A", "B"])
        #expect(labels("").isEmpty && labels("-----END A-----").isEmpty)
    }
}
