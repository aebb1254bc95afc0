// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an evaluation found.
struct TrustEvaluation: Sendable {
    let date: Date
    /// Leaf first.
    let chain: [SecCertificate]
    /// What is wrong with each certificate of the chain and is not excepted.
    let failures: [[TrustCheck]]
    /// Whether something was wrong that an exception permits.
    let isExcepted: Bool
    /// Whether a stapled response says that the leaf is not revoked.
    let isRevocationChecked: Bool

    var result: SecTrustResultType {
        let all = failures.joined()
        if all.isEmpty { return isExcepted ? .proceed : .unspecified }
        return all.contains(where: \.isFatal) ? .fatalTrustFailure : .recoverableTrustFailure
    }

    var isTrusted: Bool { failures.allSatisfy(\.isEmpty) }

    /// What a caller is told: the first kind of failure, on the certificate nearest to the leaf.
    var error: NSError? {
        let all = failures.enumerated().flatMap { index, checks in checks.map { (index, $0) } }
        guard let (index, check) = all.min(by: { ($0.1.kind, $0.0) < ($1.1.kind, $1.0) }) else { return nil }
        let details = failures.enumerated().filter { !$0.element.isEmpty }.map { index, checks in
            "Certificate \(index) “\(name(index))”: " + checks.map(\.sentence).joined(separator: ", ") + ";"
        }
        let underlying = NSError(
            domain: NSOSStatusErrorDomain, code: Int(check.status),
            userInfo: [NSLocalizedDescriptionKey: details.joined(separator: " ")]
        )
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(check.status),
            userInfo: [
                NSLocalizedDescriptionKey: check.sentence(on: name(index)), NSUnderlyingErrorKey: underlying,
            ]
        )
    }

    private func name(_ index: Int) -> String { chain[index].parts.summary ?? "" }
}

extension TrustEvaluation {
    /// Whether no other path could say anything else: what is trusted is, and what is revoked stays so.
    var isFinal: Bool { isTrusted || failures.joined().contains(.revocation) }

    /// Whether this path is the one to tell of rather than another that failed, too: as with Apple, one whose
    /// signatures are right comes first, then one that leads to an anchor, then one that is valid at the date. Of those that
    /// are alike the one with fewer failures.
    func isNearer(than other: TrustEvaluation) -> Bool {
        distance.lexicographicallyPrecedes(other.distance)
    }

    private var distance: [Int] {
        let all = Array(failures.joined())
        let steps: [(TrustCheck) -> Bool] = [
            { $0 == .certificateProcessing }, { $0.kind == .trust }, { $0 == .temporalValidity },
        ]
        return steps.map { all.contains(where: $0) ? 1 : 0 } + [all.count]
    }
}
