// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One that asks for something else to be written in its place, and counts how often it was asked.
package class MaskedBadge: Badge {
    package let mask: Any?
    package private(set) var questions = 0

    package init(_ mask: Any?) {
        self.mask = mask
        super.init(number: -1)
    }

    package required init?(coder: NSCoder) {
        mask = nil
        super.init(coder: coder)
    }

    package override func replacementObject(for coder: NSCoder) -> Any? {
        questions += 1
        return mask
    }
}

/// One that asks keyed archives alone for it.
package final class KeyedMaskedBadge: Badge {
    package override func replacementObject(for archiver: NSKeyedArchiver) -> Any? { Badge(number: number + 1) }
}

/// One that asks for another of its kind each time.
package final class EndlessBadge: Badge {
    package override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(EndlessBadge(number: number + 1), forKey: "next")
    }

    package override func replacementObject(for coder: NSCoder) -> Any? { EndlessBadge(number: number + 1) }
}

/// One that is written as an object of another class.
package final class DisguisedBadge: Badge {
    private let disguise: AnyClass?

    package init(_ number: Int, as disguise: AnyClass?) {
        self.disguise = disguise
        super.init(number: number)
    }

    package required init?(coder: NSCoder) {
        disguise = nil
        super.init(coder: coder)
    }

    package override var classForKeyedArchiver: AnyClass? { disguise }
}

/// One that comes to life as an object of another class.
package final class RebornBadge: Badge {
    package override class func classForKeyedUnarchiver() -> AnyClass { GoldenBadge.self }
}

/// A list of the application's own.
package class BadgeList: NSArray {
    package override var count: Int { 2 }
    package override func object(at index: Int) -> Any { NSNumber(value: index) }
}

/// A list that is written as a class that it chooses, or as another object.
package final class DisguisedList: BadgeList {
    package var disguise: AnyClass = NSArray.self
    package var mask: NSObject?

    package override var classForCoder: AnyClass { disguise }
    package override func replacementObject(for coder: NSCoder) -> Any? { mask ?? self }
}

/// One that knows what holds it.
package final class ChildBadge: Badge {
    package weak var parent: ParentBadge?

    package override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeConditionalObject(parent, forKey: "parent")
    }

    package required init?(coder: NSCoder) {
        super.init(coder: coder)
        parent = coder.decodeObject(of: ParentBadge.self, forKey: "parent")
    }

    package override init(number: Int) { super.init(number: number) }
}

/// One that holds another.
package final class ParentBadge: Badge {
    package let child: ChildBadge?

    package init(_ child: ChildBadge) {
        self.child = child
        super.init(number: 1)
        child.parent = self
    }

    package required init?(coder: NSCoder) {
        child = coder.decodeObject(of: ChildBadge.self, forKey: "child")
        super.init(coder: coder)
    }

    package override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(child, forKey: "child")
    }
}

/// One with two fields that may lead to one object.
package final class PairBadge: Badge {
    package let first: Badge?
    package let second: Badge?

    package init(_ first: Badge, _ second: Badge) {
        (self.first, self.second) = (first, second)
        super.init(number: 0)
    }

    package required init?(coder: NSCoder) {
        first = coder.decodeObject(of: Badge.self, forKey: "first")
        second = coder.decodeObject(of: Badge.self, forKey: "second")
        super.init(coder: coder)
    }

    package override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeConditionalObject(first, forKey: "first")
        coder.encode(second, forKey: "second")
    }
}
