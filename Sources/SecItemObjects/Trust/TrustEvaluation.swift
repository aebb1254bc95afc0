// SPDX-License-Identifier: Apache-2.0

import Foundation

package struct TrustEvaluation: Sendable {
    let date: Date
    /// Leaf first.
    let chain: [SecCertificate]
    /// The failures of each certificate of the chain, without those that exceptions accept.
    package let failures: [[TrustCheck]]
    /// Whether an exception accepted a failure.
    let isExcepted: Bool
    /// Whether a stapled response says that the leaf is not revoked.
    let isRevocationChecked: Bool

    var result: SecTrustResultType {
        let all = failures.joined()
        if all.isEmpty { return isExcepted ? .proceed : .unspecified }
        return all.contains(where: \.isFatal) ? .fatalTrustFailure : .recoverableTrustFailure
    }

    package var isTrusted: Bool { failures.allSatisfy(\.isEmpty) }

    /// The error for the caller: the first kind of failure, on the certificate nearest to the leaf.
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
    /// Whether the budget ended the evaluation.
    var isTooCostly: Bool { failures.joined().contains(.cost) }

    /// The same result, with the failure that the budget left paths out.
    var withoutRest: TrustEvaluation {
        var all = failures
        if !isTooCostly { all[0].append(.cost) }
        return TrustEvaluation(
            date: date, chain: chain, failures: all, isExcepted: isExcepted, isRevocationChecked: isRevocationChecked)
    }

    /// Whether no other path could change the result, because the chain is trusted or the leaf is revoked.
    var isFinal: Bool { isTrusted || failures.joined().contains(.revocation) }

    /// Whether to report this path rather than another failed one. As on Apple's platforms, right signatures count
    /// first, then an anchor at the end, then validity on the date. If all of these are the same, the path with fewer
    /// failures is reported.
    func isNearer(than other: TrustEvaluation) -> Bool {
        distance.lexicographicallyPrecedes(other.distance)
    }

    private var distance: [Int] {
        let all = Array(failures.joined())
        let steps: [(TrustCheck) -> Bool] = [
            { [.certificateProcessing, .cost].contains($0) }, { $0.kind == .trust }, { $0 == .temporalValidity },
        ]
        return steps.map { all.contains(where: $0) ? 1 : 0 } + [all.count]
    }
}
