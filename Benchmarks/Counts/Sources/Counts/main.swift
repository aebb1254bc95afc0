// SPDX-License-Identifier: Apache-2.0

// Makes the calls of the benchmarks, on the embedded store in SECITEM_DIRECTORY, so that `run` beside the package can
// count their instructions. Keychain.swift is a link to that of StoreBenchmarks: this package is built with a toolset, and
// refers to no other.
//
//   Counts fill COUNT
//   Counts start | find | find-all | read-all | add | update | delete ROUNDS

import Foundation

struct WrongCount: Error {}

func check(_ count: Int, is expected: Int) throws { if count != expected { throw WrongCount() } }

let arguments = CommandLine.arguments
let rounds = Int(arguments.last ?? "") ?? 0
let keychain = Keychain(), secret = Data("secret".utf8)
switch arguments.dropFirst().first {
case "fill": for number in 0..<rounds { try keychain.add(number, secret) }
case "start": for number in 0..<rounds { try check(keychain.find(number % 10).count, is: secret.count) }
case "find":
    // As long as the store's folder has changed less than 3 s ago, each call looks at its files again.
    try check(keychain.find(0).count, is: secret.count)
    sleep(4)
    for number in 0..<rounds { try check(keychain.find(number % 10).count, is: secret.count) }
case "find-all": for _ in 0..<rounds { try check(keychain.findAll(), is: 10) }
case "read-all": for _ in 0..<rounds { try check(keychain.findAll(looking: true), is: 10) }
case "add": for number in 0..<rounds { try keychain.add(1_000 + number, secret) }
case "update": for number in 0..<rounds { try keychain.update(number % 10, Data("changed".utf8)) }
case "delete": for number in 0..<rounds { try keychain.delete(number) }
default: exit(64)
}
