import Lockbox

Lockbox.archiveObject(["anna", "secret"] as NSArray, forKey: "login")
let login = Lockbox.unarchiveObject(forKey: "login") as? [String]

let shared: Lockbox = Lockbox(keyPrefix: "com.example.suite")
shared.archiveObject(Date() as NSDate, forKey: "since", accessibility: kSecAttrAccessibleAfterFirstUnlock)
