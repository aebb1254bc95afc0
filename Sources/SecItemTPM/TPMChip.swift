// SPDX-License-Identifier: Apache-2.0

#if TPM
    import CTss2
    import Foundation
    import SecItemStore

    /// A TPM 2.0, through the software stack of the TPM (tpm2-tss).
    package struct TPMChip: SecurityChip {
        /// The address of the chip, in the format of the stack's loader.
        private let address: String

        private init(address: String) {
            self.address = address
        }

        /// The chip that `SECITEM_TPM` names, or else that of the machine. Nil if there is none.
        ///
        /// `SECITEM_TPM` has the format of the stack's loader (`device:/dev/tpmrm0`, `tabrmd:`, `swtpm:path=…`); `none`
        /// means no chip.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if there is one that this user may not use.
        package static func find(environment: [String: String]) throws(StoreError) -> TPMChip? {
            if let named = environment["SECITEM_TPM"], !named.isEmpty {
                return named == "none" ? nil : TPMChip(address: named)
            }
            // The device of the kernel's resource manager, so that programs do not block each other.
            let device = "/dev/tpmrm0"
            if access(device, R_OK | W_OK) == 0 { return TPMChip(address: "device:" + device) }
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StoreError(
                .unavailable,
                "\(device): \(String(cString: strerror(errno))). Whoever uses the TPM has to be in the group that it belongs "
                    + "to (Debian: tss)")
        }

        /// Lets one caller at a time use the chip, because a simulator only serves one.
        private static let turn = LockedValue(())

        private func talk<Result>(
            _ body: (TPMConnection) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            try Self.turn.withLock { (_) throws(StoreError) in try body(TPMConnection(address)) }
        }

        package func check() throws(StoreError) {
            _ = try talk { (chip) throws(StoreError) in try chip.hasPersistentParent() }
        }

        // MARK: Keys

        package func makeKey() throws(StoreError) -> ChipKey {
            let object = try create(.key, holding: nil)
            return ChipKey(wrapped: try object.bytes(), publicKey: try object.publicKey())
        }

        package func key(wrapped: [UInt8]) throws(StoreError) -> ChipKey {
            ChipKey(wrapped: wrapped, publicKey: try WrappedObject(wrapped).publicKey())
        }

        package func signature(of digest: [UInt8], with key: ChipKey) throws(StoreError) -> [UInt8] {
            guard digest.count == ObjectTemplate.coordinateSize else {
                throw StoreError(.unrepresentable, "the digest does not have 32 bytes")
            }
            return try using(key.wrapped) { (chip, key, session) throws(StoreError) in
                try chip.sign(digest, with: key, session)
            }
        }

        package func sharedSecret(of key: ChipKey, with publicKey: [UInt8]) throws(StoreError) -> Secret {
            guard publicKey.count == 1 + 2 * ObjectTemplate.coordinateSize, publicKey[0] == 4 else {
                throw StoreError(.unrepresentable, "the public key is not on the curve P-256")
            }
            return try using(key.wrapped) { (chip, key, session) throws(StoreError) in
                try chip.agree(with: publicKey, key, session)
            }
        }

        // MARK: Secrets

        private static let maximumByteCount = 128

        package func seal(_ secret: Secret) throws(StoreError) -> [UInt8] {
            guard (1...Self.maximumByteCount).contains(secret.count) else {
                throw StoreError(.unrepresentable, "a TPM seals from 1 to \(Self.maximumByteCount) bytes")
            }
            return try create(.sealed, holding: secret).bytes()
        }

        package func unseal(_ sealed: [UInt8]) throws(StoreError) -> Secret {
            try using(sealed) { (chip, object, session) throws(StoreError) in try chip.unseal(object, session) }
        }

        private func create(_ template: ObjectTemplate, holding secret: Secret?) throws(StoreError) -> WrappedObject {
            try talk { (chip) throws(StoreError) in
                let kind: WrappedObject.Parent = try chip.hasPersistentParent() ? .persistent : .primary
                let parent = try chip.parent(kind)
                let session = try chip.session(salting: parent)
                return try chip.create(template, holding: secret, under: parent, kind, session)
            }
        }

        private func using<Result>(
            _ wrapped: [UInt8], _ body: (TPMConnection, ESYS_TR, ESYS_TR) throws(StoreError) -> Result
        ) throws(StoreError) -> Result {
            let object = try WrappedObject(wrapped)
            return try talk { (chip) throws(StoreError) in
                let parent = try chip.parent(object.parent)
                let session = try chip.session(salting: parent)
                return try body(chip, try chip.load(object, under: parent, session), session)
            }
        }
    }
#endif
