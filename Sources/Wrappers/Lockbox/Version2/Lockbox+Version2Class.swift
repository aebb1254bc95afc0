// What version 2 offered, for the application's own lockbox. See `Lockbox+Version2.swift`.

import Foundation
import Security

extension Lockbox {
    // MARK: String

    /// Stores text in the application's own lockbox, readable while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public static func setString(_ value: String!, forKey key: String!) -> Bool {
        shared.setString(value, forKey: key)
    }

    /// Stores text in the application's own lockbox, as version 2 did: UTF-8. Nil removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public static func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setString(value, forKey: key, accessibility: accessibility)
    }

    /// Gives text that version 2 stored in the application's own lockbox.
    ///
    /// - Returns: The text. Nil when there is none, when the keychain is locked, and when the item holds no text;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public static func string(forKey key: String!) -> String! {
        shared.string(forKey: key)
    }

    // MARK: Array

    /// Stores an array in the application's own lockbox, readable while the keychain is unlocked. Nil or an empty
    /// array removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public static func setArray(_ value: [Any]!, forKey key: String!) -> Bool {
        shared.setArray(value, forKey: key)
    }

    /// Stores an array in the application's own lockbox, as version 2 did: the elements with `-|-` between them. Nil
    /// or an empty array removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public static func setArray(_ value: [Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setArray(value, forKey: key, accessibility: accessibility)
    }

    /// Gives an array that version 2 stored in the application's own lockbox.
    ///
    /// - Returns: The elements, each as text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public static func array(forKey key: String!) -> [Any]! {
        shared.array(forKey: key)
    }

    // MARK: Set

    /// Stores a set in the application's own lockbox, readable while the keychain is unlocked. Nil or an empty set
    /// removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public static func setSet(_ value: Set<AnyHashable>!, forKey key: String!) -> Bool {
        shared.setSet(value, forKey: key)
    }

    /// Stores a set in the application's own lockbox, as version 2 did: the elements with `-|-` between them. Nil or
    /// an empty set removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public static func setSet(_ value: Set<AnyHashable>!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setSet(value, forKey: key, accessibility: accessibility)
    }

    /// Gives a set that version 2 stored in the application's own lockbox.
    ///
    /// - Returns: The elements, each as text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public static func setForKey(_ key: String!) -> Set<AnyHashable>! {
        shared.setForKey(key)
    }

    // MARK: Dictionary

    /// Stores a dictionary in the application's own lockbox, readable while the keychain is unlocked. Nil or an empty
    /// dictionary removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public static func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!) -> Bool {
        shared.setDictionary(value, forKey: key)
    }

    /// Stores a dictionary in the application's own lockbox, as version 2 did: all keys, then all values, with `-|-`
    /// between them. Nil or an empty dictionary removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public static func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!, accessibility: CFTypeRef!)
        -> Bool
    {
        shared.setDictionary(value, forKey: key, accessibility: accessibility)
    }

    /// Gives a dictionary that version 2 stored in the application's own lockbox.
    ///
    /// - Returns: The entries, keys and values as text. Nil when there is none, when the keychain is locked, and when
    ///   the item holds no dictionary;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public static func dictionary(forKey key: String!) -> [AnyHashable: Any]! {
        shared.dictionary(forKey: key)
    }

    // MARK: Date

    /// Stores a date in the application's own lockbox, readable while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public static func setDate(_ value: Date!, forKey key: String!) -> Bool {
        shared.setDate(value, forKey: key)
    }

    /// Stores a date in the application's own lockbox, as version 2 did: the seconds since the first moment of 2001.
    /// Nil removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public static func setDate(_ value: Date!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        shared.setDate(value, forKey: key, accessibility: accessibility)
    }

    /// Gives a date that version 2 stored in the application's own lockbox.
    ///
    /// - Returns: The date. Nil when there is none, when the keychain is locked, and when the item holds no date;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public static func date(forKey key: String!) -> Date! {
        shared.date(forKey: key)
    }
}
