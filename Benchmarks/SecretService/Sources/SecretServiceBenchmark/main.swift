// SPDX-License-Identifier: Apache-2.0

// Measures the keychain calls with the Secret Service. The script `run` beside the package starts a service and fills
// it with this program. It also measures a C program that uses libsecret, as its manual shows, with the same items.
//
//   SecretServiceBenchmark fill COUNT | one | unknown COUNT | known COUNT | all COUNT | add COUNT | write ROUNDS

import Foundation
import Security

let service = "secitem-benchmark"

func item(_ account: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
}

func check(_ status: OSStatus, _ what: String) {
    if status == errSecSuccess { return }
    print("\(what): \(status)")
    exit(1)
}

func add(_ account: String) {
    check(SecItemAdd(item(account).merging([kSecValueData: Data("secret".utf8)]) { $1 } as CFDictionary, nil), "add")
}

func delete(_ account: String) {
    check(SecItemDelete(item(account) as CFDictionary), "delete")
}

func lookUp(_ account: String) {
    var result: CFTypeRef?
    let query = item(account).merging([kSecReturnData: true]) { $1 }
    check(SecItemCopyMatching(query as CFDictionary, &result), "look-up")
    if (result as? Data)?.count != 6 { check(errSecDecode, "look-up") }
}

func matchAll(attributes: Bool, expecting count: Int) {
    var result: CFTypeRef?
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecMatchLimit: kSecMatchLimitAll,
        kSecReturnData: true, kSecReturnAttributes: attributes,
    ]
    check(SecItemCopyMatching(query as CFDictionary, &result), "match all")
    if (result as? NSArray)?.count != count { check(errSecDecode, "match all") }
}

/// Prints the median time of `body` in microseconds.
func time(_ name: String, rounds: Int, _ body: (Int) -> Void) {
    var times: [Double] = []
    for round in 0..<rounds {
        let start = ContinuousClock.now
        body(round)
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        times.append(Double(seconds) * 1e6 + Double(attoseconds) / 1e12)
    }
    print(name, Int(times.sorted()[rounds / 2].rounded()))
}

/// Adds items in four threads. Prints how long each add took in microseconds, and the status of each failed add.
func write(rounds: Int) {
    let process = ProcessInfo.processInfo.processIdentifier
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for round in 0..<rounds {
            let new = item("\(process) \(thread) \(round)").merging([kSecValueData: Data("secret".utf8)]) { $1 }
            let start = ContinuousClock.now
            let status = SecItemAdd(new as CFDictionary, nil)
            let (seconds, attoseconds) = (ContinuousClock.now - start).components
            let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
            print(status == errSecSuccess ? "write \(microseconds)" : "failure \(microseconds) \(status)")
        }
    }
}

let arguments = CommandLine.arguments
let number = Int(arguments.last ?? "") ?? 0
switch arguments.dropFirst().first {
case "fill":
    for number in 0..<number { add("\(number)") }
case "one":
    lookUp("5")
case "unknown":
    lookUp("0")
    // Each look-up finds another item: an item that this process has found before would be faster.
    time("lookup-unknown", rounds: min(100, number - 1)) { lookUp("\($0 + 1)") }
case "known":
    // From here on, this process knows all items.
    matchAll(attributes: true, expecting: number)
    time("lookup", rounds: min(200, number)) { lookUp("\($0)") }
    time("lookup-repeated", rounds: 200) { _ in lookUp("5") }
case "all":
    time("all-attributes-unknown", rounds: 1) { _ in matchAll(attributes: true, expecting: number) }
    time("all-secrets", rounds: 3) { _ in matchAll(attributes: false, expecting: number) }
    time("all-attributes", rounds: 3) { _ in matchAll(attributes: true, expecting: number) }
case "add":
    time("add", rounds: 10) { add("new \($0)") }
    for number in 0..<10 { delete("new \(number)") }
case "write":
    write(rounds: number)
default:
    print("fill COUNT | one | unknown COUNT | known COUNT | all COUNT | add COUNT | write ROUNDS")
}
