// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import SecItemConformance

/// Valid lists, archives and JSON.
enum WholeBytes {
    static func random(_ generator: inout SeededGenerator) -> Data {
        while true {
            let object = RandomObjects.object(depth: 0, &generator)
            switch generator.next() % 8 {
            case 0, 1:
                guard let list = try? PropertyList(object, nulls: .leftOut) else { continue }
                return list.binary
            case 2: return xml(&generator)
            case 3: return (try? JSONEncoder().encode(Stored())) ?? Data()
            default:
                let key = generator.next() % 2 == 0 ? "key" : "root"
                guard let data = try? KeyedArchive.data(of: object, key: key, classes: .supportingSecureCoding) else {
                    continue
                }
                return data
            }
        }
    }

    private static func xml(_ generator: inout SeededGenerator) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>a</key><string>&lt;&#x41;\(generator.next())</string><key>b</key><array>
            <integer>-5</integer><real>1.5</real><true/><date>2020-01-01T00:00:00Z</date><data>AQID</data><dict/>
            <!-- a comment --><dict><key>CF$UID</key><integer>3</integer></dict></array></dict></plist>
            """.utf8)
    }
}
