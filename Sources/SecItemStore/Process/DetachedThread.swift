// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A thread of the library's own that nobody waits for. It ends with its work or with the process, and no child inherits it.
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread, on which no signal handler of the application runs.
    ///
    /// - Returns: False if the system has no thread to give. Then `body` does not run.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var all = sigset_t(), old = sigset_t()
        sigfillset(&all)
        guard pthread_sigmask(SIG_SETMASK, &all, &old) == 0 else { return false }
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
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
