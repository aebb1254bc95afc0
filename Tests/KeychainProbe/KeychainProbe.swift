// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import SecItemStore
import Security

// A program that uses the keychain as an application does. Tests start it in a separate environment, read its output
// line by line, and kill it.

/// Prints a line in one write, so that it is complete if the process dies afterwards.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

@main
enum KeychainProbe {
    static func main() {
        // Swift reads the arguments from `/proc`, which a test may have left out.
        let others = getenv("PROBE_ARGUMENTS").map { String(cString: $0).split(separator: " ").map(String.init) } ?? []
        let arguments = CommandLine.arguments.isEmpty ? others[...] : CommandLine.arguments.dropFirst()
        guard let name = arguments.first, let command = commands[name] else {
            say("KeychainProbe \(commands.keys.sorted())")
            exit(2)
        }
        command(Array(arguments.dropFirst()))
    }

    private static let commands: [String: @Sendable ([String]) -> Void] = [
        "trust": { _ in
            say("secure \(SecureExecution.isActive)")
            say("variables \(SecureExecution.environment.count)")
        },
        "identity": { _ in
            say("ready")
            _ = readLine()
            say(LinuxKeychain.applicationIdentifier)
        },
        "entitlements": { arguments in
            if let group = arguments.first { LinuxKeychain.accessGroups = [group] }
            let task = SecTaskCreateFromSelf(nil)
            for name in ["application-identifier", "com.apple.application-identifier", "keychain-access-groups", "x"] {
                let value = task.flatMap { SecTaskCopyValueForEntitlement($0, name as CFString, nil) }
                say("\(name): \(value as? [String] ?? [value as? String ?? "none"])")
            }
        },
        "summary": { _ in
            do { say(try LinuxKeychain.storeSummary) } catch { say("\(error)") }
        },
        "add": { say("\(add($0[0]))") },
        "find": { say("\(find($0[0]))") },
        "first-find": { arguments in
            say("begin")
            say("\(find(arguments[0]))")
        },
        "find-and-add-later": { arguments in
            say("\(find(arguments[0]))")
            _ = readLine()
            say("\(add(arguments[0]))")
        },
        "loaded": { arguments in
            say("\(find(arguments[0]))")
            for name in arguments.dropFirst() where dlopen(name, RTLD_LAZY | RTLD_NOLOAD) != nil { say(name) }
        },
        "delete": { say("\(SecItemDelete(password($0[0])))") },
        "find-thrice": { arguments in
            for _ in 0..<3 { say("\(find(arguments[0]))") }
        },
        "adopt": { arguments in
            do { say("\(try LinuxKeychain.adopt(itemsOf: arguments[0]))") } catch { say("\(error)") }
        },
        "reenter": { OpeningProbe.reenter($0[0]) },
        "slow-person": { OpeningProbe.waitForSlowPerson($0[0]) },
        "steps": { StepsProbe.run($0) },
        "make-keys": { KeyProbe.make($0[0], $0[1]) },
        "sign": { KeyProbe.sign($0[0], $0[1]) },
        "verify": { KeyProbe.verify($0[0], $0[1], $0[2]) },
        "child-of-quiet": { _ in ForkProbe.quiet() },
        "daemon": { _ in ForkProbe.daemon() },
        "programs": { ForkProbe.programs(Int($0[0]) ?? 0, folder: $0[1]) },
        "children-amid": { ForkProbe.amid(Int($0[0]) ?? 0) },
        "replace": { _ in ReplacingProbe.talk() },
    ]
}

func password(_ account: String, _ more: [CFString: Any] = [:]) -> CFDictionary {
    let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "probe", kSecAttrAccount: account,
    ]
    return item.merging(more) { $1 } as CFDictionary
}

func add(_ account: String) -> OSStatus {
    SecItemAdd(password(account, [kSecValueData: Data("secret".utf8)]), nil)
}

func find(_ account: String, _ more: [CFString: Any] = [:]) -> OSStatus {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(password(account, more.merging([kSecReturnData: true]) { $1 }), &result)
    if status == errSecSuccess && result as? Data != Data("secret".utf8) { return errSecInternalComponent }
    return status
}
