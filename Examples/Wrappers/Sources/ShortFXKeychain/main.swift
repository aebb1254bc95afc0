// SPDX-License-Identifier: Apache-2.0

import FXKeychain

let keychain = FXKeychain.default()
keychain.setObject("correct horse", forKey: "password")
keychain["servers"] = ["a.example.com", "b.example.com"]
let password = keychain["password"] as? String
keychain["password"] = nil
