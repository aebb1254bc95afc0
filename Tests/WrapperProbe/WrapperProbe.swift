// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import SecItemConformance
import Security

/// The second process of the wrappers' tests. It exits with 0 if everything succeeds.
///
///     WrapperProbe fxkeychain|lockbox|dictionary|objects <tag> <rounds>
///
/// writes many times through one wrapper, in the store that the environment names.
///
///     WrapperProbe random-objects <seed> <rounds>
///     WrapperProbe random-bytes <seed> <rounds> [<folder of bytes to begin with>]
///     WrapperProbe circles|foundation <seed> <rounds>
///
/// use, in memory, values that must not end the process: random values, random bytes, collections that contain
/// themselves, and Foundation's own functions with a dictionary in the keychain.
///
///     WrapperProbe question <seed> <rounds> <folder>
///
/// uses a dictionary in the closure that gives the passphrase of its store.
@main struct WrapperProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard (4...5).contains(arguments.count), let rounds = Int(arguments[3]) else { exit(64) }
        if let writer = Writer(rawValue: arguments[1]) {
            for round in 0..<rounds where !writer.write(arguments[2], round) { exit(1) }
            return
        }
        guard let seed = UInt64(arguments[2]) else { exit(64) }
        LinuxKeychain.applicationIdentifier = "com.example.wrapper-probe"
        LinuxKeychain.use(.inMemory)
        var generator = SeededGenerator(seed: seed)
        switch arguments[1] {
        case "random-objects": try RandomObjects.check(rounds, &generator)
        case "random-bytes":
            let fixtures = arguments.count == 5 ? try RandomBytes.fixtures(in: arguments[4]) : []
            try RandomBytes.check(rounds, fixtures, &generator)
        case "circles": try Circles.check()
        case "foundation": try FoundationReaders.check(rounds)
        case "question": try Questions.askFromWithin(folder: arguments[4])
        default: exit(64)
        }
    }
}

enum Writer: String {
    case fxkeychain
    case lockbox
    case dictionary
    case objects

    /// Writes one value, and returns whether this succeeded.
    func write(_ tag: String, _ round: Int) -> Bool {
        switch self {
        case .fxkeychain:
            let keychain = FXKeychain(service: "com.example.processes", accessGroup: nil)
            return keychain.setObject("\(tag) \(round)", forKey: "shared")
        case .lockbox:
            return Lockbox(keyPrefix: "com.example.processes")
                .archiveObject(NSString(string: "\(tag) \(round)"), forKey: "shared")
        case .dictionary:
            let dictionary = KCMutableDictionary.dictionary(withName: "processes")
            dictionary[tag] = round
            return dictionary.lastError == nil
        case .objects:
            let store = KeychainObjectStore<String>(service: "com.example.processes")
            return (try? store.add("\(tag) \(round)")) != nil
        }
    }
}

/// A broken promise. The text names the promise and the round.
struct Broken: Error, CustomStringConvertible {
    let description: String
}
