// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NeverForceUnwrap
// Tokens of a login as archived objects, and older items as texts, through Lockbox.

import Lockbox

enum TokenType: String {
    case bearer
}

/// The result of a login, archived as an object of a class of its own.
class OAuthToken: NSObject, NSSecureCoding {
    static let key = "OAuthToken"

    var accessToken: String
    var expiresAt: NSDate
    var tokenType: TokenType

    init(accessToken: String, expiresAt: NSDate, tokenType: TokenType) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.tokenType = tokenType
    }

    static var supportsSecureCoding: Bool { return true }

    required convenience init?(coder aDecoder: NSCoder) {
        guard let accessToken = aDecoder.decodeObject(of: NSString.self, forKey: "accessToken") as String?,
            let expiresAt = aDecoder.decodeObject(of: NSDate.self, forKey: "expiresAt"),
            let rawType = aDecoder.decodeObject(forKey: "tokenType") as? String,
            let tokenType = TokenType(rawValue: rawType)
        else {
            return nil
        }
        self.init(accessToken: accessToken, expiresAt: expiresAt, tokenType: tokenType)
    }

    func encode(with aCoder: NSCoder) {
        aCoder.encode(accessToken, forKey: "accessToken")
        aCoder.encode(expiresAt, forKey: "expiresAt")
        aCoder.encode(tokenType.rawValue, forKey: "tokenType")
    }

    func archive() {
        Lockbox.archiveObject(self, forKey: OAuthToken.key)
    }

    class func unarchive() -> OAuthToken? {
        return Lockbox.unarchiveObject(forKey: OAuthToken.key) as? OAuthToken
    }

    class func remove() {
        Lockbox.archiveObject(nil, forKey: OAuthToken.key)
    }
}

/// A user's token. Its key may be nil until somebody has logged in.
private struct AppUser {
    var key: String?

    func save(_ token: String?) -> Bool {
        return Lockbox.archiveObject(token.map { $0 as NSString }, forKey: key)
    }

    var token: String? {
        return Lockbox.unarchiveObject(forKey: key) as? String
    }
}

private final class GroupBox: Lockbox, @unchecked Sendable {
    override init() {
        super.init(keyPrefix: "com.example.group")
    }

    override func unarchiveObject(forKey key: String!) -> Any! {
        return super.unarchiveObject(forKey: key) ?? "none"
    }

    override class func archiveObject(_ object: NSSecureCoding!, forKey key: String!) -> Bool {
        return super.archiveObject(object, forKey: "group." + key)
    }

    override class func unarchiveObject(forKey key: String!) -> Any! {
        return super.unarchiveObject(forKey: "group." + key)
    }

    @available(*, deprecated)
    override func setString(_ value: String!, forKey key: String!) -> Bool {
        return archiveObject(value as NSString, forKey: key)
    }

    @available(*, deprecated)
    override class func string(forKey key: String!) -> String! {
        return unarchiveObject(forKey: key) as? String
    }
}

@Sendable func checkKeychainArchives() throws {
    OAuthToken(accessToken: "secret", expiresAt: NSDate(timeIntervalSince1970: 5), tokenType: .bearer).archive()
    try expectEqual(OAuthToken.unarchive()?.accessToken, "secret")
    try expectEqual(OAuthToken.unarchive()?.tokenType, .bearer)
    OAuthToken.remove()
    try expect(OAuthToken.unarchive() == nil)

    let token = "Token \("abc")" as NSString
    let isSaved = "\(Lockbox.archiveObject(token, forKey: "Token"))"
    try expectEqual(isSaved, "true")
    let found = Lockbox.unarchiveObject(forKey: "Token")
    if found != nil {
        try expectEqual(found! as? String, "Token abc")
    }
    let name = Lockbox.unarchiveObject(forKey: "Token") as! String
    try expectEqual(name, "Token abc")
    try expect(AppUser(key: "user").save("secret"))
    try expectEqual(AppUser(key: "user").token, "secret")
    try expectEqual(AppUser(key: nil).token, nil)

    if let data = Lockbox.unarchiveObject(forKey: "none") as? [String: AnyObject] { try expect(data.isEmpty) }
    let settings: [String: Any] = ["expiresAt": Date(timeIntervalSince1970: 9), "count": 3, "scale": CGFloat(1)]
    try expect(Lockbox.archiveObject(settings as NSDictionary, forKey: "settings"))
    let read = Lockbox.unarchiveObject(forKey: "settings") as? [String: AnyObject]
    try expectEqual(read?["expiresAt"] as? Date, Date(timeIntervalSince1970: 9))

    let group = GroupBox()
    try expectEqual(group.unarchiveObject(forKey: "a") as? String, "none")
    try expect(group.archiveObject(NSNumber(value: 1), forKey: "a", accessibility: kSecAttrAccessibleAfterFirstUnlock))
    try expectEqual(group.unarchiveObject(forKey: "a") as? Int, 1)
    try expect(GroupBox.archiveObject("b" as NSString, forKey: "b"))
    try expectEqual(GroupBox.unarchiveObject(forKey: "b") as? String, "b")
    try expectEqual(Lockbox.unarchiveObject(forKey: "group.b") as? String, "b")
    try expect(Lockbox.unarchiveObject(forKey: "b") == nil)
}

/// The methods of the version before archives. They are deprecated, and so is code that calls them.
private protocol OldTexts {
    func setString(_ value: String!, forKey key: String!) -> Bool
    func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    func string(forKey key: String!) -> String!
    func array(forKey key: String!) -> [Any]!
}

extension Lockbox: OldTexts {}

@Sendable func checkKeychainTexts() throws {
    let lockbox: OldTexts = Lockbox(keyPrefix: "com.example.texts")
    let session: String? = "secret"
    try expect(lockbox.setString(session != nil ? session! : nil, forKey: "session"))
    try expectEqual(lockbox.string(forKey: "session").count, 6)
    if let text = lockbox.string(forKey: "session") { try expectEqual(text, "secret") }
    var stored = lockbox.string(forKey: "identifier") as String?
    if stored == nil {
        stored = UUID().uuidString
        _ = lockbox.setString(stored, forKey: "identifier", accessibility: kSecAttrAccessibleAlways)
    }
    try expectEqual(lockbox.string(forKey: "identifier"), stored)
    try expect(lockbox.array(forKey: "nothing") == nil)
    let own: OldTexts = GroupBox()
    try expect(own.setString("text", forKey: "text"))
    try expectEqual(GroupBox().unarchiveObject(forKey: "text") as? String, "text")
    let optional = Lockbox(keyPrefix: "com.example.texts")
    try expect(optional?.archiveObject(nil, forKey: "session") == true)
}
