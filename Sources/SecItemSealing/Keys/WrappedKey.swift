// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// One row of the key table: a key sealed with another key, and a code that authenticates the row.
package struct WrappedKey: Sendable {
    package let name: KeyName
    /// The key that wraps it: ``byDevice``, ``byRoot``, or the name of a ``RootKeyMethod`` for the root and guard keys.
    package let wrapper: String
    /// The method's parameters for the root key, the public half for the guard key, otherwise empty.
    package let parameters: [UInt8]
    /// Nonce, ciphertext and tag.
    package let sealed: [UInt8]
    /// ``SecItemStore/Secret/checkValue()`` of the key.
    package let check: [UInt8]
    /// The authentication code of all of the above, made with the device key.
    package let code: Blind

    static let byDevice = "device"
    static let byRoot = "root"

    /// A row from a store's database.
    package init(name: KeyName, wrapper: String, parameters: [UInt8], sealed: [UInt8], check: [UInt8], code: Blind) {
        self.name = name
        self.wrapper = wrapper
        self.parameters = parameters
        self.sealed = sealed
        self.check = check
        self.code = code
    }

    /// Wraps a key.
    package init(
        wrapping key: Secret, name: KeyName, wrapper: String, parameters: [UInt8] = [], storeID: [UInt8],
        with wrappingKey: Secret, device: DeviceKeys
    ) throws(StoreError) {
        let context = Self.context(name: name, wrapper: wrapper, parameters: parameters, storeID: storeID)
        let box = try SealedBytes(sealing: key, context: context, with: wrappingKey)
        let sealed = box.nonce + box.ciphertext
        let check = key.checkValue()
        let transcript = Self.codeTranscript(context, sealed: sealed, check: check)
        let code = try Blind(authenticating: transcript, with: device.authenticating)
        self.init(
            name: name, wrapper: wrapper, parameters: parameters, sealed: sealed, check: check, code: code
        )
    }

    /// Whether a holder of the device key wrote the row like this.
    package func isAuthentic(storeID: [UInt8], device: DeviceKeys) -> Bool {
        let context = Self.context(name: name, wrapper: wrapper, parameters: parameters, storeID: storeID)
        let transcript = Self.codeTranscript(context, sealed: sealed, check: check)
        let expected = try? Blind(authenticating: transcript, with: device.authenticating)
        return expected?.isEqualInConstantTime(to: code) ?? false
    }

    /// The key, or nil if `wrappingKey` did not wrap it.
    func unwrapped(with wrappingKey: Secret, storeID: [UInt8]) -> Secret? {
        let context = Self.context(name: name, wrapper: wrapper, parameters: parameters, storeID: storeID)
        let opened = SealedBytes.open(sealed, context: context, with: wrappingKey)
        guard let opened, let key = try? opened.withUnsafeBytes({ try Secret.make(copying: $0) }),
            key.count == Secret.keyByteCount
        else { return nil }
        return key.checkValue() == check ? key : nil
    }

    private static func context(
        name: KeyName, wrapper: String, parameters: [UInt8], storeID: [UInt8]
    ) -> Transcript {
        var transcript = Transcript("secitem/1 wrapped key")
        transcript.append(storeID)
        transcript.append(name.rawValue)
        transcript.append(wrapper)
        transcript.append(parameters)
        return transcript
    }

    private static func codeTranscript(_ context: Transcript, sealed: [UInt8], check: [UInt8]) -> Transcript {
        var transcript = Transcript("secitem/1 key row")
        transcript.append(context.bytes)
        transcript.append(sealed)
        transcript.append(check)
        return transcript
    }
}
