// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A class of an application's own that can be archived. It counts how often an object is decoded.
package class Badge: NSObject, NSSecureCoding {
    package static let births = Mutex(0)

    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    package required init?(coder: NSCoder) {
        Self.births.withLock { $0 += 1 }
        number = coder.decodeInteger(forKey: "number")
    }

    package static var supportsSecureCoding: Bool { true }

    package func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
    }
}

package final class GoldenBadge: Badge {}

/// A class that no other file can name.
private final class HiddenBadge: Badge {}

extension Badge {
    package static func hidden(number: Int) -> Badge { HiddenBadge(number: number) }
}

/// A class inside another type.
package enum Outer {
    package final class InnerBadge: Badge {}
}

/// A class with one object in two fields, which names the expected classes of the second field.
package final class Cupboard: NSObject, NSSecureCoding {
    private let object: Any?
    private let isReadBefore: Bool
    private let namesContents: Bool

    package init(_ object: NSObject & NSSecureCoding, isReadBefore: Bool, namesContents: Bool = false) {
        self.object = object
        self.isReadBefore = isReadBefore
        self.namesContents = namesContents
    }

    package required init?(coder: NSCoder) {
        isReadBefore = coder.decodeBool(forKey: "isReadBefore")
        namesContents = coder.decodeBool(forKey: "namesContents")
        if isReadBefore { _ = coder.decodeObject(forKey: "first") }
        let plain: [AnyClass] = [NSArray.self, NSDictionary.self, NSSet.self, NSString.self]
        object = coder.decodeObject(of: plain + (namesContents ? [Badge.self, NSURL.self] : []), forKey: "second")
    }

    package var isComplete: Bool { object != nil }

    package static var supportsSecureCoding: Bool { true }

    package func encode(with coder: NSCoder) {
        coder.encode(isReadBefore, forKey: "isReadBefore")
        coder.encode(namesContents, forKey: "namesContents")
        coder.encode(object, forKey: "first")
        coder.encode(object, forKey: "second")
    }
}

/// A class that does not support secure coding.
package final class CarelessBadge: NSObject, NSSecureCoding {
    package override init() {}
    package init?(coder: NSCoder) { nil }
    package static var supportsSecureCoding: Bool { false }
    package func encode(with coder: NSCoder) {}
}

/// A class that can be encoded but not decoded.
final class FailingBadge: NSObject, NSSecureCoding {
    override init() {}
    init?(coder: NSCoder) { nil }
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) { coder.encode("text", forKey: "text") }
}

/// A class for archives without keys. It calls every method of the coder.
final class UnkeyedBadge: NSObject, NSSecureCoding {
    override init() {}

    init?(coder: NSCoder) {
        super.init()
        _ = coder.decodeObject()
        _ = coder.decodeData()
        _ = coder.decodePropertyList()
        _ = coder.version(forClassName: "NSString")
    }

    static var supportsSecureCoding: Bool { true }

    func encode(with coder: NSCoder) {
        coder.encode("text")
        coder.encode(Data([1]))
        coder.encodeRootObject(self)
        coder.encodePropertyList(["a"])
        var number = 1
        coder.encodeValue(ofObjCType: "i", at: &number)
        coder.encodeConditionalObject(self)
        _ = coder.decodeObject(forKey: "a")
    }
}

/// A class with fields of all types, which it decodes in all ways.
final class BadgeOfBadges: NSObject, NSSecureCoding {
    private let bits: UInt64
    private let shared = Badge(number: 1)

    init(_ bits: UInt64) {
        self.bits = bits
    }

    init?(coder: NSCoder) {
        let keys = ["object", "list", "shared", "weak", "int", "double", "bytes", "$own", "none"]
        for key in keys {
            _ = coder.containsValue(forKey: key)
            if coder.decodeBool(forKey: "careful") { continue }
            _ = (coder.decodeObject(forKey: key), coder.decodeInt32(forKey: key), coder.decodeFloat(forKey: key))
            _ = coder.decodeObject(of: [NSArray.self, Badge.self], forKey: key)
            _ = coder.decodePropertyList(forKey: key)
            coder.withDecodedUnsafeBytes(forKey: key) { _ in }
        }
        guard coder.decodeObject(of: Badge.self, forKey: "object") != nil,
            let list = coder.decodeObject(of: [NSArray.self, Badge.self, NSString.self], forKey: "list") as? NSArray,
            list.count == 3, coder.decodeDouble(forKey: "double") == 1.5
        else { return nil }
        bits = UInt64(bitPattern: coder.decodeInt64(forKey: "int"))
    }

    static var supportsSecureCoding: Bool { true }

    func encode(with coder: NSCoder) {
        coder.encode(bits % 3 != 0, forKey: "careful")
        coder.encode(shared, forKey: "object")
        coder.encode([shared, Badge(number: 2), "$null"] as NSArray, forKey: "list")
        coder.encodeConditionalObject(shared, forKey: "shared")
        coder.encodeConditionalObject(Badge(number: 3), forKey: "weak")
        coder.encode(Int64(bitPattern: bits), forKey: "int")
        coder.encode(1.5, forKey: "double")
        coder.encodeBytes([1, 2, 3], length: 3, forKey: "bytes")
        coder.encode(Int32(1), forKey: "$own")
        if bits % 5 == 0 { coder.encode(self, forKey: "self") }
    }
}
