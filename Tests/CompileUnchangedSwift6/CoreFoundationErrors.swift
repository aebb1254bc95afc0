// SPDX-License-Identifier: Apache-2.0

// Errors through `Unmanaged`, read with Core Foundation's functions.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

extension CFError {
    fileprivate var asError: NSError {
        let domain = CFErrorGetDomain(self) as String
        let code = CFErrorGetCode(self)
        let userInfo = CFErrorCopyUserInfo(self) as! [String: Any]
        return NSError(domain: domain, code: code, userInfo: userInfo)
    }
}

private func control(_ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
    var error: Unmanaged<CFError>?
    guard let control = SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, &error) else {
        if let error = error?.takeRetainedValue() { throw error.asError }
        throw Failure(description: "neither a control nor an error")
    }
    return control
}

@Sendable func checkCoreFoundationErrors() throws {
    let made = try control(kSecAttrAccessibleWhenUnlocked, [])
    try expect(CFGetTypeID(made) == SecAccessControlGetTypeID())
    let raw = SecAccessControlCreateFlags(rawValue: CFOptionFlags(1 << 30))
    try expectEqual(try control(kSecAttrAccessibleWhenUnlockedThisDeviceOnly as CFTypeRef, raw) === made, false)
    do {
        _ = try control(kSecAttrAccessibleWhenUnlocked, [.and, .or])
        throw Failure(description: "made of contradictions")
    } catch let error as NSError where error.domain == NSOSStatusErrorDomain {
        try expectEqual(error.code, Int(errSecParam))
        try expect(!error.localizedDescription.isEmpty)
    }
    let status = Unmanaged.passRetained(CFErrorCreate(nil, kCFErrorDomainOSStatus, -34018, nil)!)
    let error = status.takeRetainedValue() as Error
    try expectEqual((error as NSError).code, Int(errSecMissingEntitlement))
}
