// SPDX-License-Identifier: Apache-2.0

#if TPM
    import CTss2
    import SecItemStore

    /// A TPM's object in its stored form: its public area, and its private area, encrypted under its parent.
    struct WrappedObject {
        /// The key in the chip that encrypts it.
        enum Parent: UInt8 {
            /// The key derived from the owner's seed and our template.
            case primary = 0
            /// The key at the handle of the system's storage key.
            case persistent = 1

            static let persistentHandle: UInt32 = 0x8100_0001
        }

        let parent: Parent
        let publicArea: TPM2B_PUBLIC
        let privateArea: TPM2B_PRIVATE

        init(parent: Parent, publicArea: TPM2B_PUBLIC, privateArea: TPM2B_PRIVATE) {
            self.parent = parent
            self.publicArea = publicArea
            self.privateArea = privateArea
        }

        // MARK: Bytes: "SITPM", the version, the parent, then both areas as TPMs write them

        private static let magic: [UInt8] = Array("SITPM".utf8) + [1]
        private static let maximumByteCount = 4096

        /// - Throws: ``StoreError/Code/corrupt`` for anything except ``bytes()``.
        init(_ bytes: [UInt8]) throws(StoreError) {
            let start = Self.magic.count + 1
            guard bytes.count <= Self.maximumByteCount, bytes.count > start, bytes.starts(with: Self.magic),
                let parent = Parent(rawValue: bytes[start - 1])
            else { throw StoreError(.corrupt, "this is not a key or secret that a TPM wrapped") }
            var offset = start
            var area = TPM2B_PUBLIC()
            var wrapped = TPM2B_PRIVATE()
            guard Tss2_MU_TPM2B_PUBLIC_Unmarshal(bytes, bytes.count, &offset, &area) == 0,
                Tss2_MU_TPM2B_PRIVATE_Unmarshal(bytes, bytes.count, &offset, &wrapped) == 0, offset == bytes.count
            else { throw StoreError(.corrupt, "a key or secret that a TPM wrapped is damaged") }
            self.init(parent: parent, publicArea: area, privateArea: wrapped)
        }

        func bytes() throws(StoreError) -> [UInt8] {
            var (area, wrapped) = (publicArea, privateArea)
            var result = [UInt8](repeating: 0, count: Self.maximumByteCount)
            let head = Self.magic + [parent.rawValue]
            result.replaceSubrange(0..<head.count, with: head)
            var offset = head.count
            guard Tss2_MU_TPM2B_PUBLIC_Marshal(&area, &result, result.count, &offset) == 0,
                Tss2_MU_TPM2B_PRIVATE_Marshal(&wrapped, &result, result.count, &offset) == 0
            else { throw StoreError(.io, "the key or secret of the TPM cannot be encoded") }
            return Array(result.prefix(offset))
        }

        /// The public key in X9.63.
        ///
        /// - Throws: ``StoreError/Code/corrupt`` if the object is not a key on the curve P-256.
        func publicKey() throws(StoreError) -> [UInt8] {
            guard publicArea.publicArea.type == TPM2_ALG_ECC,
                publicArea.publicArea.parameters.eccDetail.curveID == TPM2_ECC_NIST_P256
            else { throw StoreError(.corrupt, "the TPM's object is not a key on the curve P-256") }
            let point = publicArea.publicArea.unique.ecc
            return try [4] + point.x.padded() + point.y.padded()
        }
    }
#endif
