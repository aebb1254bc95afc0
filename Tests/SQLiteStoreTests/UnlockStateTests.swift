// SPDX-License-Identifier: Apache-2.0

import SecItemConformance
import SecItemSealing
import SecItemStore
import Testing

struct UnlockStateTests {
    /// What a store does to the state.
    private enum Step: CaseIterable {
        case lock, beginOwn, beginByCaller, end, fail, forget
    }

    /// An attempt, and what has happened since it began.
    private struct Known {
        let attempt: UnlockState.Attempt
        var wasLockedSince = false
    }

    private static let wrong = StoreError(.authenticationFailed, "wrong")

    /// In every history of locks and attempts: an attempt opens the store exactly if nobody has locked it since the attempt
    /// began, and if the caller, who alone may unlock what was locked, has begun it or did not lock at all.
    @Test(arguments: 0..<200) func attempt_opensNothingThatWasLockedMeanwhile(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var state = UnlockState()
        var isLocked = false, hasFailed = false
        var running: [Known] = []
        for _ in 0..<40 {
            switch Step.allCases.randomElement(using: &random)! {
            case .lock:
                state.lock()
                isLocked = true
                for index in running.indices { running[index].wasLockedSince = true }
            case .beginOwn: running.append(Known(attempt: state.attempt(isByCaller: false)))
            case .beginByCaller: running.append(Known(attempt: state.attempt(isByCaller: true)))
            case .end:
                guard let index = running.indices.randomElement(using: &random) else { continue }
                let known = running.remove(at: index)
                let isByCaller = known.attempt.isByCaller
                let opens = !known.wasLockedSince && (isByCaller || !isLocked)
                #expect(state.isWanted(known.attempt) == opens)
                do throws(StoreError) {
                    let hasOpened = try state.succeed(known.attempt)
                    #expect(hasOpened == opens)
                    // Only a caller who has locked meanwhile hears that nothing was opened.
                    #expect(opens || isByCaller)
                } catch {
                    #expect(error.code == .locked && !opens && !isByCaller)
                }
                if opens { (isLocked, hasFailed) = (false, false) }
            case .fail:
                state.fail(Self.wrong, file: [1])
                hasFailed = true
            case .forget:
                state.forgetFailure()
                hasFailed = false
            }
            #expect(state.isLockedByCaller == isLocked)
            #expect((state.automaticFailure != nil) == hasFailed && (state.failedFile != nil) == hasFailed)
            #expect(state.mayUnlockItself == (!isLocked && !hasFailed))
        }
    }

    @Test func missingPassphrase_isReportedOnce() {
        var state = UnlockState()
        let reports = (state.reportsMissing(), state.reportsMissing())
        #expect(reports.0 && !reports.1)
    }
}
