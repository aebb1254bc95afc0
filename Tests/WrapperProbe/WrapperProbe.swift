// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import SecItemConformance
import Security

/// The second process of the wrappers' tests. It ends with 0 when all went well.
///
///     WrapperProbe fxkeychain|lockbox|dictionary|objects <tag> <rounds>
///
/// writes many times through one of them, in the store that the environment names.
///
///     WrapperProbe random-objects <seed> <rounds>
///     WrapperProbe random-bytes <seed> <rounds> [<folder of bytes to begin with>]
///     WrapperProbe circles|foundation <seed> <rounds>
///
///     WrapperProbe bombs <seed> <rounds>
///     WrapperProbe question|fork <seed> <rounds> <folder>
///
/// read small items that say that they are large; use a dictionary from within the closure that gives its store's
/// passphrase, and in a child that was forked meanwhile.
///
/// try in memory what must not end the process: values of all kinds, bytes of all kinds, collections that hold themselves,
/// and Foundation's own code with a dictionary of the keychain.
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
        case "bombs": try Bombs.check()
        case "question": try Questions.askFromWithin(folder: arguments[4])
        case "fork": try Questions.forkWhileAsked(folder: arguments[4])
        default: exit(64)
        }
    }
}

enum Writer: String {
    case fxkeychain
    case lockbox
    case dictionary
    case objects

    /// Writes one value, and says whether it went well.
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

/// A promise that was not kept. The text says which, and in which round.
struct Broken: Error, CustomStringConvertible {
    let description: String
}
