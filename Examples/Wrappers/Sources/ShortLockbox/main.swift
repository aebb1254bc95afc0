// SPDX-License-Identifier: Apache-2.0

import Lockbox

Lockbox.archiveObject(["anna", "secret"] as NSArray, forKey: "login")
let login = Lockbox.unarchiveObject(forKey: "login") as? [String]

let drafts: Lockbox = Lockbox(keyPrefix: "com.example.mail.drafts")
drafts.archiveObject(Date() as NSDate, forKey: "since", accessibility: kSecAttrAccessibleAfterFirstUnlock)
