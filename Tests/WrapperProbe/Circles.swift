// SPDX-License-Identifier: Apache-2.0

import FXKeychain
import Foundation
import KCMutableDictionary
import Lockbox
import Security

/// Objects that contain themselves. None can be stored, and none ends the process.
enum Circles {
    static let all: [(name: String, make: @Sendable () -> NSObject)] = [
        ("array", { closed { $0 } }),
        ("array in an array", { closed { NSArray(object: $0) } }),
        ("array in a dictionary", { closed { NSDictionary(object: $0, forKey: "key" as NSString) } }),
        ("array in a set", { closed { NSSet(object: $0) } }),
        ("array in an ordered set", { closed { NSOrderedSet(object: $0) } }),
        (
            "array in a mutable ordered set",
            {
                closed {
                    let set = NSMutableOrderedSet(object: "a")
                    set.add($0)
                    return set
                }
            }
        ),
        ("array in an attribute", { closed { NSAttributedString(string: "text", attributes: [key: $0]) } }),
        (
            "array in an attribute of a part",
            {
                closed {
                    let text = NSMutableAttributedString(string: "a longer text")
                    text.addAttribute(key, value: $0, range: NSRange(location: 2, length: 6))
                    return text
                }
            }
        ),
        ("array in an error", { closed { NSError(domain: "d", code: 1, userInfo: ["key": $0]) } }),
        (
            "dictionary",
            {
                let dictionary = NSMutableDictionary()
                dictionary["key"] = dictionary
                return dictionary
            }
        ),
    ]

    private static let key = NSAttributedString.Key(rawValue: "key")

    /// An object that contains an array, which contains the object and itself. For most classes, Foundation cannot make
    /// the object from an array that already contains itself.
    private static func closed(_ holder: (NSMutableArray) -> NSObject) -> NSObject {
        let array = NSMutableArray(object: "a")
        let object = holder(array)
        array.add(object)
        array.add(array)
        return object
    }

    /// Passes each object to each wrapper, alone and inside other objects.
    static func check() throws {
        let keychain = FXKeychain(service: "com.example.circles", accessGroup: nil)
        let box: Lockbox = Lockbox(keyPrefix: "com.example.circles")
        for (name, make) in all {
            // Foundation never releases them.
            let circle = make()
            for object in [circle, NSArray(object: circle), NSDictionary(object: circle, forKey: "key" as NSString)] {
                for usesNSCoding in [false, true] {
                    FXKeychain.usesNSCoding = usesNSCoding
                    guard !keychain.setObject(object, forKey: "key"), keychain.lastStatus == errSecParam else {
                        throw Broken(description: "FXKeychain took a circle: \(name)")
                    }
                }
                guard let coding = object as? any NSSecureCoding, !box.archiveObject(coding, forKey: "key"),
                    box.lastStatus == errSecParam
                else { throw Broken(description: "Lockbox took a circle: \(name)") }
                let dictionary = KCMutableDictionary.dictionary(withName: "circles")
                dictionary["key"] = object
                guard dictionary.lastError?.code == .notPropertyList else {
                    throw Broken(description: "KCMutableDictionary took a circle: \(name)")
                }
            }
        }
    }
}
