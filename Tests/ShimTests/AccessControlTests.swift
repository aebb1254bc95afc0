// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import Security
import Testing

/// The arguments that `SecAccessControlCreateWithFlags` accepts, and its errors for others.
@Suite struct AccessControlTests {
    static func makes(_ flags: SecAccessControlCreateFlags, protection: String = "ak") -> Bool {
        SecAccessControlCreateWithFlags(nil, protection as CFTypeRef, flags, nil) != nil
    }

    /// The error of a call that must fail.
    static func failure(protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) throws -> NSError {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, &error)
        #expect(control == nil)
        return try #require(error).takeRetainedValue()
    }

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku", "akpu", "f"])
    func create_knownProtection_keepsIt(_ protection: String) throws {
        let control = try #require(SecAccessControlCreateWithFlags(nil, protection as CFTypeRef, [], nil))
        #expect(control.protection == protection)
        #expect(control.flags.isEmpty)
        #expect(!control.hasConstraints)
    }

    @Test func create_protectionConstant_isAccepted() {
        let control = SecAccessControlCreateWithFlags(
            kCFAllocatorDefault, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .devicePasscode, nil
        )
        #expect(control?.protection == "akpu")
    }

    @Test(arguments: ["", "AK", "akp", "ak ", "kSecAttrAccessibleWhenUnlocked"])
    func create_unknownProtection_isParamError(_ protection: String) throws {
        let error = try Self.failure(protection: protection as CFTypeRef, [])
        #expect(error.domain == NSOSStatusErrorDomain)
        #expect(error.code == Int(errSecParam))
    }

    @Test func create_protectionThatIsNoString_isParamError() throws {
        for protection: CFTypeRef in [NSNumber(value: 1), NSNull(), NSData(), NSArray(object: "ak")] {
            #expect(try Self.failure(protection: protection, []).code == Int(errSecParam))
        }
    }

    @Test(
        arguments: [
            [.or, .and],
            [.devicePasscode, .biometryAny, .or, .and],
            [.biometryAny, .biometryCurrentSet],
            [.biometryAny, .biometryCurrentSet, .or],
            [.userPresence, .devicePasscode],
            [.userPresence, .biometryAny],
            [.userPresence, .biometryCurrentSet],
            [.userPresence, .companion],
            [.userPresence, .or],
            [.userPresence, .and],
            [.userPresence, .privateKeyUsage, .devicePasscode],
        ] as [SecAccessControlCreateFlags])
    func create_contradictingFlags_isParamError(_ flags: SecAccessControlCreateFlags) throws {
        let error = try Self.failure(protection: kSecAttrAccessibleWhenUnlocked, flags)
        #expect(error.domain == NSOSStatusErrorDomain)
        #expect(error.code == Int(errSecParam))
        #expect(error.localizedDescription.hasSuffix(".)"))
        // Without a pointer for the error, the result is nil as well.
        #expect(!Self.makes(flags))
    }

    @Test(
        arguments: [
            [.userPresence],
            [.userPresence, .applicationPassword],
            [.userPresence, .privateKeyUsage],
            [.userPresence, .applicationPassword, .privateKeyUsage],
            [.biometryAny],
            [.biometryCurrentSet],
            [.devicePasscode],
            [.companion],
            [.biometryAny, .devicePasscode],
            [.biometryAny, .or, .devicePasscode],
            [.biometryCurrentSet, .and, .devicePasscode, .privateKeyUsage],
            [.privateKeyUsage],
            [.applicationPassword],
        ] as [SecAccessControlCreateFlags])
    func create_flagsThatGoTogether_keepsThem(_ flags: SecAccessControlCreateFlags) throws {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, &error)
        #expect(control?.flags == flags)
        #expect(control?.hasConstraints == true)
        #expect(error == nil)
    }

    @Test func requiresAuthentication_flagsOfUseAndCombination_isFalse() throws {
        let cases: [(SecAccessControlCreateFlags, Bool)] = [
            ([], false), ([.privateKeyUsage], false), ([.or], false), ([.userPresence], true), ([.biometryAny], true),
            ([.biometryCurrentSet], true), ([.devicePasscode], true), ([.companion], true),
            ([.applicationPassword], true), ([.privateKeyUsage, .userPresence], true),
        ]
        for (flags, expected) in cases {
            #expect(SecAccessControl(protection: "ak", flags: flags).requiresAuthentication == expected, "\(flags)")
        }
    }

    @Test func equality_sameParts_isEqualWithEqualHash() {
        let one = SecAccessControl(protection: "ak", flags: .userPresence)
        let same = SecAccessControl(protection: "ak", flags: .userPresence)
        #expect(one == same)
        #expect(CFEqual(one, same))
        #expect(one.hashValue == same.hashValue)
        #expect(Set([one, same]).count == 1)
    }

    @Test func equality_otherParts_isNotEqual() {
        let one = SecAccessControl(protection: "ak", flags: .userPresence)
        #expect(one != SecAccessControl(protection: "aku", flags: .userPresence))
        #expect(one != SecAccessControl(protection: "ak", flags: .devicePasscode))
        #expect(!CFEqual(one, "ak" as CFString))
        #expect(!CFEqual(one, nil))
    }

    @Test func typeID_ofAnAccessControl_isItsOwn() {
        let control = SecAccessControl(protection: "ak", flags: [])
        #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
        #expect(CFGetTypeID("ak" as CFString) != SecAccessControlGetTypeID())
    }

    @Test func dictionary_holdingAnAccessControl_givesItBack() throws {
        let control = SecAccessControl(protection: "ak", flags: .userPresence)
        let query = [kSecAttrAccessControl as String: control] as CFDictionary
        #expect(query[kSecAttrAccessControl] as? SecAccessControl === control)
        #expect(CFCopyDescription(control) as String? == "<SecAccessControl: ak, flags 0x1>")
    }
}
