import Foundation
import Security

/// A mutable dictionary that lives in the keychain: a port of KCMutableDictionary 1.2 with the same names and the same
/// stored form.
///
/// ```swift
/// let settings = KCMutableDictionary.dictionary(withName: "settings")
/// settings["token"] = "correct horse"
/// let token = settings["token"] as? String
/// ```
///
/// A change is in the keychain before the call returns, and may wait for a person to unlock it; reading is from memory.
/// Any thread may call any method. Do not iterate over the dictionary while another thread removes keys; iterate over a
/// `copy()`. Two processes with the same dictionary each have their own copy in memory: of two changes the last one
/// wins as a whole, and ``forget()`` is how to see the other's.
///
/// Values are what a property list holds: text, data, dates, numbers, and arrays and dictionaries of these; keys are
/// text. They are immutable copies of what was stored.
public final class KCMutableDictionary: NSMutableDictionary {
    private let contents: PersistentContents

    init(item: DictionaryItem?) {
        contents = PersistentContents(item: item)
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    // MARK: Which dictionary

    /// Gives the application's own dictionary, filled from the keychain.
    public static func dictionary() -> KCMutableDictionary {
        named(nil)
    }

    /// Gives the dictionary of a name, filled from the keychain.
    ///
    /// - Parameter name: The name; nil for the application's own dictionary.
    /// - Returns: The one object that this process has of it. It is empty, with a ``lastError``, when the keychain
    ///   cannot be read, and tries again at the next call of any method.
    public static func dictionary(withName name: String?) -> KCMutableDictionary {
        named(name)
    }

    private static func named(_ name: String?) -> KCMutableDictionary {
        let dictionary = DictionaryRegistry.shared.dictionary(of: DictionaryItem(name: name))
        _ = dictionary.contents.snapshot
        return dictionary
    }

    /// Drops the dictionary from memory and leaves it in the keychain.
    ///
    /// This object is empty from then on and cannot be changed; ask for a new one by name.
    public func forget() {
        DictionaryRegistry.shared.remove(self)
        contents.forget()
    }

    /// Why the last call found or changed nothing; nil after one that succeeded.
    ///
    /// With several threads it is that of whichever came last.
    public var lastError: KCMutableDictionaryError? { contents.lastError }

    // MARK: Changing

    /// Stores a value under a key, or says why not.
    ///
    /// - Parameters:
    ///   - object: A value that a property list can hold.
    ///   - key: The key.
    /// - Throws: ``KCMutableDictionaryError`` for any other value, while the keychain is locked, and after
    ///   ``forget()``; nothing has changed then, here or in the keychain.
    public func store(_ object: Any, forKey key: String) throws(KCMutableDictionaryError) {
        try change { () throws(KCMutableDictionaryError) in
            [key: try PropertyListValue.value(object)]
        } with: {
            $0.merge($1) { _, new in new }
        }
    }

    /// Stores a value under a key. Nothing changes when it fails, and ``lastError`` says why.
    ///
    /// - Parameters:
    ///   - anObject: A value that a property list can hold.
    ///   - aKey: The key: text.
    public override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
        attempt { () throws(KCMutableDictionaryError) in
            [try PropertyListValue.key(aKey.base): try PropertyListValue.value(anObject)]
        } with: {
            $0.merge($1) { _, new in new }
        }
    }

    /// Removes a key. Nothing changes when it fails, and ``lastError`` says why.
    public override func removeObject(forKey aKey: Any) {
        removeObjects(forKeys: [aKey])
    }

    /// Removes several keys in one step. Nothing changes when it fails, and ``lastError`` says why.
    public override func removeObjects(forKeys keyArray: [Any]) {
        let keys = keyArray.compactMap { $0 as? String }
        attempt {
            [:]
        } with: { entries, _ in
            keys.forEach { entries[$0] = nil }
        }
    }

    /// Removes all keys in one step. Nothing changes when it fails, and ``lastError`` says why.
    public override func removeAllObjects() {
        attempt {
            [:]
        } with: { entries, _ in
            entries = [:]
        }
    }

    /// Stores all entries of another dictionary in one step: all of them or, with a ``lastError``, none.
    public override func addEntries(from otherDictionary: [AnyHashable: Any]) {
        attempt { () throws(KCMutableDictionaryError) in
            try Self.entries(otherDictionary)
        } with: {
            $0.merge($1) { _, new in new }
        }
    }

    /// Replaces all entries by another dictionary's in one step: or, with a ``lastError``, none.
    public override func setDictionary(_ otherDictionary: [AnyHashable: Any]) {
        attempt { () throws(KCMutableDictionaryError) in
            try Self.entries(otherDictionary)
        } with: {
            $0 = $1
        }
    }

    private static func entries(_ dictionary: [AnyHashable: Any]) throws(KCMutableDictionaryError) -> [String: Any] {
        var entries: [String: Any] = [:]
        for (key, value) in dictionary {
            entries[try PropertyListValue.key(key.base)] = try PropertyListValue.value(value)
        }
        return entries
    }

    private func attempt(
        _ values: () throws(KCMutableDictionaryError) -> [String: Any],
        with body: (inout [String: Any], [String: Any]) -> Void
    ) {
        // The failure stays in `lastError`: the methods of the superclass cannot throw.
        try? change(values, with: body)
    }

    private func change(
        _ values: () throws(KCMutableDictionaryError) -> [String: Any],
        with body: (inout [String: Any], [String: Any]) -> Void
    ) throws(KCMutableDictionaryError) {
        let new: [String: Any]
        do throws(KCMutableDictionaryError) {
            new = try values()
        } catch {
            contents.refuse(error)
            throw error
        }
        try contents.change { body(&$0, new) }
    }

    // MARK: Reading

    /// The entries as they are now, none when they cannot be read: ``lastError`` says why.
    var entries: NSDictionary { NSDictionary(dictionary: contents.snapshot) }

    /// The number of entries: 0 when they cannot be read, and ``lastError`` says why.
    public override var count: Int { contents.snapshot.count }

    /// Gives the value of a key.
    ///
    /// - Returns: The value. Nil when there is none, and when the entries cannot be read: ``lastError`` tells.
    public override func object(forKey aKey: Any) -> Any? {
        (aKey as? String).flatMap { contents.snapshot[$0] }
    }

    /// The keys as they are now.
    public override func keyEnumerator() -> NSEnumerator { entries.keyEnumerator() }

    /// The values as they are now.
    public override func objectEnumerator() -> NSEnumerator { entries.objectEnumerator() }

    /// The keys.
    public override var allKeys: [Any] { Array(contents.snapshot.keys) }

    /// The values.
    public override var allValues: [Any] { Array(contents.snapshot.values) }

    /// Fills two arrays with the keys and values, as they are at one moment.
    public override func getObjects(_ objects: inout [Any], andKeys keys: inout [Any], count: Int) {
        for (key, value) in contents.snapshot {
            keys.append(key)
            objects.append(value)
        }
    }

    /// Calls a closure with each entry, as they are at one moment.
    public override func enumerateKeysAndObjects(
        options opts: NSEnumerationOptions = [], using block: (Any, Any, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        entries.enumerateKeysAndObjects(options: opts, using: block)
    }

    /// Whether another dictionary has equal entries.
    ///
    /// Ask the dictionary of the keychain: a plain one compares itself with an empty one, as Foundation on Linux reads
    /// only its own classes when it bridges.
    public override func isEqual(_ value: Any?) -> Bool {
        switch value {
        case let other as KCMutableDictionary: other === self || entries.isEqual(other.entries)
        case let other as NSDictionary: entries.isEqual(other)
        default: false
        }
    }

    /// Whether another dictionary has equal entries.
    public override func isEqual(to otherDictionary: [AnyHashable: Any]) -> Bool {
        entries.isEqual(to: otherDictionary)
    }

    /// Gives an immutable dictionary of the entries, which is not in the keychain.
    public override func copy(with zone: NSZone? = nil) -> Any { entries }

    /// Gives a mutable dictionary of the entries, which is not in the keychain.
    public override func mutableCopy(with zone: NSZone? = nil) -> Any {
        NSMutableDictionary(dictionary: contents.snapshot)
    }

    // MARK: Nothing leaves by accident

    /// How many entries there are. Their values never appear.
    public override var description: String { "<KCMutableDictionary: \(count) entries>" }

    /// As ``description``.
    public override var debugDescription: String { description }

    /// As ``description``.
    public override var descriptionInStringsFileFormat: String { description }

    /// As ``description``.
    public override func description(withLocale locale: Locale?) -> String { description }

    /// As ``description``.
    public override func description(withLocale locale: Locale?, indent level: Int) -> String { description }

    /// The class itself, so that an archive never holds the dictionary as a plain one.
    public override var classForCoder: AnyClass { KCMutableDictionary.self }

    /// Refuses: the archiver has an error from then on, and no entry is in the archive.
    public override func encode(with aCoder: NSCoder) {
        (aCoder as? NSKeyedArchiver)?.error = KCMutableDictionaryError.notArchivable
    }

    // MARK: Not with data

    /// Not available: a dictionary of the keychain is asked for by name.
    @available(*, unavailable, message: "use KCMutableDictionary.dictionary() or dictionary(withName:)")
    public required init() {
        contents = PersistentContents(item: nil)
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    /// Not available: a dictionary of the keychain is never made from data.
    ///
    /// Called through the superclass it gives a dictionary that is empty and forgotten.
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
        self.init(item: nil)
    }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public convenience init(dictionary otherDictionary: [AnyHashable: Any], copyItems flag: Bool) {
        self.init(item: nil)
    }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public convenience init(object: Any, forKey key: any NSCopying) {
        self.init(item: nil)
    }

    /// Not available: a dictionary of the keychain is never made from data.
    @available(*, unavailable, message: "a KCMutableDictionary cannot be initialised with data")
    public convenience init(objects: [Any], forKeys keys: [NSObject]) {
        self.init(item: nil)
    }

    /// Not available: a dictionary of the keychain is asked for by name.
    @available(*, unavailable, message: "use KCMutableDictionary.dictionary() or dictionary(withName:)")
    public convenience init(capacity numItems: Int) {
        self.init(item: nil)
    }
}
