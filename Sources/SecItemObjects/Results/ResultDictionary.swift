// SPDX-License-Identifier: Apache-2.0

import Foundation

package struct ResultDictionary {
    private var keys: [NSString] = []
    private var values: [AnyObject] = []

    package init() {}

    package var dictionary: NSDictionary {
        NSDictionary(objects: values, forKeys: keys)
    }

    package mutating func add(_ key: NSString, _ value: AnyObject) {
        keys.append(key)
        values.append(value)
    }
}

extension ImportedIdentity {
    /// The result of `SecPKCS12Import` for one identity.
    func rendered(_ trust: SecTrust, _ chain: [SecCertificate]) -> NSDictionary {
        var result = ResultDictionary()
        result.add(kSecImportItemIdentity, identity)
        result.add(kSecImportItemTrust, trust)
        result.add(kSecImportItemCertChain, chain as NSArray)
        result.add(kSecImportItemKeyID, ResultData(keyIdentifier))
        if let label { result.add(kSecImportItemLabel, NSString(string: label)) }
        return result.dictionary
    }
}

extension SecPolicy {
    /// The result of `SecPolicyCopyProperties`.
    var properties: NSDictionary {
        let family = PolicyFamily(identifier)
        var dictionary = ResultDictionary()
        dictionary.add(kSecPolicyOid, family?.identifier ?? identifier as NSString)
        if family?.isClient(identifier) == true { dictionary.add(kSecPolicyClient, true as NSNumber) }
        let names = rules.hosts ?? rules.email.map { [$0] }
        if let names {
            dictionary.add(kSecPolicyName, names.count == 1 ? names[0] as NSString : names as NSArray)
        }
        return dictionary.dictionary
    }
}

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
