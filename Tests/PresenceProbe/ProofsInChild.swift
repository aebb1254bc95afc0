// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

/// What a child has of a context to which the user of its parent has proven something.
enum ProofsInChild {
    private static let typed = Secret(Data("typed".utf8)), other = Secret(Data("other".utf8))

    /// Prints the answer to each question: of the parent, and of a child of its own, which has been asked nothing before.
    static func run() {
        let context = LAContext()
        let isKept =
            context.noteProof(of: .password) && context.keep(passphrase: typed)
            && context.keep(applicationPassword: typed)
        print("kept: \(isKept)")
        for (name, answer) in questions(context) {
            print("\(name): \(answer() ? "yes" : "no"), in a child \(answerOfChild(answer))")
        }
        for (name, answer) in questionsOfChildren(context) { print("\(name): in a child \(answerOfChild(answer))") }
    }

    private static func answerOfChild(_ answer: () -> Bool) -> String {
        let child = Children.start()
        if child == 0 {
            alarm(60)
            _exit(answer() ? 1 : 2)
        }
        var status: Int32 = 0
        guard child > 0, waitpid(child, &status, 0) == child else { return "not asked" }
        return status == 1 << 8 ? "yes" : status == 2 << 8 ? "no" : "status \(status)"
    }

    /// Whether a process has what was proven or typed in the parent.
    private static func questions(_ context: LAContext) -> [(name: String, answer: () -> Bool)] {
        [
            ("proof", { context.hasProven(.password) }),
            ("passphrase", { context.passphrase != nil }),
            ("password", { context.applicationPassword != nil }),
            ("password for new items", { context.newApplicationPassword != nil }),
            ("password that was right", { !context.takeBack(applicationPassword: typed) }),
        ]
    }

    /// Whether a child has what it gets itself, and nothing else.
    private static func questionsOfChildren(_ context: LAContext) -> [(name: String, answer: () -> Bool)] {
        [
            (
                "own proof",
                { context.noteProof(of: .biometry) && context.hasProven(.biometry) && !context.hasProven(.password) }
            ),
            (
                "own passphrase",
                {
                    context.keep(passphrase: other) && context.passphrase?.hasSameBytes(as: other) == true
                        && context.applicationPassword == nil
                }
            ),
            (
                "own password",
                {
                    context.keep(applicationPassword: other)
                        && context.applicationPassword?.hasSameBytes(as: other) == true && context.passphrase == nil
                }
            ),
        ]
    }
}
