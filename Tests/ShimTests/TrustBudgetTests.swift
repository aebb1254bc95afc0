// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import Security
import Testing

@testable import SecItemObjects

/// The work of an evaluation is bounded, whatever certificates a stranger sends.
@Suite(.enabled(if: LibcryptoX509.shared != nil, "OpenSSL 3 is not there"))
struct TrustBudgetTests {
    private func evaluation(
        _ chain: HostileChain, isAnchored: Bool = true
    ) throws -> (result: TrustEvaluation, budget: TrustBudget) {
        let (leaf, others, root) = try chain.certificates
        var request = TrustRequest(certificates: [leaf] + others, policies: [SecPolicyCreateBasicX509()])
        request.anchors = isAnchored ? [root] : []
        if !isAnchored { request.certificates.append(root) }
        request.usesSystemAnchors = false
        let budget = TrustBudget()
        let result = try request.evaluate(.shared, within: budget)
        return (result, budget)
    }

    /// Random chains end with a verdict within the budget. One that exceeds it is not trusted, and the error says so.
    @Test func anyChain_costsNoMoreThanTheBudget() throws {
        print("hostile chains: SECITEM_SEED=\(RandomSeed.ofThisRun)")
        for round in RandomRounds.usually(16) {
            let chain = HostileChain(seed: RandomSeed.ofThisRun &+ UInt64(round))
            let (result, budget) = try evaluation(chain, isAnchored: round % 4 != 3)
            for resource in TrustBudget.Resource.allCases {
                #expect(budget.spent[resource] ?? 0 <= resource.limit, "\(chain.description)")
            }
            if budget.exceeded.isEmpty {
                #expect(!result.isTooCostly, "\(chain.description)")
            } else if !result.isTrusted {
                #expect(result.isTooCostly && result.result == .fatalTrustFailure, "\(chain.description)")
                #expect(result.error?.code == Int(errSecDataTooLarge), "\(chain.description)")
            }
            if !chain.isSigned { #expect(!result.isTrusted, "\(chain.description)") }
            if chain.comparisons > TrustBudget.Resource.comparisons.limit {
                #expect(!result.isTrusted, "\(chain.description)")
            }
        }
    }

    /// Names are not compared with constraints, nor policies with each other, before the signatures are right.
    @Test func wrongSignature_endsAPath_beforeItsNamesAreCompared() throws {
        for shape in [HostileChain.Shape.constraints, .variants, .policies] {
            for kind in HostileChain.Kind.allCases {
                let chain = HostileChain(
                    shape, kind, isSigned: false, depth: 16, variants: shape == .variants ? 2 : 1, names: 100,
                    subtrees: 100)
                let (result, budget) = try evaluation(chain)
                #expect(!result.isTrusted)
                #expect(budget.spent[.comparisons] ?? 0 == 0, "\(chain.description)")
                #expect(result.failures.joined().contains(.certificateProcessing), "\(chain.description)")
            }
        }
    }

    /// The names of a chain with right signatures are compared with each constraint, up to the limit.
    @Test(arguments: HostileChain.Kind.allCases, [true, false])
    func names_areCompared_upToTheLimit(_ kind: HostileChain.Kind, excludes: Bool) throws {
        let usual = HostileChain(
            .constraints, kind, isSigned: true, excludes: excludes, depth: 2, names: 100, subtrees: 100)
        let (result, budget) = try evaluation(usual)
        #expect(result.isTrusted, "\(kind): \(result.failures)")
        #expect((budget.spent[.comparisons] ?? 0) >= usual.comparisons)
        let many = HostileChain(
            .constraints, kind, isSigned: true, excludes: excludes, depth: 2, names: 800, subtrees: 800)
        let refused = try evaluation(many)
        #expect(refused.result.error?.code == Int(errSecDataTooLarge))
        #expect(refused.result.result == .fatalTrustFailure)
        #expect((refused.budget.spent[.comparisons] ?? 0) == 0)
    }

    /// An exception does not accept a chain that nobody has verified.
    @Test func exceptions_doNotAcceptAChainThatCostsTooMuch() throws {
        let chain = HostileChain(.constraints, isSigned: true, depth: 2, names: 800, subtrees: 800)
        let (leaf, others, root) = try chain.certificates
        let judged = try Judgement([leaf] + others, anchors: [root])
        #expect(judged.status == errSecDataTooLarge)
        #expect(judged.result == .fatalTrustFailure)
        let exceptions = try #require(SecTrustCopyExceptions(judged.trust))
        let again = try Judgement([leaf] + others, anchors: [root]) { SecTrustSetExceptions($0, exceptions) }
        #expect(again.status == errSecDataTooLarge)
    }

    /// A few certificates of every authority make more paths than anybody can verify.
    @Test func paths_areVerified_upToTheLimits() throws {
        for (depth, variants) in [(4, 30), (16, 2), (30, 2)] {
            let wrong = try evaluation(.init(.variants, isSigned: false, depth: depth, variants: variants))
            #expect(wrong.result.error?.code == Int(errSecDataTooLarge))
            #expect((wrong.budget.spent[.paths] ?? 0) <= TrustBudget.Resource.paths.limit)
            let right = try evaluation(.init(.variants, isSigned: true, depth: depth, variants: variants))
            #expect(right.result.isTrusted)
            #expect(right.budget.spent[.signatures] == depth + 2)
        }
        let circle = try evaluation(.init(.circle, isSigned: true, depth: 30))
        #expect(circle.result.isTrusted)
    }

    /// Policies multiply through mappings, and are compared up to the limit.
    @Test func policies_areCompared_upToTheLimit() throws {
        let usual = try evaluation(.init(.policies, isSigned: true, depth: 3, names: 10, subtrees: 10))
        #expect(usual.result.isTrusted, "\(usual.result.failures)")
        let many = try evaluation(.init(.policies, isSigned: true, depth: 3, names: 4000, subtrees: 4000))
        #expect(many.result.error?.code == Int(errSecDataTooLarge))
    }

    @Test func places_relativeToALongName_areNotCopied() throws {
        let usual = try evaluation(.init(.points, isSigned: true, depth: 2, names: 3, subtrees: 3))
        #expect(usual.result.isTrusted, "\(usual.result.failures)")
        let many = try evaluation(.init(.points, isSigned: true, depth: 2, names: 1000, subtrees: 1000))
        #expect(many.result.error?.code == Int(errSecDataTooLarge))
    }

    /// A certificate that costs too much is left out, and does not affect a chain without it.
    @Test func chain_isTrusted_whateverElseIsSent() throws {
        let (leaf, others, root) = try HostileChain(.constraints, isSigned: true, depth: 2).certificates
        let strange = try HostileChain(.points, isSigned: true, depth: 3, names: 1000, subtrees: 1000).certificates
        var request = TrustRequest(
            certificates: [leaf] + strange.others + others, policies: [SecPolicyCreateBasicX509()])
        request.anchors = [root]
        request.usesSystemAnchors = false
        #expect(try request.evaluate(.shared).isTrusted)
    }

    /// Certificates above the limit of their size together are not read.
    @Test func certificates_areRead_upToTheLimit() throws {
        let chain = HostileChain(.constraints, isSigned: true, depth: 30, names: 4000)
        let (result, budget) = try evaluation(chain)
        #expect(result.error?.code == Int(errSecDataTooLarge))
        #expect(budget.exceeded == [.bytes])
        #expect(budget.spent.isEmpty)
    }

    @Test func budget_canBeShared() throws {
        let (leaf, others, root) = try HostileChain(.constraints, isSigned: true, depth: 2).certificates
        let budget = TrustBudget()
        var request = TrustRequest(certificates: [leaf] + others, policies: [SecPolicyCreateBasicX509()])
        request.anchors = [root]
        request.usesSystemAnchors = false
        let trusts = (0..<200).map { _ in SecTrust(request, library: .shared) }
        let results = try trusts.map { try $0.evaluation(within: budget).isTrusted }
        #expect(results.filter { $0 }.count == TrustBudget.Resource.signatures.limit / 4)
        // The shared budget does not decide later evaluations.
        let last = try #require(trusts.last)
        #expect(SecTrustEvaluateWithError(last, nil))
    }
}
