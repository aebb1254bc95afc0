import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import Security

/// The second process of the wrappers' tests. It ends with 0 when all went well.
///
///     WrapperProbe fxkeychain|lockbox|dictionary|objects <tag> <rounds>
///
/// writes many times through one of them, in the store that the environment names.
///
///     WrapperProbe random-objects|random-bytes <seed> <rounds>
///     WrapperProbe circles|foundation <seed> <rounds>
///
/// try in memory what must not end the process: values of all kinds, bytes of all kinds, collections that hold themselves,
/// and Foundation's own code with a dictionary of the keychain.
@main struct WrapperProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let rounds = Int(arguments[3]) else { exit(64) }
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
        case "random-bytes": try RandomBytes.check(rounds, &generator)
        case "circles": try Circles.check()
        case "foundation": try FoundationReaders.check(rounds)
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

/// Random numbers that are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A promise that was not kept. The text says which, and in which round.
struct Broken: Error, CustomStringConvertible {
    let description: String
}
