// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import SecItemStore
import Security
internal import WrapperItems

/// A dictionary in the keychain: a port of FXKeychain 1.5.3 with the same names and the same storage format.
///
/// ```swift
/// import FXKeychain
///
/// let keychain = FXKeychain.default()
/// keychain.setObject("correct horse", forKey: "password")
/// keychain["servers"] = ["a.example.com", "b.example.com"]
/// let password = keychain["password"] as? String
/// ```
///
/// Every method reads or writes the keychain before it returns, and may wait for a person to unlock it. Any thread may
/// call any method. If two threads write under one key, the later write wins.
open class FXKeychain: NSObject, @unchecked Sendable {
    /// The keychain of the application. Its service is the bundle identifier. For a program without a bundle, it is the
    /// value that `LinuxKeychain.applicationIdentifier` has when it is asked for first.
    public static let `default` = FXKeychain(service: applicationName(), accessGroup: nil)

    /// The service that the keys belong to. If it is nil or empty, a look-up finds the first item with that key in any
    /// service, and a change affects all of them.
    public let service: String?

    /// The access group of the items. If it is nil or empty, look-ups, changes and removals affect all groups of the
    /// application, and new items go into the first group.
    ///
    /// The application's groups are `LinuxKeychain.accessGroups`. If none are set, it has only its own group. If the
    /// application has more than one group, name one here. Otherwise, changes and removals also affect the keys of
    /// another application in a shared group.
    public let accessGroup: String?

    private let state: LockedValue<State>

    private struct State {
        var accessibility: FXKeychainAccess
        /// The status of the last call.
        var status = errSecSuccess
        var error: FXKeychainError?
    }

    /// Makes a keychain of one service.
    ///
    /// - Parameters:
    ///   - service: The service that the keys belong to, or nil for any.
    ///   - accessGroup: The access group, or nil for all groups of the application.
    ///   - accessibility: When values stored from now on can be read.
    public init(service: String?, accessGroup: String?, accessibility: FXKeychainAccess) {
        self.service = service
        self.accessGroup = accessGroup
        state = LockedValue(State(accessibility: accessibility))
    }

    /// Makes a keychain of one service. Its values can be read while the keychain is unlocked.
    ///
    /// - Parameters:
    ///   - service: The service that the keys belong to, or nil for any.
    ///   - accessGroup: The access group, or nil for all groups of the application.
    public init(service: String?, accessGroup: String?) {
        self.service = service
        self.accessGroup = accessGroup
        state = LockedValue(State(accessibility: .accessibleWhenUnlocked))
    }

    /// Makes a keychain of any service, in all groups of the application.
    public override init() {
        service = nil
        accessGroup = nil
        state = LockedValue(State(accessibility: .accessibleWhenUnlocked))
    }

    /// Gives the keychain itself, so that `FXKeychain.default()` compiles, which is how Swift imports the original.
    public func callAsFunction() -> FXKeychain { self }

    /// When values can be read. A change affects later writes only.
    open var accessibility: FXKeychainAccess {
        get { state.withLock { $0.accessibility } }
        set { state.withLock { $0.accessibility = newValue } }
    }

    /// The status of this object's last call. It gives the reason if a method returned `false` or `nil`.
    ///
    /// It is `errSecSuccess` or `errSecItemNotFound` after an ordinary call, `errSecInteractionNotAllowed` while the
    /// keychain is locked, `errSecParam` if an object cannot be stored, `errSecDecode` if the item holds something
    /// else, and otherwise the status of the keychain. If several threads use the object, it is the status of the call
    /// that finished last.
    public var lastStatus: OSStatus {
        state.withLock { $0.status }
    }

    /// The reason why the last call could not store its object, with the name of the unsupported type. Nil after every
    /// other call.
    public var lastError: FXKeychainError? {
        state.withLock { $0.error }
    }

    // MARK: Objects

    /// Stores an object under a key, and replaces an existing one.
    ///
    /// - Parameters:
    ///   - object: Text, a number, a date, data, or an array or dictionary of these with text as keys. `NSNull` in a
    ///     collection is left out. With ``usesNSCoding``, also any other object that can be archived. Nil removes the
    ///     key.
    ///   - key: The key. If it is not text, its description is used.
    /// - Returns: Whether the keychain stored it. If not, nothing has changed, and ``lastStatus`` gives the reason:
    ///   `errSecInteractionNotAllowed` while the keychain is locked; `errSecParam` if the type of the object is not
    ///   supported (``lastError`` names it), or if the key has no usable description.
    ///
    /// **Original:** raises an exception if it cannot store an object.
    @discardableResult
    open func setObject(_ object: Any?, forKey key: Any) -> Bool {
        guard let object else { return removeObject(forKey: key) }
        guard let account = account(of: key) else { return false }
        do throws(FXKeychainError) {
            return write(try StoredObject(object, usesNSCoding: Self.usesNSCoding), to: account)
        } catch {
            record(errSecParam, error)
            return false
        }
    }

    /// Stores an object under a key, as ``setObject(_:forKey:)`` does.
    @discardableResult
    open func setObject(_ object: Any?, forKeyedSubscript key: Any) -> Bool {
        setObject(object, forKey: key)
    }

    /// Gives the object under a key.
    ///
    /// - Parameter key: The key. If it is not text, its description is used.
    /// - Returns: The object, immutable throughout. Nil if there is none, if the keychain is locked, or if the item
    ///   holds neither text nor a property list. ``lastStatus`` tells these cases apart.
    open func object(forKey key: Any) -> Any? {
        guard let account = account(of: key) else { return nil }
        var query = query(for: account)
        query[kSecMatchLimit] = kSecMatchLimitOne
        query[kSecReturnData] = true
        var result: CFTypeRef?
        guard record(SecItemCopyMatching(query as CFDictionary, &result)) == errSecSuccess else { return nil }
        let data = result as? Data ?? Data()
        let object = StoredObject(data: data).object(usesNSCoding: Self.usesNSCoding)
        if object == nil { record(errSecDecode) }
        return object
    }

    /// Gives the object under a key, as ``object(forKey:)`` does.
    open func objectForKeyedSubscript(_ key: Any) -> Any? {
        object(forKey: key)
    }

    /// Removes a key.
    ///
    /// - Parameter key: The key. If it is not text, its description is used.
    /// - Returns: Whether the key is gone; also true if it did not exist.
    @discardableResult
    open func removeObject(forKey key: Any) -> Bool {
        guard let account = account(of: key) else { return false }
        let status = record(SecItemDelete(query(for: account) as CFDictionary))
        return status == errSecSuccess || status == errSecItemNotFound
    }

    /// The object under a key. Setting nil removes the key.
    ///
    /// If an object cannot be stored, nothing changes and ``lastStatus`` is `errSecParam`.
    open subscript(key: Any) -> Any? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    // MARK: The keychain

    private func write(_ object: StoredObject, to account: String) -> Bool {
        let item = ReplaceableItem(query(for: account))
        return record(item.write(object.data, accessibility: accessibility.attribute)) == errSecSuccess
    }

    /// The account of a key's item. Nil, with the status `errSecParam`, if the key could not be found again.
    private func account(of key: Any) -> String? {
        let account = KeyDescription.of(key)
        if account == nil { record(errSecParam) }
        return account
    }

    private func query(for account: String) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account]
        if let service, !service.isEmpty { query[kSecAttrService] = service }
        if let accessGroup, !accessGroup.isEmpty { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    @discardableResult
    private func record(_ status: OSStatus, _ error: FXKeychainError? = nil) -> OSStatus {
        state.withLock { ($0.status, $0.error) = (status, error) }
        return status
    }
}
