// SPDX-License-Identifier: Apache-2.0

import Foundation

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
