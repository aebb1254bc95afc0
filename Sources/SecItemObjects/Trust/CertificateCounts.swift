// SPDX-License-Identifier: Apache-2.0

/// The parts of a certificate whose numbers OpenSSL multiplies.
struct CertificateCounts: Sendable {
    /// Names of the subject, and the size of all of them.
    var names = 1
    var nameBytes = 0
    /// The subtrees of name constraints, and the size of all of them.
    var subtrees = 0
    var subtreeBytes = 0
    var policies = 0
    var mappings = 0
    var hasAnyPolicy = false
    var issuerBytes = 0
    /// Places of revocation lists with a name relative to the issuer's. OpenSSL copies that name for each.
    var relativePoints = 0

    /// The cost of reading the certificate.
    var reading: Int { Self.product(relativePoints, issuerBytes, 32) }

    /// The cost of comparing names and policies in a chain, leaf first: an upper bound for OpenSSL's work.
    static func comparisons(in chain: [CertificateCounts]) -> Int {
        sum(chain.indices.map { names(in: chain, below: $0) } + [policies(in: chain)])
    }

    /// Every name below an authority is compared with each of its subtrees.
    private static func names(in chain: [CertificateCounts], below index: Int) -> Int {
        let authority = chain[index]
        guard authority.subtreeBytes > 0 else { return 0 }
        return sum(
            chain[..<index].map { certificate in
                // OpenSSL also reads the leaf's names again for each authority with constraints.
                let bytes = product(authority.subtrees + 32, certificate.nameBytes)
                return sum([product(certificate.names, authority.subtreeBytes), bytes])
            })
    }

    /// OpenSSL keeps a tree of policies, which mappings multiply.
    private static func policies(in chain: [CertificateCounts]) -> Int {
        var costs = [Int]()
        var nodes = 1
        var mappings = 0
        for certificate in chain.reversed() {
            let (count, all) = (certificate.policies, certificate.policies + certificate.mappings)
            // The list is sorted again for each entry.
            costs.append(product(all, all))
            costs.append(product(count, nodes, 1 + mappings))
            let next = min(greatestTree, sum([mappings == 0 ? nodes : product(count, nodes), count]))
            if certificate.hasAnyPolicy { costs.append(product(nodes, mappings, next) / 4) }
            (nodes, mappings) = (next, certificate.mappings)
        }
        // Each takes about as long as eight bytes of a name.
        return product(sum(costs), 8)
    }

    /// The number of nodes that OpenSSL allows.
    private static let greatestTree = 1000

    private static func product(_ factors: Int...) -> Int {
        factors.reduce(1) { product, factor in
            let (next, isTooLarge) = product.multipliedReportingOverflow(by: factor)
            return isTooLarge ? .max : next
        }
    }

    private static func sum(_ terms: [Int]) -> Int {
        terms.reduce(0) { sum, term in
            let (next, isTooLarge) = sum.addingReportingOverflow(term)
            return isTooLarge ? .max : next
        }
    }
}
