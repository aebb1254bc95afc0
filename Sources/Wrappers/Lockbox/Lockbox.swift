import Foundation
import KeychainCoding
import Security

/// Secrets in the keychain under a prefix: a port of Lockbox 3.0.7 with the same names and the same stored form.
///
/// ```swift
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

    private let lock = NSLock()
    private var currentStatus = errSecSuccess

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
        lock.withLock { currentStatus }
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
        return record(item(key).store(archive as NSData, accessibility)) == errSecSuccess
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

    // MARK: The keychain

    /// Stores text, or removes the key: what all setters of version 2 come down to.
    func write(_ text: String?, _ key: String?, _ accessibility: CFTypeRef?) -> Bool {
        guard let key, let accessibility else { return record(errSecParam) == errSecSuccess }
        guard let text else { return record(item(key).remove()) == errSecSuccess }
        return record(item(key).store(Data(text.utf8) as NSData, accessibility)) == errSecSuccess
    }

    /// The text under a key.
    func text(_ key: String?) -> String? {
        guard let data = read(key) else { return nil }
        let text = String(data: data, encoding: .utf8)
        if text == nil { record(errSecDecode) }
        return text
    }

    private func read(_ key: String?) -> Data? {
        guard let key else {
            record(errSecParam)
            return nil
        }
        let (status, data) = item(key).read()
        record(status)
        return data
    }

    private func item(_ key: String) -> LockboxItem {
        LockboxItem(service: "\(keyPrefix).\(key)")
    }

    @discardableResult
    func record(_ status: OSStatus) -> OSStatus {
        lock.withLock { currentStatus = status }
        return status
    }
}
