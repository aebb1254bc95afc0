import Foundation
import Security

extension Lockbox {
    /// The status of the last call of a class method: why it gave `false` or `nil`.
    public static var lastStatus: OSStatus { shared.lastStatus }

    /// Archives an object under a key of the application's own lockbox, readable while the keychain is unlocked.
    ///
    /// - Returns: As `archiveObject(_:forKey:accessibility:)`.
    @discardableResult
    public static func archiveObject(_ object: (any NSSecureCoding)!, forKey key: String!) -> Bool {
        shared.archiveObject(object, forKey: key)
    }

    /// Archives an object under a key of the application's own lockbox.
    ///
    /// - Returns: As `archiveObject(_:forKey:accessibility:)`.
    @discardableResult
    public static func archiveObject(
        _ object: (any NSSecureCoding)!, forKey key: String!, accessibility: CFTypeRef!
    ) -> Bool {
        shared.archiveObject(object, forKey: key, accessibility: accessibility)
    }

    /// Gives the object that was archived under a key of the application's own lockbox.
    ///
    /// - Returns: As `unarchiveObject(forKey:)`.
    public static func unarchiveObject(forKey key: String!) -> Any! {
        shared.unarchiveObject(forKey: key)
    }

    /// Gives the object that was archived under a key of the application's own lockbox, which may hold objects of the
    /// classes named.
    ///
    /// - Returns: As `unarchiveObject(ofClasses:forKey:)`.
    public static func unarchiveObject(ofClasses classes: [AnyClass], forKey key: String) -> Any? {
        shared.unarchiveObject(ofClasses: classes, forKey: key)
    }
}
