// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

@testable import SecItemSQLite
@testable import SecItemSealing

/// The parts of the portal's secret that the store keeps.
@Suite struct ProtectorTests {
    private let device: DeviceKeys

    init() throws {
        device = try DeviceKey().keys(ofStore: [1, 2, 3])
    }

    private func protector(_ secret: String, token: String? = nil) -> PortalProtector {
        PortalProtector { (_) throws(StoreError) in
            PortalProtector.Answer(secret: Secret(Data(secret.utf8)), token: token)
        }
    }

    private func code(_ body: () throws(StoreError) -> Void) -> StoreError.Code? {
        do throws(StoreError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func parameters_giveTheSameKeyAgain_andAnotherSaltAnother() throws {
        let protector = protector("a secret of the portal")
        let first = protector.newParameters(), second = protector.newParameters()
        func key(_ parameters: [UInt8]) throws -> Data {
            try protector.wrappingKey(parameters: parameters, device: device, passphrase: nil).data()
        }
        #expect(try key(first) == key(first))
        #expect(try key(first) != key(second))
        #expect(!protector.needsPassphrase && protector.method.name == "portal+device")
    }

    @Test func otherSecret_isAuthenticationFailed() {
        let parameters = protector("a secret of the portal").newParameters()
        let found = code { () throws(StoreError) in
            _ = try protector("another of its secrets").wrappingKey(
                parameters: parameters, device: device, passphrase: nil)
        }
        #expect(found == .authenticationFailed)
    }

    @Test(arguments: [0, 16, 32, 39]) func shortParameters_areCorrupt(_ count: Int) {
        let protector = protector("a secret of the portal")
        let parameters = Array(protector.newParameters().prefix(count))
        let found = code { () throws(StoreError) in
            _ = try protector.wrappingKey(parameters: parameters, device: device, passphrase: nil)
        }
        #expect(found == .corrupt)
    }

    @Test func noAnswer_isWhatThePortalSays() {
        let silent = PortalProtector { (_) throws(StoreError) in throw StoreError(.locked, "silent") }
        let found = code { () throws(StoreError) in
            _ = try silent.wrappingKey(parameters: silent.newParameters(), device: device, passphrase: nil)
        }
        #expect(found == .locked)
    }
}
