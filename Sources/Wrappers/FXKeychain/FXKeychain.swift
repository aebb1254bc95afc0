// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import SecItemStore
import Security
internal import WrapperItems

/// The keychain as a dictionary: a port of FXKeychain 1.5.3 with the same names and the same stored form.
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
/// call any method; of two writes under one key, the later one stays.
open class FXKeychain: NSObject, @unchecked Sendable {
    /// The keychain of the application: its service is the bundle identifier, or for a program without a bundle
    /// `LinuxKeychain.applicationIdentifier`, as it is at the first use.
    public static let `default` = FXKeychain(service: applicationName(), accessGroup: nil)

    /// The service that the keys belong to. With nil, or an empty one, a look-up finds the first item of that key in
    /// any service, and a change is made in all of them.
    public let service: String?

    /// The access group that items are looked for, stored and removed in. With nil, or an empty one, they are looked for,
    /// changed and removed in all groups of the application, and new ones go to the first of them.
    ///
    /// The application's groups are `LinuxKeychain.accessGroups`; where none are set, it has its own alone. With more than
    /// one, name the group: the keys of another application in a group that both use are otherwise changed and removed too.
    public let accessGroup: String?

    private let state: ForkableState<State>

    private struct State {
        var accessibility: FXKeychainAccess
        /// What came of the last call.
        var status = errSecSuccess
        var error: FXKeychainError?
    }

    /// Makes a keychain of one service.
    ///
    /// - Parameters:
    ///   - service: The service that the keys belong to, or nil for any.
    ///   - accessGroup: The access group, or nil for all that the application may use.
    ///   - accessibility: When the values that are stored from now on can be read.
    public init(service: String?, accessGroup: String?, accessibility: FXKeychainAccess) {
        self.service = service
        self.accessGroup = accessGroup
        state = ForkableState(State(accessibility: accessibility))
    }

    /// Makes a keychain of one service, whose values can be read while the keychain is unlocked.
    ///
    /// - Parameters:
    ///   - service: The service that the keys belong to, or nil for any.
    ///   - accessGroup: The access group, or nil for all that the application may use.
    public init(service: String?, accessGroup: String?) {
        self.service = service
        self.accessGroup = accessGroup
        state = ForkableState(State(accessibility: .accessibleWhenUnlocked))
    }

    /// Makes a keychain of any service, in all access groups that the application may use.
    public override init() {
        service = nil
        accessGroup = nil
        state = ForkableState(State(accessibility: .accessibleWhenUnlocked))
    }

    /// Gives the keychain itself, for code that spells ``default`` as a call: `FXKeychain.default()`, which is how
    /// Swift imports the original.
    public func callAsFunction() -> FXKeychain { self }

    /// When values can be read. A change holds for later writes only.
    open var accessibility: FXKeychainAccess {
        get { state.withLock { $0.accessibility } }
        set { state.withLock { $0.accessibility = newValue } }
    }

    /// The status of this object's last call: why a method gave `false` or `nil`.
    ///
    /// `errSecSuccess` or `errSecItemNotFound` after an ordinary call; `errSecInteractionNotAllowed` while the keychain
    /// is locked; `errSecParam` after an object that cannot be stored; `errSecDecode` for an item that holds something
    /// else; otherwise what the keychain answered. With several threads it is that of whichever came last.
    public var lastStatus: OSStatus {
        state.withLock { $0.status }
    }

    /// Why the object of this object's last call cannot be stored, which names the type that stood in the way. Nil after
    /// every other call.
    public var lastError: FXKeychainError? {
        state.withLock { $0.error }
    }

    // MARK: Objects

    /// Stores an object under a key, in place of what was there.
    ///
    /// - Parameters:
    ///   - object: Text, a number, a date, data, or an array or dictionary of these with text as keys; `NSNull` in a
    ///     collection is left out. With ``usesNSCoding``, whatever else an archive can hold. Nil removes the key.
    ///   - key: The key; anything but text is used by its description.
    /// - Returns: Whether the keychain has it. If not, nothing has changed and ``lastStatus`` says why:
    ///   `errSecInteractionNotAllowed` while the keychain is locked, `errSecParam` for an object of any other type, which
    ///   ``lastError`` names, and for a key that has no description of its own.
    ///
    /// **Original:** raised an exception for an object that it could not store.
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
    /// - Parameter key: The key; anything but text is used by its description.
    /// - Returns: The object, immutable throughout. Nil when there is none, when the keychain is locked, and when the
    ///   item holds neither text nor a property list; ``lastStatus`` tells these apart.
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
    /// - Parameter key: The key; anything but text is used by its description.
    /// - Returns: Whether the key is gone. That there was none is no error.
    @discardableResult
    open func removeObject(forKey key: Any) -> Bool {
        guard let account = account(of: key) else { return false }
        let status = record(SecItemDelete(query(for: account) as CFDictionary))
        return status == errSecSuccess || status == errSecItemNotFound
    }

    /// The object under a key. Setting nil removes it.
    ///
    /// After an object that cannot be stored nothing has changed, and ``lastStatus`` is `errSecParam`.
    open subscript(key: Any) -> Any? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    // MARK: The keychain

    private func write(_ object: StoredObject, to account: String) -> Bool {
        let item = ReplaceableItem(query(for: account))
        return record(item.write(object.data, accessibility: accessibility.attribute)) == errSecSuccess
    }

    /// The account of a key's item. Nil, with `errSecParam` as the status, for a key that would not be found again.
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
