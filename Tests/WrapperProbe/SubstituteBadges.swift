// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A class that asks for another object to be written in its place, and counts how often it was asked.
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

/// A class that asks for this only in keyed archives.
package final class KeyedMaskedBadge: Badge {
    package override func replacementObject(for archiver: NSKeyedArchiver) -> Any? { Badge(number: number + 1) }
}

/// A class that asks for another object of its own class each time.
package final class EndlessBadge: Badge {
    package override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(EndlessBadge(number: number + 1), forKey: "next")
    }

    package override func replacementObject(for coder: NSCoder) -> Any? { EndlessBadge(number: number + 1) }
}

/// A class that is written as another class.
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

/// A class that is decoded as an object of another class.
package final class RebornBadge: Badge {
    package override class func classForKeyedUnarchiver() -> AnyClass { GoldenBadge.self }
}

/// An application's own list class.
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

/// A class with a link to its parent.
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

/// A class that contains another object.
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

/// A class with two fields that may refer to the same object.
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
