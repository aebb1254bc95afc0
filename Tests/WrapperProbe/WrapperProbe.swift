import FXKeychain
import Foundation
import KCMutableDictionary
import KeychainObjects
import Lockbox
import Security

/// The second process of the wrappers' tests: writes many times through one of them, in the store that the environment
/// names, and ends with 0 when every write succeeded.
///
///     WrapperProbe fxkeychain|lockbox|dictionary|objects <tag> <rounds>
@main struct WrapperProbe {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let rounds = Int(arguments[3]), let writer = Writer(rawValue: arguments[1]) else {
            exit(64)
        }
        for round in 0..<rounds where !writer.write(arguments[2], round) {
            exit(1)
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
            return (try? keychain.setObject("\(tag) \(round)", forKey: "shared")) == true
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
