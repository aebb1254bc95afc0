// SPDX-License-Identifier: Apache-2.0

import KCMutableDictionary

let settings = KCMutableDictionary.dictionary(withName: "settings")
settings["token"] = "correct horse"
settings.addEntries(from: ["user": "anna", "servers": ["a.example.com"]])
settings["token"] = nil
settings.forget()
