// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
internal import SecItemStore
import Security
internal import WrapperItems

/// Secrets in the keychain under a prefix: a port of Lockbox 3.0.7 with the same names and the same storage format.
///
/// ```swift
/// import Lockbox
///
/// Lockbox.archiveObject(["anna", "secret"] as NSArray, forKey: "login")
/// let login = Lockbox.unarchiveObject(forKey: "login") as? [String]
/// ```
///
/// The class methods use the application's name as the prefix. Instances can have any other prefix. Every method reads
/// or writes the keychain before it returns, and may wait for a person to unlock it. Any thread may call any method. If
/// two threads write under one key, the later write wins.
///
/// The original's header does not say which values may be nil. Swift therefore imports its results and parameters as
/// implicitly unwrapped, and so does this port: `lockbox.unarchiveObject(forKey:)` compiles with and without `if let`.
open class Lockbox: NSObject, @unchecked Sendable {
    /// The lockbox behind the class methods.
    static let shared = Lockbox()

    /// The prefix of every key: the service of an item is `keyPrefix.key`.
    public let keyPrefix: String

    private let currentStatus = LockedValue(errSecSuccess)

    /// Makes a lockbox.
    ///
    /// - Parameter keyPrefix: The prefix of every key. If it is nil, the prefix is the bundle identifier, or
    ///   `LinuxKeychain.applicationIdentifier` for a program without a bundle.
    /// - Returns: A lockbox, never nil.
    public init!(keyPrefix: String!) {
        self.keyPrefix = keyPrefix ?? applicationName()
    }

    /// Makes a lockbox with the application's name as prefix.
    public override init() {
        keyPrefix = applicationName()
    }

    /// The status of this object's last call. It gives the reason if a method returned `false` or `nil`.
    ///
    /// It is `errSecSuccess` or `errSecItemNotFound` after an ordinary call, `errSecInteractionNotAllowed` while the
    /// keychain is locked, `errSecParam` if an object cannot be archived or a key is nil, `errSecDecode` if the item
    /// does not hold the requested kind of object, and otherwise the status of the keychain. If several threads use the
    /// object, it is the status of the call that finished last.
    public var lastStatus: OSStatus {
        currentStatus.withLock { $0 }
    }

    // MARK: Objects

    /// Archives an object under a key, and replaces an existing one. It can be read while the keychain is unlocked.
    ///
    /// - Parameters:
    ///   - object: What to archive, or nil to remove the key.
    ///   - key: The key, without the prefix.
    /// - Returns: As `archiveObject(_:forKey:accessibility:)`.
    @discardableResult
    open func archiveObject(_ object: (any NSSecureCoding)!, forKey key: String!) -> Bool {
        archiveObject(object, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Archives an object under a key, and replaces an existing one.
    ///
    /// - Parameters:
    ///   - object: The object to archive: an object of Foundation, or of one of your classes that conform to
    ///     `NSSecureCoding`. Collections may hold only these. Nil removes the key. Write a Swift value with a cast,
    ///     such as `"text" as NSString`.
    ///   - key: The key, without the prefix.
    ///   - accessibility: When the object can be read: one of the `kSecAttrAccessible…` constants.
    /// - Returns: Whether the keychain stored it, so that `unarchiveObject(forKey:)` can read it; also true if there
    ///   was nothing to remove. If it is false, nothing has changed, and `lastStatus` gives the reason:
    ///   `errSecInteractionNotAllowed` while the keychain is locked, `errSecParam` if the object cannot be archived.
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
    /// - Returns: The object. Nil if there is none, if the keychain is locked, if the item holds no archive, or if the
    ///   archive contains an object of a class that is not allowed. `lastStatus` tells these cases apart.
    ///
    /// Foundation's values and collections are allowed, and so are the application's classes that support secure
    /// coding. ``allowedClasses`` restricts the latter.
    ///
    /// **Original:** instantiates objects of any class.
    open func unarchiveObject(forKey key: String!) -> Any! {
        object(key, Self.ownClasses)
    }

    /// Gives the object that was archived under a key, if its classes are allowed.
    ///
    /// - Parameters:
    ///   - classes: The allowed classes, with their subclasses, in addition to Foundation's values and collections.
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

    /// Archives an object under a key of the application's own lockbox. It can be read while the keychain is unlocked.
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

    /// Gives the object that was archived under a key of the application's own lockbox, if its classes are allowed.
    ///
    /// - Returns: As `unarchiveObject(ofClasses:forKey:)`.
    open class func unarchiveObject(ofClasses classes: [AnyClass], forKey key: String) -> Any? {
        shared.unarchiveObject(ofClasses: classes, forKey: key)
    }

    // The methods of version 2, with its storage format, so that programs can read old items and move them to archives.
    // They are in the class itself because Swift does not let a subclass override methods of an extension.

    // MARK: String

    /// Stores text, which can be read while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setString(_ value: String!, forKey key: String!) -> Bool {
        setString(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores text in the format of version 2: UTF-8. Nil removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: When it can be read: one of the `kSecAttrAccessible…` constants.
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value, key, accessibility)
    }

    /// Gives text that version 2 stored.
    ///
    /// - Returns: The text. Nil if there is none, if the keychain is locked, or if the item holds no text. `lastStatus`
    ///   tells these cases apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func string(forKey key: String!) -> String! {
        text(key)
    }

    // MARK: Array

    /// Stores an array, which can be read while the keychain is unlocked. Nil or an empty array removes the key.
    ///
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setArray(_ value: [Any]!, forKey key: String!) -> Bool {
        setArray(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores an array in the format of version 2: the elements with `-|-` between them. Nil or an empty array removes
    /// the key. An array that could not be read back is refused: one with `-|-` in an element.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: When it can be read: one of the `kSecAttrAccessible…` constants.
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setArray(_ value: [Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(key, accessibility, value?.isEmpty ?? true) { () throws(CodingFailure) in try LegacyText.text(of: value) }
    }

    /// Gives an array that version 2 stored.
    ///
    /// - Returns: The elements, each as text. Nil if there is none, if the keychain is locked, or if the item holds no
    ///   text. `lastStatus` tells these cases apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func array(forKey key: String!) -> [Any]! {
        text(key).map(LegacyText.elements)
    }

    // MARK: Set

    /// Stores a set, which can be read while the keychain is unlocked. Nil or an empty set removes the key.
    ///
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setSet(_ value: Set<AnyHashable>!, forKey key: String!) -> Bool {
        setSet(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a set in the format of version 2: the elements with `-|-` between them. Nil or an empty set removes the
    /// key. A set that could not be read back is refused: one with `-|-` in an element, or with two elements that
    /// become the same text.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: When it can be read: one of the `kSecAttrAccessible…` constants.
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setSet(_ value: Set<AnyHashable>!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(key, accessibility, value?.isEmpty ?? true) { () throws(CodingFailure) in
            try LegacyText.text(ofSet: value)
        }
    }

    /// Gives a set that version 2 stored.
    ///
    /// - Returns: The elements, each as text. Nil if there is none, if the keychain is locked, or if the item holds no
    ///   text. `lastStatus` tells these cases apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func setForKey(_ key: String!) -> Set<AnyHashable>! {
        decoded(key, LegacyText.set)
    }

    // MARK: Dictionary

    /// Stores a dictionary, which can be read while the keychain is unlocked. Nil or an empty dictionary removes the
    /// key.
    ///
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!) -> Bool {
        setDictionary(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a dictionary in the format of version 2: all keys, then all values, with `-|-` between them. Nil or an
    /// empty dictionary removes the key. A dictionary that could not be read back is refused: one with `-|-` in a key
    /// or value, or with two keys that become the same text.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: When it can be read: one of the `kSecAttrAccessible…` constants.
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(key, accessibility, value?.isEmpty ?? true) { () throws(CodingFailure) in
            try LegacyText.text(ofDictionary: value)
        }
    }

    /// Gives a dictionary that version 2 stored.
    ///
    /// - Returns: The entries, keys and values as text. Nil if there is none, if the keychain is locked, or if the item
    ///   holds no dictionary. `lastStatus` tells these cases apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    open func dictionary(forKey key: String!) -> [AnyHashable: Any]! {
        decoded(key, LegacyText.dictionary)
    }

    // MARK: Date

    /// Stores a date, which can be read while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    open func setDate(_ value: Date!, forKey key: String!) -> Bool {
        setDate(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a date in the format of version 2: the seconds since the start of 2001. Nil removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: When it can be read: one of the `kSecAttrAccessible…` constants.
    /// - Returns: Whether the keychain did it; false if there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    open func setDate(_ value: Date!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value.map { LegacyText.text(of: $0) }, key, accessibility)
    }

    /// Gives a date that version 2 stored.
    ///
    /// - Returns: The date. Nil if there is none, if the keychain is locked, or if the item holds no date. `lastStatus`
    ///   tells these cases apart.
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
