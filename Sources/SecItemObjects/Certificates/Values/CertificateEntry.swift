// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One entry in the description of a certificate's content: its label and its value.
struct CertificateEntry {
    enum Value {
        case string(String)
        case data(Data)
        case url(URL)
        case date(Date)
        case number(NSNumber)
        /// Strings, or data.
        case array([Any])
        case section([CertificateEntry])
    }

    let label: String?
    let value: Value

    /// The entry in the form that a caller gets. The label is the same in every language.
    var dictionary: NSDictionary {
        var dictionary: [NSString: Any] = [kSecPropertyKeyType: type, kSecPropertyKeyValue: object]
        if let label {
            dictionary[kSecPropertyKeyLabel] = label
            dictionary[kSecPropertyKeyLocalizedLabel] = label
        }
        return dictionary as NSDictionary
    }

    private var type: CFString {
        switch value {
        case .string: kSecPropertyTypeString
        case .data: kSecPropertyTypeData
        case .url: kSecPropertyTypeURL
        case .date: kSecPropertyTypeDate
        case .number: kSecPropertyTypeNumber
        case .array: kSecPropertyTypeArray
        case .section: kSecPropertyTypeSection
        }
    }

    private var object: Any {
        switch value {
        case .string(let text): NSString(string: text)
        case .data(let data): ResultData(data)
        case .url(let url): url as NSURL
        case .date(let date): date as NSDate
        case .number(let number): number
        case .array(let elements): elements as NSArray
        case .section(let entries): entries.map(\.dictionary) as NSArray
        }
    }
}
