// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The possible paths from a leaf to an anchor by names and key identifiers, the shortest first.
///
/// OpenSSL follows only one path. If that ends in an unsuitable certificate, these are the alternatives. Their
/// signatures are not checked before the verification. Each path and each step to it are paid from the budget, and there
/// are none once its signatures or paths are spent.
struct CandidatePaths: Sequence, IteratorProtocol {
    private let budget: TrustBudget
    /// The leaf, followed by possible intermediate certificates and the anchors.
    private let certificates: [X509Certificate]
    private let firstAnchor: Int
    private let bySubject: [CUnsignedLong: [Int]]
    private let triedPath: [LibcryptoX509.Object]

    private var issuers: [Int: [Int]] = [:]
    private var beginnings = [[0]]
    private var step = 0
    private var complete: ArraySlice<[Int]> = []

    /// - Parameter triedPath: A path to leave out.
    init(
        from leaf: X509Certificate, over others: [X509Certificate], to anchors: [X509Certificate],
        besides triedPath: [X509Certificate], within budget: TrustBudget
    ) {
        self.budget = budget
        var seen = Set(anchors.map(\.bytes))
        seen.insert(leaf.bytes)
        // A certificate that is also an anchor ends the path. Duplicates are removed.
        let middle = others.filter { seen.insert($0.bytes).inserted }
        certificates = [leaf] + middle + anchors
        firstAnchor = 1 + middle.count
        bySubject = Dictionary(grouping: 1..<certificates.count) { [certificates] in certificates[$0].subjectDigest }
        self.triedPath = triedPath.map(\.pointer)
    }

    mutating func next() -> [X509Certificate]? {
        while true {
            while let path = complete.popFirst()?.map({ certificates[$0] }) {
                if path.map(\.pointer) == triedPath { continue }
                return !budget.endsPaths && budget.spend(1, .paths) ? path : nil
            }
            guard step < beginnings.count else { return nil }
            goOn(from: beginnings[step])
            step += 1
        }
    }

    private mutating func goOn(from path: [Int]) {
        guard path.count <= Int(ChainVerifier.greatestDepth), let last = path.last else { return }
        for issuer in issuers(of: last) where !path.contains(issuer) {
            if issuer >= firstAnchor {
                complete.append(path + [issuer])
            } else if budget.spend(1, .steps) {
                beginnings.append(path + [issuer])
            }
        }
    }

    private mutating func issuers(of index: Int) -> [Int] {
        if let known = issuers[index] { return known }
        let subject = certificates[index]
        let found = (bySubject[subject.issuerDigest] ?? []).filter { certificates[$0].mayHaveIssued(subject) }
        issuers[index] = found
        return found
    }
}
