// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TrustEvaluation {
    /// The result of `SecTrustCopyResult`.
    var rendered: NSDictionary {
        let details = failures.map { checks in
            var detail = ResultDictionary()
            for check in checks { detail.add(check.rawValue as NSString, false as NSNumber) }
            return detail.dictionary
        }
        var dictionary = ResultDictionary()
        dictionary.add(kSecTrustEvaluationDate, date as NSDate)
        dictionary.add(kSecTrustResultValue, NSNumber(value: result.rawValue))
        dictionary.add("TrustResultDetails", details as NSArray)
        if isRevocationChecked { dictionary.add(kSecTrustRevocationChecked, true as NSNumber) }
        return dictionary.dictionary
    }

    /// The result of `SecTrustCopyProperties`.
    var properties: NSArray {
        let properties = zip(chain, failures).map { certificate, checks in
            let name = certificate.parts.summary ?? ""
            var property = ResultDictionary()
            property.add(kSecPropertyTypeTitle, name as NSString)
            if let gravest = checks.min(by: { $0.kind < $1.kind }) {
                property.add(kSecPropertyTypeError, gravest.sentence(on: name) as NSString)
            }
            return property.dictionary
        }
        return properties as NSArray
    }
}
