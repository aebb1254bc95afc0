// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs `body` so that a write beyond the process's limit for file sizes (`RLIMIT_FSIZE`), if it has one, fails with
/// `EFBIG`.
///
/// The kernel also sends SIGXFSZ, which ends a process that does not expect it. It comes to the writing thread itself, so
/// that thread can hold it back and take it away.
func withFileSizeLimitAsError<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    var limit = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
    if isKnown && limit.rlim_cur == .max { return try body() }
    var signal = sigset_t(), old = sigset_t(), pending = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, SIGXFSZ)
    // One that waits already is somebody else's.
    guard sigpending(&pending) == 0, sigismember(&pending, SIGXFSZ) == 0,
        pthread_sigmask(SIG_BLOCK, &signal, &old) == 0
    else { return try body() }
    defer {
        if sigpending(&pending) == 0, sigismember(&pending, SIGXFSZ) == 1 {
            var noTime = timespec()
            sigtimedwait(&signal, nil, &noTime)
        }
        pthread_sigmask(SIG_SETMASK, &old, nil)
    }
    return try body()
}
