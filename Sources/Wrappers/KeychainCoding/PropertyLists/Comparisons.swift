// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How often Foundation has to compare when it puts objects into a set, or keys into a dictionary.
///
/// It compares each with all before it that have the same hash. Foundation's hash of an array is its count, that of data
/// reads the first bytes alone: a few thousand of them in an item could keep a program busy for hours. So could two texts
/// with thousands of accents one after the other, which it sorts for each comparison.
struct Comparisons {
    /// As many units as Foundation needs a few seconds for. To compare two short texts is one.
    private static let most = 5_000_000

    private(set) var total = 0

    /// A member of a set, or a key.
    struct Member {
        let hash: Int
        /// What it takes to compare it with one other.
        let cost: Int
        /// What it takes by itself, whatever its hash.
        let ownCost: Int
    }

    /// Counts work of other kinds.
    ///
    /// - Throws: ``CodingFailure`` when it takes too long, all that was counted before included.
    mutating func count(_ units: Int) throws(CodingFailure) {
        total = total.addingUpToMost(units)
        guard total <= Self.most else { throw .tooLarge }
    }

    /// Counts what it takes to put some objects into one set or dictionary.
    ///
    /// - Throws: ``CodingFailure`` when it takes too long, all that was counted before included.
    mutating func count(_ members: some Sequence<Member>) throws(CodingFailure) {
        var earlier: [Int: Int] = [:]
        for member in members {
            let others = earlier[member.hash, default: 0]
            earlier[member.hash] = others + 1
            try count(others.multipliedUpToMost(by: member.cost).addingUpToMost(member.ownCost))
        }
    }

    mutating func count(keys: some Sequence<ExactText>) throws(CodingFailure) {
        try count(keys.lazy.map { Self.member($0.string as NSString) })
    }

    /// What an object counts for as a member of a set.
    ///
    /// - Parameter weight: What ``weight(of:)`` says of all values in it, itself included.
    static func member(_ object: NSObject, weight: Int) -> Member {
        if let text = object as? NSString { return member(text) }
        return Member(hash: object.hash, cost: weight, ownCost: 0)
    }

    private static func member(_ text: NSString) -> Member {
        let accents = costOfAccents(text as String)
        return Member(hash: text.hash, cost: 1 + accents + text.length / 100, ownCost: accents)
    }

    /// What it takes to compare a value as a part of another one.
    static func weight(of object: NSObject) -> Int {
        switch object {
        case let text as NSString: 10 + text.length / 100 + costOfAccents(text as String)
        case let data as NSData: 30 + data.length / 100
        default: 10
        }
    }

    /// What it takes to sort the accents of a text: each run of them takes the square of its length.
    private static func costOfAccents(_ text: String) -> Int {
        var (total, run) = (0, 0)
        for scalar in text.unicodeScalars {
            if scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered {
                // The square of a number is the sum of the odd ones.
                total = total.addingUpToMost(2 * run + 1)
                run += 1
            } else {
                run = 0
            }
        }
        return total / 1000
    }
}

extension Int {
    // What somebody has written into an item can take longer than a number can say. None of these is negative.

    fileprivate func addingUpToMost(_ other: Int) -> Int {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }

    fileprivate func multipliedUpToMost(by other: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}

extension ExactText {
    /// Checks that texts can be the keys of a dictionary, or the members of a set, in a reasonable time.
    ///
    /// - Throws: ``CodingFailure`` when they cannot.
    package static func checkKeys(_ keys: some Sequence<ExactText>) throws(CodingFailure) {
        var comparisons = Comparisons()
        try comparisons.count(keys: keys)
    }

    /// Checks that no two texts are the same letters in other spellings. Foundation takes such keys for one when they
    /// happen to be neighbours in a dictionary, which is another matter of chance each time that it is made.
    ///
    /// - Parameter texts: Texts that ``Comparisons`` has counted.
    /// - Throws: ``CodingFailure`` when two are.
    static func checkSpelling(_ texts: some Sequence<ExactText>) throws(CodingFailure) {
        var letters: Set<String> = []
        for text in texts where !letters.insert(text.string).inserted {
            throw CodingFailure(.unsupported, typeName: "texts that differ in their spelling alone")
        }
    }
}
