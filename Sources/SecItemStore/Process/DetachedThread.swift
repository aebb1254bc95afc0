// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A thread of the library's own that nobody waits for. It ends with its work or with the process, and no child inherits it.
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread. Foundation's threads do not tell whether they start, so nobody would notice that what
    /// they should do is never done.
    ///
    /// - Parameters:
    ///   - blockingSignals: Whether the thread runs no signal handler of the application. A thread that waits for a person
    ///     at a terminal runs them, as the caller's does.
    ///   - body: What to run.
    /// - Returns: False if the system has no thread to give. Then `body` does not run.
    package static func start(blockingSignals: Bool = true, _ body: @escaping @Sendable () -> Void) -> Bool {
        guard blockingSignals else { return create(body) }
        var all = sigset_t(), old = sigset_t()
        sigfillset(&all)
        guard pthread_sigmask(SIG_SETMASK, &all, &old) == 0 else { return false }
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        return create(body)
    }

    private static func create(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
            if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
            return nil
        }
        let work = Unmanaged.passRetained(Work(body))
        let isStarted = pthread_create(&thread, &attributes, run, work.toOpaque()) == 0
        if !isStarted { work.release() }
        return isStarted
    }
}
