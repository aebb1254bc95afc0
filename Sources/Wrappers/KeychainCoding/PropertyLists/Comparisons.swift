import Foundation

/// How often Foundation has to compare when it puts objects into a set, or keys into a dictionary.
///
/// It compares each with all before it that have the same hash. Foundation's hash of an array is its count, that of data
/// reads the first bytes alone: a few thousand of them in an item could keep a program busy for hours.
struct Comparisons {
    /// As many units as Foundation needs a few seconds for. To compare two short texts is one.
    private static let most = 5_000_000

    private var total = 0

    /// Counts what it takes to put some objects into one set or dictionary.
    ///
    /// - Throws: ``CodingFailure`` when it takes too long, all that was counted before included.
    mutating func count(_ members: some Sequence<(hash: Int, cost: Int)>) throws(CodingFailure) {
        var earlier: [Int: Int] = [:]
        for (hash, cost) in members {
            let others = earlier[hash, default: 0]
            earlier[hash] = others + 1
            total += others * cost
            guard total <= Self.most else { throw .tooDeep }
        }
    }

    mutating func count(keys: some Sequence<String>) throws(CodingFailure) {
        try count(keys.lazy.map { (($0 as NSString).hash, Self.cost(bytes: $0.utf8.count)) })
    }

    /// What it takes to compare an object with another one.
    ///
    /// - Parameter weight: How many values it holds, itself included.
    static func cost(of object: NSObject, weight: Int) -> Int {
        switch object {
        case let text as NSString: cost(bytes: text.length)
        case let data as NSData: 30 + cost(bytes: data.length)
        default: 10 * weight
        }
    }

    private static func cost(bytes: Int) -> Int { 1 + bytes / 100 }
}
