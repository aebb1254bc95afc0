// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Counts the comparisons that Foundation makes when it puts objects into a set, or keys into a dictionary.
///
/// Foundation compares each object with all earlier ones that have the same hash. The hash of an array is its count,
/// and the hash of data reads only the first bytes. So a few thousand arrays or data values in an item could keep a
/// program busy for hours. So could two texts with thousands of accents in a row, because Foundation sorts the accents
/// in each comparison.
struct Comparisons {
    /// The units that take Foundation a few seconds. One unit is a comparison of two short texts.
    private static let most = 5_000_000

    private(set) var total = 0

    /// A member of a set, or a key of a dictionary.
    struct Member {
        let hash: Int
        /// The cost of comparing it with one other member.
        let cost: Int
        /// The cost that it has once, whatever its hash.
        let ownCost: Int
    }

    /// Counts other work.
    ///
    /// - Throws: ``CodingFailure`` if the total exceeds the limit.
    mutating func count(_ units: Int) throws(CodingFailure) {
        total = total.addingUpToMost(units)
        guard total <= Self.most else { throw .tooLarge }
    }

    /// Counts the cost of putting objects into one set or dictionary.
    ///
    /// - Throws: ``CodingFailure`` if the total exceeds the limit.
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

    /// The cost of an object as a member of a set.
    ///
    /// - Parameter weight: The sum of ``weight(of:)`` over the object and all values in it.
    static func member(_ object: NSObject, weight: Int) -> Member {
        if let text = object as? NSString { return member(text) }
        return Member(hash: object.hash, cost: weight, ownCost: 0)
    }

    private static func member(_ text: NSString) -> Member {
        let accents = costOfAccents(text as String)
        return Member(hash: text.hash, cost: 1 + accents + text.length / 100, ownCost: accents)
    }

    /// The cost of comparing a value as part of another one.
    static func weight(of object: NSObject) -> Int {
        switch object {
        case let text as NSString: 10 + text.length / 100 + costOfAccents(text as String)
        case let data as NSData: 30 + data.length / 100
        default: 10
        }
    }

    /// The cost of sorting the accents of a text. A run of accents costs the square of its length.
    private static func costOfAccents(_ text: String) -> Int {
        var (total, run) = (0, 0)
        for scalar in text.unicodeScalars {
            if scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered {
                // The square of a number is the sum of that many odd numbers.
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
    // Values that somebody has written into an item can cause a cost beyond the range of `Int`. None of these numbers
    // is negative.

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
    /// Checks that texts can be the keys of a dictionary, or the members of a set, within a reasonable time.
    ///
    /// - Throws: ``CodingFailure`` if they cannot.
    package static func checkKeys(_ keys: some Sequence<ExactText>) throws(CodingFailure) {
        var comparisons = Comparisons()
        try comparisons.count(keys: keys)
    }

    /// Checks that no two texts have the same letters in different spellings. Foundation treats such keys as equal if
    /// they happen to be neighbours in a dictionary, and their places differ each time that it is made.
    ///
    /// - Parameter texts: Texts that ``Comparisons`` has counted.
    /// - Throws: ``CodingFailure`` if two texts have the same letters.
    static func checkSpelling(_ texts: some Sequence<ExactText>) throws(CodingFailure) {
        var letters: Set<String> = []
        for text in texts where !letters.insert(text.string).inserted {
            throw CodingFailure(.unsupported, typeName: "texts that differ in their spelling alone")
        }
    }
}
