// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

/// What a forked child has of a context to which the user of its parent has proven something.
enum ProofsInChild {
    // Swift does not allow calling `fork` by its name.
    private static let forkProcess = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)

    /// Prints the answer to each question. Each is the first one of a child of its own.
    static func run() {
        let context = LAContext(), typed = Secret(Data("typed".utf8)), other = Secret(Data("other".utf8))
        let isThere = {
            context.hasProven(.password) && context.passphrase != nil && context.applicationPassword != nil
        }
        let isKept =
            context.noteProof(of: .password) && context.keep(passphrase: typed)
            && context.keep(applicationPassword: typed)
        print("kept: \(isKept && isThere())")
        let questions: [(name: String, answer: () -> Bool)] = [
            ("proof", { context.hasProven(.password) }),
            ("passphrase", { context.passphrase != nil }),
            ("password", { context.applicationPassword != nil }),
            ("password for new items", { context.newApplicationPassword != nil }),
            ("password that was right", { !context.takeBack(applicationPassword: typed) }),
            ("own proof", { context.noteProof(of: .biometry) && context.hasProven(.biometry) }),
            (
                "own passphrase",
                { context.keep(passphrase: other) && context.passphrase?.hasSameBytes(as: other) == true }
            ),
            (
                "own password",
                {
                    context.keep(applicationPassword: other)
                        && context.applicationPassword?.hasSameBytes(as: other) == true
                }
            ),
        ]
        for question in questions {
            let child = forkProcess()
            if child == 0 {
                alarm(60)
                _exit(question.answer() ? 1 : 0)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            print("\(question.name): \(status == 0 ? "no" : status == 1 << 8 ? "yes" : "status \(status)")")
        }
        print("still kept: \(isThere())")
    }
}
