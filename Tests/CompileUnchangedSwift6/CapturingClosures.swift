// SPDX-License-Identifier: Apache-2.0

// Classes from before Swift's concurrency: closures capture `self` and the caller's closure, which are not `Sendable`.
//
// The compiler warns about that in Swift 6, on Apple's platforms too. `Scripts/test` allows warnings in this file, which
// it names.

import LocalAuthentication
import Security

private final class AppLock {
    private(set) var isLocked = true
    private(set) var message = ""
    private let context = LAContext()

    func unlock(_ done: @escaping () -> Void) {
        context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock") { [weak self] success, error in
            guard let self = self else { return }
            self.isLocked = !success
            self.message = error?.localizedDescription ?? ""
            done()
        }
    }

    func unlock(_ control: SecAccessControl, _ done: @escaping (Bool) -> Void) {
        context.evaluateAccessControl(control, operation: .useItem, localizedReason: "Unlock") { success, _ in
            self.isLocked = !success
            done(success)
        }
    }

    func grant(_ right: LARight, _ done: @escaping (Error?) -> Void) {
        right.authorize(localizedReason: "Unlock") { error in
            self.isLocked = error != nil
            done(error)
        }
    }
}

@Sendable func checkCapturingClosures() async throws {
    guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil) else {
        throw NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
    }
    let answers = await withCheckedContinuation { (continuation: CheckedContinuation<[Bool], Never>) in
        DispatchQueue.global().async {
            let lock = AppLock()
            let isAnswered = DispatchSemaphore(value: 0)
            lock.unlock { isAnswered.signal() }
            isAnswered.wait()
            lock.unlock(control) { _ in isAnswered.signal() }
            isAnswered.wait()
            lock.grant(LARight()) { _ in isAnswered.signal() }
            isAnswered.wait()
            continuation.resume(returning: [lock.isLocked, !lock.message.isEmpty])
        }
    }
    try expectEqual(answers, [true, true])
}
