// SPDX-License-Identifier: Apache-2.0

// A statically linked Swift has no such module.
#if canImport(Testing)
    import Synchronization
    import Testing

    /// Lets one test at a time use the keychain of the process.
    ///
    /// `SecItemAdd`, `LinuxKeychain.use(_:)` and the like use a store and settings that belong to the process, and the test
    /// targets of a package run in one process. `.serialized` orders the tests of one suite alone. So all tests that call
    /// these functions have this trait, in whichever target they are. Programs that tests start need none.
    package struct ProcessKeychain: TestTrait, SuiteTrait, TestScoping {
        /// Whether it is this test's turn already.
        @TaskLocal private static var isMine = false

        /// The tests in a suite take turns one by one.
        package var isRecursive: Bool { true }

        package func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            // On a suite and on a test in it.
            if Self.isMine { return try await function() }
            await Queue.take()
            defer { Queue.pass() }
            try await Self.$isMine.withValue(true) { try await function() }
        }

        /// The tests that wait for their turn. A waiting test keeps no thread.
        private enum Queue {
            private struct State {
                var isTaken = false
                var waiting: [CheckedContinuation<Void, Never>] = []
            }

            private static let state = Mutex(State())

            static func take() async {
                await withCheckedContinuation { turn in
                    let isFree = state.withLock { state in
                        defer { state.isTaken = true }
                        if state.isTaken { state.waiting.append(turn) }
                        return !state.isTaken
                    }
                    if isFree { turn.resume() }
                }
            }

            /// Gives the turn to the test that has waited longest.
            static func pass() {
                let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    if state.waiting.isEmpty {
                        state.isTaken = false
                        return nil
                    }
                    return state.waiting.removeFirst()
                }
                next?.resume()
            }
        }
    }

    extension Trait where Self == ProcessKeychain {
        /// Nobody else uses the keychain of the process meanwhile.
        package static var processKeychain: Self { Self() }
    }
#endif
