// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore
import Security
internal import WrapperItems

/// Secrets in the keychain under a prefix: a port of Lockbox 3.0.7 with the same names and the same stored form.
///
/// ```swift
/// import Lockbox
///
/// Lockbox.archiveObject(["anna", "secret"] as NSArray, forKey: "login")
/// let login = Lockbox.unarchiveObject(forKey: "login") as? [String]
/// ```
///
/// The class methods use the application's name as prefix; an object of one's own takes any other. Every method reads
/// or writes the keychain before it returns, and may wait for a person to unlock it. Any thread may call any method; of
/// two writes under one key, the later one stays.
///
/// The original's header does not say what may be nil, so results and parameters are implicitly unwrapped, as Swift
/// imports them: `lockbox.unarchiveObject(forKey:)` can be used with `if let` and without.
open class Lockbox: NSObject, @unchecked Sendable {
    /// What the class methods use.
    static let shared = Lockbox()

    /// What is put before every key: the service of an item is `keyPrefix.key`.
    public let keyPrefix: String

    private let currentStatus = ForkableState(errSecSuccess)

    /// Makes a lockbox.
    ///
    /// - Parameter keyPrefix: What to put before every key; nil for the bundle identifier, or for a program without a
    ///   bundle `LinuxKeychain.applicationIdentifier`.
    /// - Returns: A lockbox, never nil.
    public init!(keyPrefix: String!) {
        self.keyPrefix = keyPrefix ?? applicationName()
    }

    /// Makes a lockbox with the application's name as prefix.
    public override init() {
        keyPrefix = applicationName()
    }

    /// The status of this object's last call: why a method gave `false` or `nil`.
    ///
    /// `errSecSuccess` or `errSecItemNotFound` after an ordinary call; `errSecInteractionNotAllowed` while the keychain
    /// is locked; `errSecParam` for an object that cannot be archived, or a key that is nil; `errSecDecode` for an item
    /// that holds something else than what it was read as; otherwise what the keychain answered. With several threads it
    /// is that of whichever came last.
    public var lastStatus: OSStatus {
        currentStatus.withLock { $0 }
    }

    // MARK: Objects

    /// Archives an object under a key, readable while the keychain is unlocked, in place of what was there.
    ///
    /// - Parameters:
    ///   - object: What to archive, or nil to remove the key.
    ///   - key: The key, without the prefix.
    /// - Returns: As `archiveObject(_:forKey:accessibility:)`.
    @discardableResult
    open func archiveObject(_ object: (any NSSecureCoding)!, forKey key: String!) -> Bool {
        archiveObject(object, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Archives an object under a key, in place of what was there.
    ///
    /// - Parameters:
    ///   - object: What to archive: an object of Foundation's, or of a class of one's own that conforms to
    ///     `NSSecureCoding`; collections hold nothing else. Nil removes the key. A Swift value is written with a cast,
    ///     such as `"text" as NSString`.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when the object can be read.
    /// - Returns: Whether the keychain has it, and `unarchiveObject(forKey:)` gives it back; that there was nothing to
    ///   remove is no failure. If not, nothing has changed and `lastStatus` says why: `errSecInteractionNotAllowed` while
    ///   the keychain is locked, `errSecParam` for an object that cannot be archived.
    @discardableResult
    open func archiveObject(_ object: (any NSSecureCoding)!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        guard let key, let accessibility else { return record(errSecParam) == errSecSuccess }
        guard let object else { return removeArchive(forKey: key) }
        guard let archive = try? KeyedArchive.data(of: object, key: key, classes: Self.ownClasses) else {
            return record(errSecParam) == errSecSuccess
        }
        return record(item(key).store(archive, accessibility)) == errSecSuccess
    }

    /// Gives the object that was archived under a key.
    ///
    /// - Parameter key: The key, without the prefix.
    /// - Returns: The object. Nil when there is none, when the keychain is locked, when the item holds no archive, and
    ///   when anything in the archive is of a class that may not come to life; `lastStatus` tells these apart.
    ///
    /// Foundation's values and collections come to life, and objects of the application's own classes that support secure
    /// coding. ``allowedClasses`` narrows that.
    ///
    /// **Original:** brings objects of any class to life.
    open func unarchiveObject(forKey key: String!) -> Any! {
        object(key, Self.ownClasses)
    }

    /// Gives the object that was archived under a key, which may hold objects of the classes named.
    ///
    /// - Parameters:
    ///   - classes: The only classes that may come to life beside Foundation's values and collections, with their
    ///     subclasses.
    ///   - key: The key, without the prefix.
    /// - Returns: As `unarchiveObject(forKey:)`.
    open func unarchiveObject(ofClasses classes: [AnyClass], forKey key: String) -> Any? {
        object(key, .only(classes))
    }

    private func object(_ key: String?, _ classes: ApplicationClasses) -> Any? {
        guard let data = read(key), let key else { return nil }
        do throws(CodingFailure) {
            return try KeyedArchive.object(in: data, key: key, classes: classes)
        } catch {
            record(errSecDecode)
            return nil
        }
    }

    private func removeArchive(forKey key: String) -> Bool {
        let status = item(key).remove()
        return record(status == errSecItemNotFound ? errSecSuccess : status) == errSecSuccess
    }

    @discardableResult
    func record(_ status: OSStatus) -> OSStatus {
        currentStatus.withLock { $0 = status }
        return status
    }

    // MARK: The application's own lockbox

    /// The status of the last call of a class method: why it gave `false` or `nil`.
    open class var lastStatus: OSStatus { shared.lastStatus }

    /// Archives an object under a key of the application's own lockbox, readable while the keychain is unlocked.
    ///
    /// - Returns: As `archiveObject(_:forKey:accessibility:)`.
    @discardableResult
    open class func archiveObject(_ object: (any NSSecureCoding)!, forKey key: String!) -> Bool {
        shared.archiveObject(object, forKey: key)
    }

    /// Archives an object under a key of the application's own lockbox.
    ///
    /// - Returns: As `archiveObject(_:forKey:accessibility:)`.
    @discardableResult
    open class func archiveObject(
        _ object: (any NSSecureCoding)!, forKey key: String!, accessibility: CFTypeRef!
    ) -> Bool {
        shared.archiveObject(object, forKey: key, accessibility: accessibility)
    }

    /// Gives the object that was archived under a key of the application's own lockbox.
    ///
    /// - Returns: As `unarchiveObject(forKey:)`.
    open class func unarchiveObject(forKey key: String!) -> Any! {
        shared.unarchiveObject(forKey: key)
    }

    /// Gives the object that was archived under a key of the application's own lockbox, which may hold objects of the
    /// classes named.
    ///
    /// - Returns: As `unarchiveObject(ofClasses:forKey:)`.
    open class func unarchiveObject(ofClasses classes: [AnyClass], forKey key: String) -> Any? {
        shared.unarchiveObject(ofClasses: classes, forKey: key)
    }

    // What version 2 offered, in the form in which it stored it, so that old items can be read and moved to archives. It is
    // here since Swift lets a subclass override nothing that is in an extension.

    // MARK: String

    /// Stores text, readable while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setString(_ value: String!, forKey key: String!) -> Bool {
        setString(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores text, as version 2 did: UTF-8. Nil removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value, key, accessibility)
    }

    /// Gives text that version 2 stored.
    ///
    /// - Returns: The text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text; `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func string(forKey key: String!) -> String! {
        text(key)
    }

    // MARK: Array

    /// Stores an array, readable while the keychain is unlocked. Nil or an empty array removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setArray(_ value: [Any]!, forKey key: String!) -> Bool {
        setArray(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores an array, as version 2 did: the elements with `-|-` between them. Nil or an empty array removes the key. One
    /// that would not come back is refused: with `-|-` in an element.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setArray(_ value: [Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(key, accessibility, value?.isEmpty ?? true) { () throws(CodingFailure) in try LegacyText.text(of: value) }
    }

    /// Gives an array that version 2 stored.
    ///
    /// - Returns: The elements, each as text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text; `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func array(forKey key: String!) -> [Any]! {
        text(key).map(LegacyText.elements)
    }

    // MARK: Set

    /// Stores a set, readable while the keychain is unlocked. Nil or an empty set removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setSet(_ value: Set<AnyHashable>!, forKey key: String!) -> Bool {
        setSet(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a set, as version 2 did: the elements with `-|-` between them. Nil or an empty set removes the key. One that
    /// would not come back is refused: with `-|-` in an element, or with two elements that are the same text.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setSet(_ value: Set<AnyHashable>!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(key, accessibility, value?.isEmpty ?? true) { () throws(CodingFailure) in
            try LegacyText.text(ofSet: value)
        }
    }

    /// Gives a set that version 2 stored.
    ///
    /// - Returns: The elements, each as text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text; `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func setForKey(_ key: String!) -> Set<AnyHashable>! {
        decoded(key, LegacyText.set)
    }

    // MARK: Dictionary

    /// Stores a dictionary, readable while the keychain is unlocked. Nil or an empty dictionary removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!) -> Bool {
        setDictionary(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a dictionary, as version 2 did: all keys, then all values, with `-|-` between them. Nil or an empty
    /// dictionary removes the key. One that would not come back is refused: with `-|-` in a key or value, or with two keys
    /// that are the same text.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(key, accessibility, value?.isEmpty ?? true) { () throws(CodingFailure) in
            try LegacyText.text(ofDictionary: value)
        }
    }

    /// Gives a dictionary that version 2 stored.
    ///
    /// - Returns: The entries, keys and values as text. Nil when there is none, when the keychain is locked, and when
    ///   the item holds no dictionary;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func dictionary(forKey key: String!) -> [AnyHashable: Any]! {
        decoded(key, LegacyText.dictionary)
    }

    // MARK: Date

    /// Stores a date, readable while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setDate(_ value: Date!, forKey key: String!) -> Bool {
        setDate(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a date, as version 2 did: the seconds since the first moment of 2001. Nil removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setDate(_ value: Date!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value.map { LegacyText.text(of: $0) }, key, accessibility)
    }

    /// Gives a date that version 2 stored.
    ///
    /// - Returns: The date. Nil when there is none, when the keychain is locked, and when the item holds no date;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func date(forKey key: String!) -> Date! {
        decoded(key, LegacyText.date)
    }

    // MARK: Version 2, in the application's own lockbox

    /// As `setString(_:forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open class func setString(_ value: String!, forKey key: String!) -> Bool {
        shared.setString(value, forKey: key)
    }

    /// As `setString(_:forKey:accessibility:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open class func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setString(value, forKey: key, accessibility: accessibility)
    }

    /// As `string(forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open class func string(forKey key: String!) -> String! {
        shared.string(forKey: key)
    }

    /// As `setArray(_:forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open class func setArray(_ value: [Any]!, forKey key: String!) -> Bool {
        shared.setArray(value, forKey: key)
    }

    /// As `setArray(_:forKey:accessibility:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open class func setArray(_ value: [Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setArray(value, forKey: key, accessibility: accessibility)
    }

    /// As `array(forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open class func array(forKey key: String!) -> [Any]! {
        shared.array(forKey: key)
    }

    /// As `setSet(_:forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open class func setSet(_ value: Set<AnyHashable>!, forKey key: String!) -> Bool {
        shared.setSet(value, forKey: key)
    }

    /// As `setSet(_:forKey:accessibility:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open class func setSet(_ value: Set<AnyHashable>!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setSet(value, forKey: key, accessibility: accessibility)
    }

    /// As `setForKey(_:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open class func setForKey(_ key: String!) -> Set<AnyHashable>! {
        shared.setForKey(key)
    }

    /// As `setDictionary(_:forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open class func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!) -> Bool {
        shared.setDictionary(value, forKey: key)
    }

    /// As `setDictionary(_:forKey:accessibility:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open class func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!, accessibility: CFTypeRef!)
        -> Bool
    {
        shared.setDictionary(value, forKey: key, accessibility: accessibility)
    }

    /// As `dictionary(forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open class func dictionary(forKey key: String!) -> [AnyHashable: Any]! {
        shared.dictionary(forKey: key)
    }

    /// As `setDate(_:forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open class func setDate(_ value: Date!, forKey key: String!) -> Bool {
        shared.setDate(value, forKey: key)
    }

    /// As `setDate(_:forKey:accessibility:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open class func setDate(_ value: Date!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setDate(value, forKey: key, accessibility: accessibility)
    }

    /// As `date(forKey:)`, in the application's own lockbox.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open class func date(forKey key: String!) -> Date! {
        shared.date(forKey: key)
    }
}
