// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The paths from a leaf to an anchor that names and identifiers of keys allow, the shortest first.
///
/// OpenSSL follows one path only: where that ends in a certificate that is not fit, these are the others to try. Whether the
/// signatures are right is seen when one is verified. Work is bounded whatever certificates a stranger sends: there are
/// ``greatestCount`` paths at most, which together have ``greatestLinks`` signatures, and ``greatestSteps`` beginnings of paths
/// are looked at.
struct CandidatePaths: Sequence, IteratorProtocol {
    static let greatestCount = 32
    /// Signatures on all of the paths together.
    static let greatestLinks = 256
    /// Beginnings of paths that are gone on from.
    static let greatestSteps = 1024

    /// The leaf, then what may stand in the middle, then the anchors.
    private let certificates: [X509Certificate]
    private let firstAnchor: Int
    private let bySubject: [CUnsignedLong: [Int]]
    private let triedPath: [LibcryptoX509.Object]

    private var issuers: [Int: [Int]] = [:]
    private var beginnings = [[0]]
    private var step = 0
    private var complete: ArraySlice<[Int]> = []
    private var count = 0
    private var links = 0

    /// - Parameter triedPath: A path that is not to be given.
    init(
        from leaf: X509Certificate, over others: [X509Certificate], to anchors: [X509Certificate],
        besides triedPath: [X509Certificate]
    ) {
        var seen = Set(anchors.map(\.bytes))
        seen.insert(leaf.bytes)
        // What is an anchor too ends the path; what was sent twice is there once.
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
                count += 1
                links += path.count - 1
                return count <= Self.greatestCount && links <= Self.greatestLinks ? path : nil
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
            } else if beginnings.count < Self.greatestSteps {
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
