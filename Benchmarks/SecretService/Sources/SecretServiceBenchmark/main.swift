// Times the keychain calls on the Secret Service. `run` beside the package starts a service, fills it with this program,
// and times a C program that uses libsecret as documented on the same items.
//
//   SecretServiceBenchmark fill COUNT | measure | one

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

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "fill":
    for number in 0..<(Int(arguments.last ?? "") ?? 0) { add("\(number)") }
case "one":
    lookUp("5")
case "measure":
    var result: CFTypeRef?
    let all: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecMatchLimit: kSecMatchLimitAll,
    ]
    check(SecItemCopyMatching(all.merging([kSecReturnAttributes: true]) { $1 } as CFDictionary, &result), "count")
    let count = (result as? NSArray)?.count ?? 0
    // The count has made every item known; what a program that knows none pays is told apart, in a new one.
    time("lookup", rounds: 200) { lookUp("\($0 % count)") }
    time("lookup-repeated", rounds: 200) { _ in lookUp("5") }
    time("match-all-secrets", rounds: 5) { _ in matchAll(attributes: false, expecting: count) }
    time("match-all-attributes-secrets", rounds: 5) { _ in matchAll(attributes: true, expecting: count) }
    time("add", rounds: 20) { add("new \($0)") }
    for number in 0..<20 { delete("new \(number)") }
case "measure-unknown":
    time("lookup-unknown-item", rounds: 10) { lookUp("\($0)") }
case "measure-all-unknown":
    let count = Int(arguments.last ?? "") ?? 0
    time("match-all-attributes-secrets-unknown", rounds: 1) { _ in matchAll(attributes: true, expecting: count) }
default:
    print("fill COUNT | measure | measure-unknown | measure-all-unknown COUNT | one")
}
