// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// Creates the objects of which a process has one, before anything else and while no fork happens.
///
/// Swift creates a `static let` at its first use, and other threads wait for that. A child that is forked at this
/// moment waits for ever, because the thread that was creating the object does not exist in the child. So the first use
/// of a keychain creates everything at once, and a fork waits until that is done.
///
/// Objects that only some programs need, such as OpenSSL, are created separately in the same way.
package enum FirstUse {
    /// A part that is created at once.
    package enum Part: UInt64 {
        /// The objects that the four calls use.
        case calls = 1
        case libcrypto = 2
        case certificates = 4
        case systemAnchors = 8
        case encryptedFiles = 16
        case encryptedTexts = 32
        case oldCiphers = 64
        case keyAlgorithms = 128
        /// The objects that look-ups in the embedded store use.
        case rows = 256
    }

    /// Held while objects are created, and by a fork from before to after.
    private static let lock = ForkableLock()
    /// The parts that exist.
    private static let made = Atomic<UInt64>(0)

    /// Runs `make`, unless somebody already has. Waits if another thread is running it. Does nothing inside the operation
    /// of a store (``StoreOperation``), which creates what it needs at the first use.
    ///
    /// - Parameter make: Calls no code of the application except its log handler. If that code calls this method again,
    ///   it continues with the objects created so far.
    package static func prepare(_ part: Part = .calls, _ make: () -> Void) {
        // This comes first, so that from now on every fork waits here.
        ForkHandlers.install()
        // A fork waits for the operation of a store, and would be waited for here.
        if isMade(part) || StoreOperation.isUnderWay { return }
        lock.withLockUnlessOwn {
            if isMade(part) { return }
            make()
            made.bitwiseOr(part.rawValue, ordering: .acquiringAndReleasing)
        }
    }

    /// Runs `make`, as ``prepare(_:_:)`` does, unless this is the only thread of the process and none of the
    /// application's code runs before there are others.
    ///
    /// Without other threads, no fork can happen while this thread creates something. A program that looks up one item
    /// and ends never needs the prepared objects. After the process gets other threads, or after many calls, the next
    /// call creates everything.
    package static func prepareIfShared(_ part: Part = .calls, _ make: () -> Void) {
        ForkHandlers.install()
        if isMade(part) { return }
        // The logger is not created while another thread may fork, because Swift creates further objects at its first
        // use, and the application's log handler may start threads.
        if isAlone, Logger.goesToStandardError, isAlone, unpreparedCallCount < mostUnpreparedCalls {
            unpreparedCallCount += 1
            return
        }
        prepare(part, make)
    }

    /// From this count on, it is cheaper to create everything than to check each time.
    private static var mostUnpreparedCalls: Int { 16 }
    /// Written while there is one thread. It is initialised by a constant, so its first use creates nothing.
    private nonisolated(unsafe) static var unpreparedCallCount = 0

    /// Whether the C library knows that the process never had another thread, or that all others have ended.
    private static var isAlone: Bool {
        // Available in glibc since 2.32. Otherwise the process counts as one with several threads.
        guard let variable = dlsym(nil, "__libc_single_threaded") else { return false }
        return variable.load(as: UInt8.self) != 0
    }

    /// Gives a value that Swift creates at its first use. All users of the value call this.
    package static func value<Value>(_ part: Part, _ value: @autoclosure () -> Value) -> Value {
        prepare(part) { _ = value() }
        return value()
    }

    // MARK: Operations

    /// What an operation does. Operations of one kind run the same code.
    ///
    /// It consists of texts and numbers. For a type of one's own, Swift would create what describes it before the
    /// operation begins, and a fork would not wait for that.
    package struct Kind: ExpressibleByStringLiteral {
        fileprivate let number: Int

        /// - Parameters:
        ///   - name: The operation.
        ///   - first, second, third: Whatever selects other code for it, such as the size of a key.
        ///   - text: The same as a text.
        package init(_ name: String, _ first: Int = 0, _ second: Int = 0, _ third: Int = 0, text: String = "") {
            var hasher = Hasher()
            hasher.combine(name)
            hasher.combine(first)
            hasher.combine(second)
            hasher.combine(third)
            hasher.combine(text)
            number = hasher.finalize()
        }

        package init(stringLiteral name: String) {
            self.init(name)
        }
    }

    /// The kinds of operations that have been performed.
    private static let performed = ForkableState<Set<Int>>([])

    /// Performs an operation. Until one of its kind has succeeded, no fork happens during it, and other such operations
    /// wait. The reason is that Swift and the libraries create objects when an operation runs for the first time.
    ///
    /// - Parameters:
    ///   - kind: Identifies operations that run the same code.
    ///   - operation: Calls no code of the application except its log handler, and never prompts.
    ///   - rehearse: Uses the first result as later ones will be used, so that the objects for that are created too.
    package static func performing<Result>(
        _ kind: Kind, _ operation: () throws -> Result, rehearse: (Result) -> Void = { _ in }
    ) rethrows -> Result {
        let attempt = Attempt(kind)
        defer { attempt.end() }
        let result = try operation()
        attempt.succeed(with: result, rehearse)
        return result
    }

    /// An operation that may be the first of its kind.
    package struct Attempt {
        private let kind: Kind
        private let isFirst: Bool
        private let holdsLock: Bool

        /// Makes other first operations and forks wait, unless one of the kind has succeeded.
        package init(_ kind: Kind) {
            ForkHandlers.install()
            self.kind = kind
            // A fork waits for the operation of a store, and would be waited for here.
            isFirst = !StoreOperation.isUnderWay && !performed.withLock { $0.contains(kind.number) }
            // This thread may already be creating something, or forking.
            holdsLock = isFirst && lock.lockUnlessOwn()
        }

        /// Notes that the operation gave a result, after a rehearsal of its use.
        package func succeed<Result>(with result: Result, _ rehearse: (Result) -> Void) {
            guard isFirst else { return }
            rehearse(result)
            performed.withLock { _ = $0.insert(kind.number) }
        }

        package func end() {
            if holdsLock { lock.unlock() }
        }
    }

    private static func isMade(_ part: Part) -> Bool { made.load(ordering: .acquiring) & part.rawValue != 0 }

    // MARK: Forks

    /// - Returns: Whether the lock was taken. If not, the forking thread already holds it.
    static func stop() -> Bool {
        // Created here if necessary: this thread waits for the creating thread, so it is done before the fork.
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
