// SPDX-License-Identifier: Apache-2.0

import Foundation

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
