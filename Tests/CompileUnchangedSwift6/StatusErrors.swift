// SPDX-License-Identifier: Apache-2.0

// Statuses as errors, with Apple's sentences.

import Foundation
import Security

private enum Status: OSStatus, Error, CaseIterable {
    case success = 0
    case unimplemented = -4
    case param = -50
    case userCanceled = -128
    case notAvailable = -25291
    case duplicateItem = -25299
    case itemNotFound = -25300
    case interactionNotAllowed = -25308
    case missingEntitlement = -34018
    case unexpectedError = -99999

    init(status: OSStatus) { self = Status(rawValue: status) ?? .unexpectedError }
}

extension Status: CustomNSError, LocalizedError {
    static let errorDomain = "com.example.keychain"
    var errorCode: Int { Int(rawValue) }
    var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
    var errorDescription: String? { SecCopyErrorMessageString(rawValue, nil) as String? }
}

private func code(_ status: OSStatus) -> String {
    switch status {
    case errSecSuccess: return "success"
    case errSecUserCanceled, errSecAuthFailed: return "user"
    case errSecInteractionNotAllowed, errSecNotAvailable: return "later"
    case errSecMissingEntitlement: return "entitlement"
    case let other where other == errSecItemNotFound: return "none"
    default: return SecCopyErrorMessageString(status, nil).map { String($0) } ?? "\(status)"
    }
}

@Sendable func checkStatusErrors() throws {
    let status = SecItemCopyMatching([kSecClass: kSecClassGenericPassword] as CFDictionary, nil)
    try expectEqual(Status(status: status), .itemNotFound)
    try expectEqual(code(status), "none")
    do {
        throw Status(status: SecItemDelete([:] as CFDictionary))
    } catch let error as Status {
        try expectEqual(error, .param)
        try expectEqual((error as NSError).domain, "com.example.keychain")
        try expectEqual((error as NSError).code, -50)
        try expect(!error.localizedDescription.isEmpty)
    }
    for status in Status.allCases { try expect(status.errorDescription?.isEmpty == false) }
    let error = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecDuplicateItem), userInfo: nil)
    try expect(((error as Any) as? NSError)?.code == -25299)
    try expectEqual(code(errSecDecode).isEmpty, false)
    try expectEqual(NSError().code, 0)
}
