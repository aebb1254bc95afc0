// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// What there is one of in a process, made before anything else, and not while the process forks.
///
/// Swift makes a `static let` when it is first used, and lets other threads wait for that. A child that is forked in this
/// moment waits for ever: the thread that was making it is not in the child. So the first use of a keychain has everything
/// made at once, and a fork waits until that is done.
///
/// What only some programs need, such as OpenSSL, is made by itself, in the same way.
package enum FirstUse {
    /// What is made at once.
    package enum Part: UInt64 {
        /// What the four calls use.
        case calls = 1
        case libcrypto = 2
        case certificates = 4
        case systemAnchors = 8
        case encryptedFiles = 16
        case encryptedTexts = 32
        case oldCiphers = 64
        case keyAlgorithms = 128
    }

    /// Held while things are made, and by a fork from before to after.
    private static let lock = ForkableLock()
    /// The parts that are there.
    private static let made = Atomic<UInt64>(0)

    /// Runs `make`, if nobody has yet, or waits for who does.
    ///
    /// - Parameter make: Calls nobody of the application's but its log handler. If it comes by here itself, it goes on with
    ///   what is made so far.
    package static func prepare(_ part: Part = .calls, _ make: () -> Void) {
        // First of all, so that a fork comes by here from now on.
        ForkHandlers.install()
        if isMade(part) { return }
        lock.withLockUnlessOwn {
            if isMade(part) { return }
            make()
            made.bitwiseOr(part.rawValue, ordering: .acquiringAndReleasing)
        }
    }

    /// Runs `make`, as ``prepare(_:_:)`` does, unless the process has this thread alone and none of the application's code
    /// runs before it has others.
    ///
    /// A process without other threads has nobody who could fork while this thread makes something. A program that looks one
    /// item up and ends never needs what it would have prepared. As soon as there are other threads, or have been many calls,
    /// the next one has all of it made.
    package static func prepareIfShared(_ part: Part = .calls, _ make: () -> Void) {
        ForkHandlers.install()
        if isMade(part) { return }
        // The logger is not asked for while another thread may fork: Swift makes what it needs when that is first used. Asked
        // for, the application's log handler may start threads.
        if isAlone, Logger.goesToStandardError, isAlone, unpreparedCallCount < mostUnpreparedCalls {
            unpreparedCallCount += 1
            return
        }
        prepare(part, make)
    }

    /// From then on it is cheaper to have everything made than to ask each time.
    private static var mostUnpreparedCalls: Int { 16 }
    /// Written while there is one thread. A constant at first: nothing makes it when it is used.
    private nonisolated(unsafe) static var unpreparedCallCount = 0

    /// Whether the C library knows that the process has never had another thread, or that they are all gone.
    private static var isAlone: Bool {
        // In glibc since 2.32. Elsewhere, and where it is not known, the process counts as one with threads.
        guard let variable = dlsym(nil, "__libc_single_threaded") else { return false }
        return variable.load(as: UInt8.self) != 0
    }

    /// Gives a part that Swift makes when it is first used. All who use it ask for it here.
    package static func value<Value>(_ part: Part, _ value: @autoclosure () -> Value) -> Value {
        prepare(part) { _ = value() }
        return value()
    }

    // MARK: Operations

    /// The kinds of operations that were performed.
    private static let performed = ForkableState<Set<Int>>([])

    /// Performs an operation. Until one of the kind has succeeded, no fork comes in the middle of it, and one such operation
    /// waits for another: Swift and the libraries below make what it needs when it is performed for the first time.
    ///
    /// - Parameters:
    ///   - kind: What tells operations apart that run different code.
    ///   - operation: Calls nobody of the application's but its log handler, and asks no person.
    ///   - rehearse: Uses the first result as others will be used, so that this is made too.
    package static func performing<Result, Failure: Error>(
        _ kind: some Hashable, _ operation: () throws(Failure) -> Result, rehearse: (Result) -> Void = { _ in }
    ) throws(Failure) -> Result {
        ForkHandlers.install()
        let kind = kind.hashValue
        if performed.withLock({ $0.contains(kind) }) { return try operation() }
        // This very thread may be making something, or forking, already.
        let wasTaken = lock.lockUnlessOwn()
        defer { if wasTaken { lock.unlock() } }
        let result = try operation()
        rehearse(result)
        performed.withLock { _ = $0.insert(kind) }
        return result
    }

    private static func isMade(_ part: Part) -> Bool { made.load(ordering: .acquiring) & part.rawValue != 0 }

    // MARK: Forks

    /// - Returns: Whether the lock was taken; the thread that forks may have it.
    static func stop() -> Bool {
        // Made here, if it is not yet: this thread waits for who makes it, and it is done before the fork.
        _ = made.load(ordering: .relaxed)
        _ = performed
        return lock.lockUnlessOwn()
    }

    static func goOnInParent(_ wasTaken: Bool) {
        if wasTaken { lock.unlock() }
    }

    static func goOnInChild(_ wasTaken: Bool) {
        lock.reset()
        if !wasTaken { lock.lock() }
    }
}
