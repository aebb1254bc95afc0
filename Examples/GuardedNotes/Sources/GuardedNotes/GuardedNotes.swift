// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security

/// Notes that only their owner can open: in a terminal with the password, on a desktop with the password or a finger.
struct GuardedNotes {
    private func item(_ name: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: "org.example.guarded-notes", kSecAttrAccount: name]
    }

    private func accessControl() throws -> SecAccessControl {
        var error: Unmanaged<CFError>?
        guard
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, &error)
        else { throw error?.takeRetainedValue() ?? NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam)) }
        return control
    }

    /// Stores a note. This needs no proof.
    func write(_ note: Data, name: String) throws {
        let note: [CFString: Any] = [kSecValueData: note, kSecAttrAccessControl: try accessControl()]
        try check(SecItemAdd(item(name).merging(note) { $1 } as CFDictionary, nil))
    }

    /// Reads a note. The keychain asks the person to prove to be the owner, and this call waits for the answer.
    func read(name: String) throws -> Data {
        let context = LAContext()
        context.localizedReason = "to open the note \(name)"
        let query = item(name).merging([kSecReturnData: true, kSecUseAuthenticationContext: context]) { $1 }
        var result: CFTypeRef?
        try check(SecItemCopyMatching(query as CFDictionary, &result))
        return result as? Data ?? Data()
    }

    func delete(name: String) throws {
        try check(SecItemDelete(item(name) as CFDictionary))
    }

    private func check(_ status: OSStatus) throws {
        guard status != errSecSuccess else { return }
        let message = SecCopyErrorMessageString(status, nil).map { "\($0)" } ?? "status \(status)"
        throw NSError(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: message])
    }
}
