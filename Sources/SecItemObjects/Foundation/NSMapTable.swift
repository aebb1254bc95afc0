// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A table that can hold its values weakly. It has the part of the class that keychain code needs; Foundation on Linux
/// lacks the class.
///
/// Keys are compared with `isEqual(_:)` if they are Foundation objects, and otherwise with `CFEqual`. As on Apple's
/// platforms, only one thread may use a table at a time.
open class NSMapTable<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
    private struct Key: Hashable {
        let object: KeyType

        static func == (left: Key, right: Key) -> Bool {
            if left.object === right.object { return true }
            guard let first = left.object as? NSObject else { return CFEqual(left.object, right.object) }
            return first.isEqual(right.object)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(CFHash(object))
        }
    }

    private struct Entry {
        weak var weakObject: ObjectType?
        let strongObject: ObjectType?

        var object: ObjectType? { weakObject ?? strongObject }
    }

    private var entries = [Key: Entry]()
    private let holdsObjects: Bool

    private init(holdsObjects: Bool) {
        self.holdsObjects = holdsObjects
    }

    /// Makes a table that retains its keys but not its values. An entry disappears when its value is released.
    public class func strongToWeakObjects() -> NSMapTable<KeyType, ObjectType> {
        NSMapTable<KeyType, ObjectType>(holdsObjects: false)
    }

    /// Makes a table that retains its keys and values.
    public class func strongToStrongObjects() -> NSMapTable<KeyType, ObjectType> {
        NSMapTable<KeyType, ObjectType>(holdsObjects: true)
    }

    /// The number of entries whose value still exists.
    open var count: Int {
        removeDeadEntries()
        return entries.count
    }

    /// Gives the value under a key, or `nil` if there is none or it was released.
    open func object(forKey aKey: KeyType?) -> ObjectType? {
        aKey.flatMap { entries[Key(object: $0)]?.object }
    }

    /// Stores a value under a key. Does nothing if either is nil.
    open func setObject(_ anObject: ObjectType?, forKey aKey: KeyType?) {
        guard let anObject, let aKey else { return }
        // Dead entries keep their keys alive. They are removed whenever an entry is added.
        removeDeadEntries()
        entries[Key(object: aKey)] = Entry(weakObject: anObject, strongObject: holdsObjects ? anObject : nil)
    }

    /// Removes the entry of a key, if there is one.
    open func removeObject(forKey aKey: KeyType?) {
        guard let aKey else { return }
        entries[Key(object: aKey)] = nil
    }

    /// Removes all entries.
    open func removeAllObjects() {
        entries.removeAll()
    }

    private func removeDeadEntries() {
        entries = entries.filter { $0.value.object != nil }
    }
}
