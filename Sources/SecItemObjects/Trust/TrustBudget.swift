// SPDX-License-Identifier: Apache-2.0

/// What one evaluation of trust may cost.
///
/// The certificates may be a stranger's: names are compared with constraints, policies with mappings, and every path
/// has signatures. An evaluation asks for a part of the budget before it does the work. Whatever exceeds the budget is
/// not done, and a chain that needs it is not trusted (``TrustCheck/cost``).
///
/// Several evaluations can share a budget. It belongs to one thread at a time.
package final class TrustBudget {
    enum Resource: CaseIterable, Sendable {
        /// Bytes of certificates and of responses on revocation. Reading them takes less time than the comparisons.
        case bytes
        /// Checks of a signature. A chain of ordinary length needs two or three.
        case signatures
        /// Comparisons of one byte of a name with a constraint, or the time of one. A thousand host names with a
        /// hundred constraints need about four million; ten million take about as long as 200 signatures.
        case comparisons
        /// Paths to an anchor, besides the one that OpenSSL finds.
        case paths
        /// Partial paths to extend.
        case steps

        var limit: Int {
            switch self {
            case .bytes: 512 << 10
            case .signatures: 200
            case .comparisons: 10_000_000
            case .paths: 32
            case .steps: 1024
            }
        }
    }

    private(set) var spent: [Resource: Int] = [:]
    /// The resources of which more was asked than was left.
    private(set) var exceeded: Set<Resource> = []
    /// How often more was asked than was left.
    private(set) var refusals = 0

    /// - Returns: False if so much is not left. Then nothing is spent, and the work must not be done.
    func spend(_ amount: Int, _ resource: Resource) -> Bool {
        let (sum, isTooLarge) = (spent[resource] ?? 0).addingReportingOverflow(amount)
        guard !isTooLarge, sum <= resource.limit else {
            exceeded.insert(resource)
            refusals += 1
            return false
        }
        spent[resource] = sum
        return true
    }

    /// Whether no other path can be verified.
    var endsPaths: Bool { !exceeded.isDisjoint(with: [.paths, .signatures]) }
}
