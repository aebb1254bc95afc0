// What version 2 offered, in the form in which it stored it, so that old items can be read and moved to archives.

import Foundation
import Security

extension Lockbox {
    // MARK: String

    /// Stores text, readable while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public func setString(_ value: String!, forKey key: String!) -> Bool {
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
    public func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value, key, accessibility)
    }

    /// Gives text that version 2 stored.
    ///
    /// - Returns: The text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text; `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public func string(forKey key: String!) -> String! {
        text(key)
    }

    // MARK: Array

    /// Stores an array, readable while the keychain is unlocked. Nil or an empty array removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public func setArray(_ value: [Any]!, forKey key: String!) -> Bool {
        setArray(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores an array, as version 2 did: the elements with `-|-` between them. Nil or an empty array removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public func setArray(_ value: [Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value.flatMap { LegacyText.text(of: $0) }, key, accessibility)
    }

    /// Gives an array that version 2 stored.
    ///
    /// - Returns: The elements, each as text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text; `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public func array(forKey key: String!) -> [Any]! {
        text(key).map(LegacyText.elements)
    }

    // MARK: Set

    /// Stores a set, readable while the keychain is unlocked. Nil or an empty set removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public func setSet(_ value: Set<AnyHashable>!, forKey key: String!) -> Bool {
        setSet(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a set, as version 2 did: the elements with `-|-` between them. Nil or an empty set removes the key.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public func setSet(_ value: Set<AnyHashable>!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value.flatMap { LegacyText.text(of: $0.map(\.base)) }, key, accessibility)
    }

    /// Gives a set that version 2 stored.
    ///
    /// - Returns: The elements, each as text. Nil when there is none, when the keychain is locked, and when the item
    ///   holds no text; `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public func setForKey(_ key: String!) -> Set<AnyHashable>! {
        text(key).map { Set(LegacyText.elements(of: $0)) }
    }

    // MARK: Dictionary

    /// Stores a dictionary, readable while the keychain is unlocked. Nil or an empty dictionary removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!) -> Bool {
        setDictionary(value, forKey: key, accessibility: kSecAttrAccessibleWhenUnlocked)
    }

    /// Stores a dictionary, as version 2 did: all keys, then all values, with `-|-` between them. Nil or an empty
    /// dictionary removes the key. One that has `-|-` in a key or value is refused, as it would not come back.
    ///
    /// - Parameters:
    ///   - value: What to store, or nil.
    ///   - key: The key, without the prefix.
    ///   - accessibility: One of the `kSecAttrAccessible…` constants: when it can be read.
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:accessibility:)")
    @discardableResult
    public func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        let text = value.flatMap { LegacyText.text(of: $0) }
        // With `-|-` in one of its texts, it would come back as another dictionary or as none.
        if let text, LegacyText.elements(of: text).count != 2 * value.count {
            return record(errSecParam) == errSecSuccess
        }
        return write(text, key, accessibility)
    }

    /// Gives a dictionary that version 2 stored.
    ///
    /// - Returns: The entries, keys and values as text. Nil when there is none, when the keychain is locked, and when
    ///   the item holds no dictionary;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public func dictionary(forKey key: String!) -> [AnyHashable: Any]! {
        decoded(key, LegacyText.dictionary)
    }

    // MARK: Date

    /// Stores a date, readable while the keychain is unlocked. Nil removes the key.
    ///
    /// - Returns: Whether the keychain has done it; not when there was nothing to remove.
    @available(*, deprecated, message: "use archiveObject(_:forKey:)")
    @discardableResult
    public func setDate(_ value: Date!, forKey key: String!) -> Bool {
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
    public func setDate(_ value: Date!, forKey key: String!, accessibility: CFTypeRef!) -> Bool {
        write(value.map { LegacyText.text(of: $0) }, key, accessibility)
    }

    /// Gives a date that version 2 stored.
    ///
    /// - Returns: The date. Nil when there is none, when the keychain is locked, and when the item holds no date;
    ///   `lastStatus` tells these apart.
    @available(*, deprecated, message: "use unarchiveObject(forKey:)")
    public func date(forKey key: String!) -> Date! {
        decoded(key, LegacyText.date)
    }

    private func decoded<Value>(_ key: String?, _ decode: (String) -> Value?) -> Value? {
        guard let text = text(key) else { return nil }
        let value = decode(text)
        if value == nil { record(errSecDecode) }
        return value
    }
}
