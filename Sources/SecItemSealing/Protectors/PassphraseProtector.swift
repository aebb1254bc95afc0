// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// Protects the root key with a passphrase through scrypt (RFC 7914), together with the device key. Without the key
/// file, nobody can test guesses on a copy of the database.
package struct PassphraseProtector: RootKeyProtector {
    /// Where to look for the passphrase, in this order.
    package let sources: [PassphraseSource]
    /// The cost of deriving a key from a passphrase, and so of each guess. Existing wrappings keep theirs.
    package let cost: ScryptCost

    package init(sources: [PassphraseSource], cost: ScryptCost = .standard) {
        self.sources = sources
        self.cost = cost
    }

    package var method: RootKeyMethod { .passphrase }
    package var needsPassphrase: Bool { true }
    package var name: String { "a passphrase" }

    package func passphrase(mayAsk: Bool) throws(StoreError) -> Secret? {
        for source in sources {
            if let passphrase = try source.passphrase(mayAsk: mayAsk) { return passphrase }
        }
        return nil
    }

    package var passphraseFile: PassphraseFile? { sources.first?.file }

    /// A file that cannot be read is named first: with another path, the passphrase may be the one of another keychain.
    package var lack: StoreError {
        let none = "this keychain has no passphrase: \(RootKeyMethod.givePassphrase), or remove the setting"
        do throws(StoreError) {
            _ = try passphraseFile?.identity()
            return StoreError(.unavailable, "a passphrase is configured, but \(none)")
        } catch {
            return StoreError(error.code, "\(error.message); and \(none)", underlying: error.underlying)
        }
    }

    // MARK: Parameters: log2 N, r, p, then the salt

    private static let saltByteCount = 32
    private static let parametersByteCount = 3 + saltByteCount

    package func newParameters() -> [UInt8] {
        let salt = RandomBytes.bytes(Self.saltByteCount)
        return [cost.logarithmOfRounds, cost.blockSize, cost.parallelism] + salt
    }

    package func wrappingKey(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> Secret {
        try wrappingKeys(parameters: parameters, device: device, passphrase: passphrase).root
    }

    /// Derives both keys from one run of scrypt, because scrypt takes most of the time.
    package func wrappingKeys(
        parameters: [UInt8], device: DeviceKeys, passphrase: Secret?
    ) throws(StoreError) -> WrappingKeys {
        guard parameters.count == Self.parametersByteCount,
            let cost = ScryptCost(
                logarithmOfRounds: parameters[0], blockSize: parameters[1], parallelism: parameters[2]
            )
        else { throw StoreError(.corrupt, "the parameters of the passphrase are damaged") }
        guard let passphrase else { throw StoreError(.locked, "no passphrase was given") }
        let key = try passphrase.stretchedPassphrase(salt: parameters[3...], cost)
        return WrappingKeys(
            root: try device.bound(to: key, "secitem/1 passphrase and device wrap root"),
            guardKey: try device.bound(to: key, "secitem/1 passphrase and device wrap guard"))
    }
}

/// A place where a passphrase may be found.
package enum PassphraseSource: Sendable {
    /// The content of a file, without a line break at its end.
    case file(path: String)
    /// A credential that systemd passes to a service (`LoadCredential=`, `SetCredential=`), in the service's folder for
    /// them, which `CREDENTIALS_DIRECTORY` names.
    case systemdCredential(name: String = Self.credentialName, folder: String)
    /// A closure of the application. It may prompt, so it is only called when that is allowed.
    case closure(@Sendable () throws -> Secret?)

    /// The name of the credential with the passphrase of the default keychain.
    package static let credentialName = "secitem-passphrase"

    /// The file that holds the passphrase; nil for a closure, and for a credential that is no file of the folder itself.
    package var file: PassphraseFile? {
        switch self {
        case .file(let path): return PassphraseFile(path: path)
        case .systemdCredential(let name, let folder):
            if name.contains("/") { return nil }
            return PassphraseFile(path: folder + "/" + name, isCredential: true)
        case .closure: return nil
        }
    }

    /// The passphrase at this place; nil if there is none.
    ///
    /// - Parameter mayAsk: Whether a person may be asked.
    /// - Throws: ``StoreError/Code/unavailable`` if the file cannot be used; ``StoreError/Code/cancelled`` if the closure
    ///   throws an error that is not a `StoreError`.
    package func passphrase(mayAsk: Bool) throws(StoreError) -> Secret? {
        guard case .closure(let ask) = self else { return try file?.passphrase() }
        guard mayAsk else { return nil }
        do {
            return try Turn.whileAsking(ask)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.cancelled, "no passphrase was given", underlying: error)
        }
    }
}
