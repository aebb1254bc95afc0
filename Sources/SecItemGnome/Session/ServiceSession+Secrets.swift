// SPDX-License-Identifier: Apache-2.0

import CLibsecret
import SecItemBus
import SecItemStore

/// Secrets on the bus, encrypted with the session's key.
///
/// KWallet before 6.25 derives a different key from libsecret's if the shared number begins with a zero byte, which
/// happens in one of 256 sessions (KDE bug 514194). The receiver then refuses a secret or, once in 256 times, decrypts
/// it to nonsense with valid padding. So the first secret of a session with KWallet verifies the key.
extension ServiceSession {
    // MARK: Read

    /// The greatest number of secrets in one call.
    private static let batch = 2000

    /// The secrets of items by path, without those that are locked or deleted.
    func secrets(of items: [StoredItem]) throws(BusFailure) -> [String: Secret] {
        let small = items.filter { !$0.isLarge }.map(\.path)
        var groups = stride(from: 0, to: small.count, by: Self.batch).map {
            Array(small[$0..<min($0 + Self.batch, small.count)])
        }
        groups += items.filter(\.isLarge).map { [$0.path] }
        var result: [String: Secret] = [:]
        for group in groups {
            result.merge(try secrets(at: group)) { first, _ in first }
        }
        return result
    }

    /// The secrets of the items at these paths, which must fit into one message.
    func secrets(at paths: [String]) throws(BusFailure) -> [String: Secret] {
        paths.isEmpty ? [:] : try secrets(bus.callAll([getSecrets(paths)])[0], at: paths)
    }

    /// The secrets in the answer to a call for these paths.
    ///
    /// KWallet returns none if one of the items was deleted meanwhile. Then each is requested separately.
    func secrets(_ answer: Result<Variant, BusFailure>, at paths: [String]) throws(BusFailure) -> [String: Secret] {
        do throws(BusFailure) {
            return try secrets(in: answer.get())
        } catch  where error.namesMissingItem {
            if paths.count == 1 { return [:] }
            var result: [String: Secret] = [:]
            for (path, answer) in zip(paths, bus.callAll(paths.map { getSecrets([$0]) })) {
                result.merge(try secrets(answer, at: [path])) { first, _ in first }
            }
            return result
        } catch {
            throw error
        }
    }

    func getSecrets(_ paths: [String]) -> BusConnection.Call {
        message("Service", "GetSecrets", at: Self.root, .tuple(.objectPaths(paths), sessionPath))
    }

    private func secrets(in reply: Variant) throws(BusFailure) -> [String: Secret] {
        let result = try decoded(reply)
        if let (path, secret) = result.first(where: { $0.value.count > 0 }) { try proveKey(by: secret, at: path) }
        return result
    }

    private func decoded(_ reply: Variant) throws(BusFailure) -> [String: Secret] {
        var result: [String: Secret] = [:]
        for entry in reply[0].children {
            let encrypted = entry[1]
            let decoded = withExtendedLifetime(encrypted) {
                libsecret.secret_service_decode_dbus_secret(service, encrypted.pointer)
            }
            guard let value = decoded else { throw Self.differentKeys }
            defer { libsecret.secret_value_unref(UnsafeMutableRawPointer(value)) }
            var length = 0
            let bytes = libsecret.secret_value_get(value, &length)
            result[entry[0].string] = Secret(copying: UnsafeRawBufferPointer(start: bytes, count: length))
        }
        return result
    }

    // MARK: Write

    func setSecret(_ secret: Secret, of path: String) throws(BusFailure) {
        // Nonsense must not replace the old secret, so that secret verifies the key first.
        if !isKeyProven.withLock({ $0 }) { _ = try secrets(at: [path]) }
        _ = try sendSecret("Item", "SetSecret", at: path, .tuple(try encoded(secret)))
        try proveKey(by: secret, at: path)
    }

    func encoded(_ secret: Secret) throws(BusFailure) -> Variant {
        let value = secret.withUnsafeBytes { bytes in
            let type = Self.isText(bytes) ? "text/plain" : "application/octet-stream"
            return libsecret.secret_value_new(
                bytes.bindMemory(to: CChar.self).baseAddress ?? Self.nothing, bytes.count, type)
        }
        guard let value else { throw Self.cannotEncrypt }
        defer { libsecret.secret_value_unref(UnsafeMutableRawPointer(value)) }
        guard let encoded = libsecret.secret_service_encode_dbus_secret(service, value) else {
            throw Self.cannotEncrypt
        }
        return Variant(taking: encoded)
    }

    private static var cannotEncrypt: BusFailure {
        BusFailure(.other, "libsecret", "a secret cannot be encrypted")
    }

    /// Whether the secret may be marked as text, which KWallet stores as a string: it has nothing that a string loses.
    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isFirst = true
        return bytes.isText { scalar in
            defer { isFirst = false }
            return !ValueText.isFragile(scalar, isFirst: isFirst)
        }
    }

    private nonisolated(unsafe) static let nothing = UnsafePointer(UnsafeMutablePointer<CChar>.allocate(capacity: 1))

    /// Makes a call that contains a secret. KWallet refuses a secret that it cannot decrypt.
    func sendSecret(
        _ interface: String, _ method: String, at path: String, _ arguments: Variant
    ) throws(BusFailure) -> Variant {
        do throws(BusFailure) {
            return try call(interface, method, at: path, arguments)
        } catch  where error.kind == .other && provider.kind == .kWallet {
            throw BusFailure(.lost, error.name, error.message)
        } catch {
            throw error
        }
    }

    // MARK: Key

    /// Requests the known secret of the item at `path`. Each encryption begins with other random bytes, so the result
    /// is right only if both sides have the same key.
    ///
    /// - Throws: `BusFailure` with `.lost` if it is wrong. A new session has another key.
    func proveKey(by secret: Secret, at path: String) throws(BusFailure) {
        if isKeyProven.withLock({ $0 }) || secret.count == 0 { return }
        let reply: Variant
        do throws(BusFailure) {
            reply = try bus.call(getSecrets([path]))
        } catch  where error.kind != .lost {
            // The item is deleted or locked. Another secret will verify the key.
            return
        } catch {
            throw error
        }
        guard let again = try decoded(reply)[path] else { return }
        guard again.hasSameBytes(as: secret) else { throw Self.differentKeys }
        isKeyProven.withLock { $0 = true }
    }

    private static var differentKeys: BusFailure {
        BusFailure(.lost, "libsecret", "a secret cannot be decrypted: the two sides have different keys")
    }
}
