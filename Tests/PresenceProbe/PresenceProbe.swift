// SPDX-License-Identifier: Apache-2.0

// `stdout` is a variable of the C library's.
@preconcurrency import Foundation
import LocalAuthentication
import SecItemShim
import SecItemStore

#if Polkit || Desktop
    import SecItemSystemBus
#endif

/// A program that asks whether the owner is there: `PresenceProbe RULES TASK`. RULES is a folder with PAM's rules for a
/// terminal, or `-` for the machine's.
@main
enum PresenceProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(64) }
        // Each line is there when it is printed.
        setvbuf(stdout, nil, _IOLBF, 0)
        if arguments[1] != "-" { TerminalAuthenticator.rulesOfTests.withLock { $0 = arguments[1] } }
        let context = LAContext()
        switch arguments[2] {
        case "can": can(context)
        case "prove": await prove(context)
        case "prove-until-asked": await proveUntilAsked(context)
        case "prove-finger": await prove(context, .deviceOwnerAuthenticationWithBiometrics)
        case "prove-password": await prove(context, .devicePasscode)
        case "prove-both": await prove(context, [.biometryAny, .and, .devicePasscode])
        case "prove-blocked": proveWhileBlocked(context)
        case "prove-briefly": proveBriefly()
        case "fingers": tellFingers(context)
        case "lock": await waitForLock()
        case "add-item": addItem(context)
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
        case "prove-in-two-threads":
            async let one: Void = prove(LAContext(), reason: "to open one")
            async let two: Void = prove(LAContext(), reason: "to open two")
            _ = await (one, two)
        case "prove-beside-child":
            Thread.detachNewThread { Children.leaveOne() }
            await prove(context)
        case "proofs-in-child": ProofsInChild.run()
        case "prove-until-exit":
            Thread.detachNewThread {
                while Children.echoes { usleep(2_000) }
                exit(7)
            }
            await prove(context)
        case "prove-without-output":
            tcflow(STDIN_FILENO, TCOOFF)
            let answer = await failure(context)
            tcflow(STDIN_FILENO, TCOON)
            print("not proven: \(answer)")
        case "prove-in-blocks":
            var mode = termios()
            tcgetattr(STDIN_FILENO, &mode)
            withUnsafeMutableBytes(of: &mode.c_cc) { $0[Int(VMIN)] = 5 }
            mode.c_lflag &= ~tcflag_t(ICANON)
            tcsetattr(STDIN_FILENO, TCSANOW, &mode)
            await prove(context)
        default: exit(64)
        }
    }

    /// The code of the error if the context ends soon after it asks.
    private static func failure(_ context: LAContext) async -> Int {
        Thread.detachNewThread {
            sleep(1)
            context.invalidate()
        }
        do {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to open the note")
            return 0
        } catch {
            return (error as? LAError)?.errorCode ?? 0
        }
    }

    private static func can(_ context: LAContext) {
        for policy in [LAPolicy.deviceOwnerAuthentication, .deviceOwnerAuthenticationWithBiometrics] {
            var error: NSError?
            let can = context.canEvaluatePolicy(policy, error: &error)
            print("\(policy.rawValue): \(can ? "yes" : "no, \(error?.code ?? 0)")")
        }
    }

    private static func prove(
        _ context: LAContext, _ policy: LAPolicy = .deviceOwnerAuthentication,
        reason: String = "to open the \u{1b}[31mnote"
    ) async {
        do {
            try await context.evaluatePolicy(policy, localizedReason: reason)
            print("proven")
        } catch {
            print("not proven: \((error as? LAError)?.errorCode ?? 0)")
        }
    }

    private static func prove(_ context: LAContext, _ conditions: SecAccessControlCreateFlags) async {
        guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, conditions, nil) else {
            return print("no access control")
        }
        do {
            try await context.evaluateAccessControl(control, operation: .useItem, localizedReason: "to open the note")
            print("proven")
        } catch {
            print("not proven: \((error as? LAError)?.errorCode ?? 0)")
        }
    }

    /// The main thread waits, as that of a program does which needs the answer to go on.
    private static func proveWhileBlocked(_ context: LAContext) {
        let isAnswered = DispatchSemaphore(value: 0)
        context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to open the note") { isProven, error in
            print(isProven ? "proven" : "not proven: \((error as? LAError)?.errorCode ?? 0)")
            isAnswered.signal()
        }
        isAnswered.wait()
    }

    /// Ends the context when somebody was asked, as the file tells that `PRESENCE_LOG` names.
    private static func proveUntilAsked(_ context: LAContext) async {
        let log = ProcessInfo.processInfo.environment["PRESENCE_LOG"] ?? ""
        async let answer: Void = prove(context)
        while (try? String(contentsOfFile: log, encoding: .utf8))?.contains("asked") != true { usleep(20_000) }
        context.invalidate()
        await answer
    }

    /// Adds an item with a password of its own to the store that the environment names, and reads it: with the context that was
    /// asked, and without one.
    private static func addItem(_ context: LAContext) {
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .applicationPassword, nil)
        var item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "note", kSecUseOperationPrompt: "the note",
            kSecUseAuthenticationContext: context,
        ]
        let new: [CFString: Any] = [kSecValueData: Data("note".utf8), kSecAttrAccessControl: control as Any]
        print("added: \(SecItemAdd(item.merging(new) { $1 } as CFDictionary, nil))")
        item[kSecReturnData] = true
        print("read: \(SecItemCopyMatching(item as CFDictionary, nil))")
        item[kSecUseAuthenticationContext] = nil
        print("read again: \(SecItemCopyMatching(item as CFDictionary, nil))")
    }

    /// With little patience.
    private static func proveBriefly() {
        #if Polkit || Desktop
            do throws(PresenceFailure) {
                try PolkitAuthenticator(patience: 5).authenticate(PresenceRequest(.password, reason: "to test"))
                print("proven")
            } catch {
                print("not proven: \(error)")
            }
        #endif
    }

    private static func tellFingers(_ context: LAContext) {
        let before = context.evaluatedPolicyDomainState
        var error: NSError?
        let can = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
        let state = context.domainState
        print("can: \(can ? "yes" : "no, \(error?.code ?? 0)"), type: \(context.biometryType.rawValue)")
        print("hash: \(state.stateHash.map { "\($0.base64EncodedString())" } ?? "none")")
        print("kept: \(before == nil && context.evaluatedPolicyDomainState == (can ? state.stateHash : nil))")
    }

    /// Unlocks a store in the folder that `SECITEM_DIRECTORY` names, has it locked with the session, and waits for that.
    private static func waitForLock() async {
        LinuxKeychain.use(.embedded(passphrase: .closure { Data("correct horse".utf8) }))
        let item = [kSecClass: kSecClassGenericPassword, kSecValueData: Data("note".utf8)] as [CFString: Any]
        print("watched before: \(LinuxKeychain.locksWithSession), stored: \(SecItemAdd(item as CFDictionary, nil))")
        LinuxKeychain.locksWithSession = true
        print(
            "watched: \(LinuxKeychain.locksWithSession), locked: \((try? LinuxKeychain.isLocked).map(String.init) ?? "?")"
        )
        guard LinuxKeychain.locksWithSession else { return }
        while (try? LinuxKeychain.isLocked) == false { try? await Task.sleep(for: .milliseconds(20)) }
        print("locked")
        LinuxKeychain.locksWithSession = false
        print("watched after: \(LinuxKeychain.locksWithSession)")
    }
}
