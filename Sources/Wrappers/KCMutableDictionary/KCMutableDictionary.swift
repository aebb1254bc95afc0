// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import Security

/// A mutable dictionary in the keychain: a port of KCMutableDictionary 1.2 with the same names and the same storage
/// format.
///
/// ```swift
/// import KCMutableDictionary
///
/// let settings = KCMutableDictionary.dictionary(withName: "settings")
/// settings["token"] = "correct horse"
/// ```
///
/// A change is in the keychain before the call returns, and may wait for a person to unlock it. Reading is from memory.
/// Any thread may call any method. Do not iterate over the dictionary while another thread removes keys; iterate over a
/// `copy()`.
///
/// Two processes that use the same dictionary each have a copy in memory. ``forget()`` drops that copy, so that a new
/// object shows the changes of the other process. A change also reads them, and keeps them.
///
/// Values are those of a property list: text, data, dates, numbers, and arrays and dictionaries of these. Keys are
/// text. Values that you read are immutable copies.
///
/// A subclass can have any number of objects. All of them show the entries of the one item.
open class KCMutableDictionary: NSMutableDictionary {
    private let contents: PersistentContents

    init(contents: PersistentContents) {
        self.contents = contents
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    /// Makes an object of a subclass, with the entries of the application's own dictionary.
    ///
    /// `KCMutableDictionary()` is a different initialiser: it gives the one object of this class.
    @_disfavoredOverload
    public required init() {
        contents = DictionaryRegistry.contents(of: DictionaryItem(name: nil))
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    /// Makes an object of a subclass, with the entries of the dictionary of a name.
    @_disfavoredOverload
    public init!(name: String!) {
        contents = DictionaryRegistry.contents(of: DictionaryItem(name: name))
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    /// Makes an object of a subclass, with the entries of the application's own dictionary.
    @_disfavoredOverload
    public init(capacity numItems: Int) {
        contents = DictionaryRegistry.contents(of: DictionaryItem(name: nil))
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    // MARK: Which dictionary

    /// Gives the application's own dictionary, filled from the keychain.
    open class func dictionary() -> KCMutableDictionary {
        named(nil)
    }

    /// Gives the dictionary of a name, filled from the keychain.
    ///
    /// - Parameter name: The name; nil for the application's own dictionary.
    /// - Returns: The one object that this process has for the name. If the keychain cannot be read, it is empty and
    ///   has a ``lastError``; the next call of any method tries again.
    open class func dictionary(withName name: String?) -> KCMutableDictionary {
        named(name)
    }

    private static func named(_ name: String?) -> KCMutableDictionary {
        let dictionary = DictionaryRegistry.dictionary(of: DictionaryItem(name: name))
        _ = dictionary.contents.snapshot
        return dictionary
    }

    /// Drops the dictionary from memory, but leaves it in the keychain.
    ///
    /// Afterwards, this object is empty and cannot be changed. Ask for a new one by name.
    open func forget() {
        DictionaryRegistry.remove(contents)
        contents.forget()
    }

    /// The reason why the last call failed; nil if it succeeded.
    ///
    /// If several threads use the object, it is the error of the call that finished last.
    public var lastError: KCMutableDictionaryError? { contents.lastError }

    // MARK: Changing

    /// Stores a value under a key, or throws the reason why it cannot.
    ///
    /// - Parameters:
    ///   - object: A value that a property list can hold.
    ///   - key: The key.
    /// - Throws: ``KCMutableDictionaryError`` for any other value, while the keychain is locked, and after
    ///   ``forget()``. Then nothing has changed, neither here nor in the keychain.
    public func store(_ object: Any, forKey key: String) throws(KCMutableDictionaryError) {
        try change { () throws(KCMutableDictionaryError) in
            [ExactText(key): try Self.value(object)]
        } with: {
            $0.merge($1) { _, new in new }
        }
    }

    /// Stores a value under a key. If it fails, nothing changes and ``lastError`` gives the reason.
    ///
    /// - Parameters:
    ///   - anObject: A value that a property list can hold.
    ///   - aKey: The key: text.
    open override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
        attempt { () throws(KCMutableDictionaryError) in
            [try Self.key(aKey.base): try Self.value(anObject)]
        } with: {
            $0.merge($1) { _, new in new }
        }
    }

    /// Removes a key. If it fails, nothing changes and ``lastError`` gives the reason.
    open override func removeObject(forKey aKey: Any) {
        removeObjects(forKeys: [aKey])
    }

    /// Removes several keys in one step. If it fails, nothing changes and ``lastError`` gives the reason.
    open override func removeObjects(forKeys keyArray: [Any]) {
        let keys = keyArray.compactMap { $0 as? String }
        attempt {
            [:]
        } with: { entries, _ in
            keys.forEach { entries[ExactText($0)] = nil }
        }
    }

    /// Removes all keys in one step. If it fails, nothing changes and ``lastError`` gives the reason.
    open override func removeAllObjects() {
        attempt {
            [:]
        } with: { entries, _ in
            entries = [:]
        }
    }

    /// Stores all entries of another dictionary in one step. If it fails, nothing changes and ``lastError`` gives the
    /// reason.
    open override func addEntries(from otherDictionary: [AnyHashable: Any]) {
        attempt { () throws(KCMutableDictionaryError) in
            try Self.entries(otherDictionary)
        } with: {
            $0.merge($1) { _, new in new }
        }
    }

    /// Replaces all entries with those of another dictionary in one step. If it fails, nothing changes and
    /// ``lastError`` gives the reason.
    open override func setDictionary(_ otherDictionary: [AnyHashable: Any]) {
        attempt { () throws(KCMutableDictionaryError) in
            try Self.entries(otherDictionary)
        } with: {
            $0 = $1
        }
    }

    private static func entries(_ dictionary: [AnyHashable: Any]) throws(KCMutableDictionaryError) -> [ExactText:
        PropertyList]
    {
        var entries: [ExactText: PropertyList] = [:]
        for (key, value) in dictionary {
            entries[try Self.key(key.base)] = try Self.value(value)
        }
        return entries
    }

    private static func key(_ key: Any) throws(KCMutableDictionaryError) -> ExactText {
        guard let text = key as? String else { throw .notPropertyList }
        return ExactText(text)
    }

    /// The value to store. It is made before anything is locked, because the object may be a dictionary with a lock.
    private static func value(_ object: Any) throws(KCMutableDictionaryError) -> PropertyList {
        do throws(CodingFailure) {
            return try PropertyList(object, nulls: .refused)
        } catch {
            throw .notPropertyList
        }
    }

    private func attempt(
        _ values: () throws(KCMutableDictionaryError) -> [ExactText: PropertyList],
        with body: (inout [ExactText: PropertyList], [ExactText: PropertyList]) -> Void
    ) {
        // The error stays in `lastError`: the methods of the superclass cannot throw.
        try? change(values, with: body)
    }

    private func change(
        _ values: () throws(KCMutableDictionaryError) -> [ExactText: PropertyList],
        with body: (inout [ExactText: PropertyList], [ExactText: PropertyList]) -> Void
    ) throws(KCMutableDictionaryError) {
        let new: [ExactText: PropertyList]
        do throws(KCMutableDictionaryError) {
            new = try values()
        } catch {
            contents.refuse(error)
            throw error
        }
        try contents.change { body(&$0, new) }
    }

    // MARK: Reading

    /// The current entries. None if they cannot be read; ``lastError`` gives the reason.
    var entries: NSDictionary { contents.snapshot.dictionary }

    /// The number of entries. It is 0 if they cannot be read; ``lastError`` gives the reason.
    open override var count: Int { contents.snapshot.keys.count }

    /// Gives the value of a key.
    ///
    /// - Returns: The value. Nil if there is none, or if the entries cannot be read; ``lastError`` tells these apart.
    open override func object(forKey aKey: Any) -> Any? {
        (aKey as? String).flatMap { contents.snapshot[$0] }
    }

    /// The current keys.
    open override func keyEnumerator() -> NSEnumerator { entries.keyEnumerator() }

    /// The current values.
    open override func objectEnumerator() -> NSEnumerator { entries.objectEnumerator() }

    /// Gives the value of a key. A key that begins with `@` asks for a property of the collection: `@count`, `@allKeys`
    /// or `@allValues`. Other keys that begin with `@` give nil.
    open override func value(forKey key: String) -> Any? {
        switch key {
        case "@count": count
        case "@allKeys": allKeys
        case "@allValues": allValues
        case _ where key.hasPrefix("@"): nil
        default: object(forKey: key)
        }
    }

    /// The keys.
    open override var allKeys: [Any] { contents.snapshot.keys.map { $0 as String } }

    /// The values.
    open override var allValues: [Any] { contents.snapshot.objects }

    /// Fills two arrays with the keys and values of one moment.
    open override func getObjects(_ objects: inout [Any], andKeys keys: inout [Any], count: Int) {
        let entries = contents.snapshot
        keys.append(contentsOf: entries.keys)
        objects.append(contentsOf: entries.objects)
    }

    /// Calls a closure with each entry of one moment.
    open override func enumerateKeysAndObjects(
        options opts: NSEnumerationOptions = [], using block: (Any, Any, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        let entries = contents.snapshot
        var stop = ObjCBool(false)
        for (key, object) in zip(entries.keys, entries.objects) {
            block(key, object, &stop)
            if stop.boolValue { return }
        }
    }

    /// Whether another dictionary has equal entries.
    ///
    /// Call this method on the keychain's dictionary. A plain dictionary would compare itself with an empty one,
    /// because Foundation on Linux bridges only its own classes.
    open override func isEqual(_ value: Any?) -> Bool {
        switch value {
        case let other as KCMutableDictionary: other === self || entries.isEqual(other.entries)
        case let other as NSDictionary: entries.isEqual(other)
        default: false
        }
    }

    /// Whether another dictionary has equal entries.
    open override func isEqual(to otherDictionary: [AnyHashable: Any]) -> Bool {
        entries.isEqual(to: otherDictionary)
    }

    /// Gives an immutable dictionary of the entries, which is not in the keychain.
    open override func copy(with zone: NSZone? = nil) -> Any { entries }

    /// Gives a mutable dictionary of the entries, which is not in the keychain.
    open override func mutableCopy(with zone: NSZone? = nil) -> Any {
        let entries = contents.snapshot
        return NSMutableDictionary(objects: entries.objects, forKeys: entries.keys)
    }

    // MARK: Nothing leaves by accident

    /// A description with the number of entries, and never their values.
    open override var description: String { "<KCMutableDictionary: \(count) entries>" }

    /// As ``description``.
    open override var debugDescription: String { description }

    /// As ``description``.
    open override var descriptionInStringsFileFormat: String { description }

    /// As ``description``.
    open override func description(withLocale locale: Locale?) -> String { description }

    /// As ``description``.
    open override func description(withLocale locale: Locale?, indent level: Int) -> String { description }

    /// The class itself, so that an archive never contains the dictionary as a plain one.
    open override var classForCoder: AnyClass { KCMutableDictionary.self }

    /// Always fails: the archiver gets an error, and the archive contains no entry.
    open override func encode(with aCoder: NSCoder) {
        (aCoder as? NSKeyedArchiver)?.error = KCMutableDictionaryError.notArchivable
    }

    // MARK: Not with data

    /// Not available: a dictionary of the keychain is never made from data.
    ///
    /// If the superclass calls it, it gives a dictionary that is empty and cannot be changed.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count cnt: Int) {
        contents = PersistentContents(item: nil)
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public required init(dictionaryLiteral elements: (Any, Any)...) {
        contents = PersistentContents(item: nil)
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    /// Not available: a dictionary of the keychain is never archived.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be unarchived")
    public required init?(coder aDecoder: NSCoder) { nil }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public convenience init(dictionary otherDictionary: [AnyHashable: Any]) {
        self.init(contents: PersistentContents(item: nil))
    }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public convenience init(dictionary otherDictionary: [AnyHashable: Any], copyItems flag: Bool) {
        self.init(contents: PersistentContents(item: nil))
    }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public convenience init(object: Any, forKey key: any NSCopying) {
        self.init(contents: PersistentContents(item: nil))
    }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public convenience init(objects: [Any], forKeys keys: [NSObject]) {
        self.init(contents: PersistentContents(item: nil))
    }
}
