// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Forks while another thread makes the first key of the process, or reads the first certificate or file.
///
/// The input is made before the fork, as in `FirstCallProbe`.
enum FirstKeyProbe {
    private nonisolated(unsafe) static var make: () -> Bool = { false }
    private static let flags = SecItemImportExportFlags(rawValue: 0)

    /// - Parameters:
    ///   - kind: The object to make.
    ///   - bytes: The input, in base64.
    ///   - microseconds: The time between the beginning of the operation and the fork.
    static func fork(_ kind: String, _ bytes: String, after microseconds: UInt32) {
        _ = flags
        guard let made = making(kind, Data(base64Encoded: bytes) ?? Data()) else { return say("no such kind") }
        make = made
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                _ = FirstKeyProbe.make()
                return nil
            }, nil)
        usleep(microseconds)
        say(FirstCallProbe.childEnd { make() && make() })
    }

    private static func making(_ kind: String, _ bytes: Data) -> (() -> Bool)? {
        nonisolated(unsafe) let data = NSData(data: bytes)
        let isRSA = kind.hasSuffix("rsa")
        let type = isRSA ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeECSECPrimeRandom
        nonisolated(unsafe) let attributes =
            [kSecAttrKeyType: type, kSecAttrKeyClass: kSecAttrKeyClassPrivate] as CFDictionary
        nonisolated(unsafe) let parameters =
            [kSecAttrKeyType: type, kSecAttrKeySizeInBits: isRSA ? 1024 : 256] as [CFString: Any] as CFDictionary
        nonisolated(unsafe) let permanent = permanent(type)
        nonisolated(unsafe) let guarded = guarded(type)
        switch kind {
        case "new-permanent": return { isWhole(SecKeyCreateRandomKey(permanent, nil)) }
        case "new-guarded": return { isWhole(SecKeyCreateRandomKey(guarded, nil)) }
        case "new-curve", "new-rsa": return { isWhole(SecKeyCreateRandomKey(parameters, nil)) }
        case "read-curve", "read-rsa": return { isWhole(SecKeyCreateWithData(data, attributes, nil)) }
        case "import": return { imported(data).count == 1 }
        case "certificate":
            return {
                guard let certificate = SecCertificateCreateWithData(nil, data) else { return false }
                return SecCertificateCopyValues(certificate, nil, nil) != nil
                    && isWhole(SecCertificateCopyKey(certificate))
            }
        default: return nil
        }
    }

    private static func permanent(_ type: CFString) -> CFDictionary {
        [
            kSecAttrKeyType: type, kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true,
            kSecAttrApplicationTag: Data("tag".utf8),
        ] as [CFString: Any] as CFDictionary
    }

    private static func guarded(_ type: CFString) -> CFDictionary {
        let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
        let own = [kSecAttrIsPermanent: true, kSecAttrAccessControl: control as Any] as [CFString: Any]
        return [kSecAttrKeyType: type, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: own] as [CFString: Any]
            as CFDictionary
    }

    private static func isWhole(_ key: SecKey?) -> Bool {
        guard let key, let publicKey = SecKeyCopyPublicKey(key) else { return false }
        return SecKeyCopyAttributes(key) != nil && SecKeyCopyExternalRepresentation(publicKey, nil) != nil
    }

    private static func imported(_ file: NSData) -> NSArray {
        var items: CFArray?
        guard SecItemImport(file, nil, nil, nil, flags, nil, nil, &items) == errSecSuccess, let items else {
            return NSArray()
        }
        return items
    }
}
