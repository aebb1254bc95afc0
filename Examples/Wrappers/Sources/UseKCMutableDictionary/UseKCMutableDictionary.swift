// SPDX-License-Identifier: Apache-2.0

import Foundation
import KCMutableDictionary

/// Counts its runs in a dictionary that the keychain stores.
@main struct UseKCMutableDictionary {
    static func main() {
        let settings = KCMutableDictionary.dictionary(withName: "settings")
        let runs = settings["runs"] as? Int ?? 0
        settings["runs"] = runs + 1
        settings.addEntries(from: ["token": "correct horse", "servers": ["a.example.com"]])
        if let error = settings.lastError {
            print("not stored: \(error)")
            exit(1)
        }
        print("run \(runs + 1), \(settings)")
        for (key, _) in settings.sorted(by: { "\($0.key)" < "\($1.key)" }) { print("has: \(key)") }

        settings.forget()
        print("after forget(): \(settings.count) in memory")
        let again = KCMutableDictionary.dictionary(withName: "settings")
        print("asked for again: \(again.count), token \(again["token"] ?? "none")")

        again["token"] = NSSet(object: "not a property list")
        print("refused: \(again.lastError?.code.name ?? "nothing"), token \(again["token"] ?? "none")")
    }
}
