// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

/// A program on a terminal that asks whether the owner is there: `PresenceProbe RULES TASK`. RULES is a
/// folder with PAM's rules.
@main
enum PresenceProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(64) }
        TerminalAuthenticator.rulesOfTests.withLock { $0 = arguments[1] }
        let context = LAContext()
        switch arguments[2] {
        case "can": can(context)
        case "prove": await prove(context)
        case "prove-twice":
            await prove(context)
            await prove(context)
        case "prove-until-told":
            // A test says when, by a signal.
            signal(SIGUSR1, SIG_IGN)
            let told = DispatchSource.makeSignalSource(signal: SIGUSR1)
            told.setEventHandler { context.invalidate() }
            told.resume()
            await prove(context)
            told.cancel()
        case "prove-eight-times":
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { await prove(LAContext()) } }
            }
        default: exit(64)
        }
    }

    private static func can(_ context: LAContext) {
        for policy in [LAPolicy.deviceOwnerAuthentication, .deviceOwnerAuthenticationWithBiometrics] {
            var error: NSError?
            let can = context.canEvaluatePolicy(policy, error: &error)
            print("\(policy.rawValue): \(can ? "yes" : "no, \(error?.code ?? 0)")")
        }
    }

    private static func prove(_ context: LAContext) async {
        do {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to open the \u{1b}[31mnote")
            print("proven")
        } catch {
            print("not proven: \((error as? LAError)?.errorCode ?? 0)")
        }
    }
}
