// SPDX-License-Identifier: Apache-2.0

#if TPM
    import CTss2

    /// The description of an object that the chip should create.
    struct ObjectTemplate {
        /// The size in bytes of a number on the curve P-256.
        static let coordinateSize = 32

        let area: TPM2B_PUBLIC

        /// The key that wraps all others. It is derived from the owner's seed, so the template alone determines it.
        static let storageKey = curveKey(
            TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT, isStorage: true)

        /// A key that signs and agrees on secrets.
        static let key = curveKey(TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_DECRYPT)

        /// An object that holds a caller's secret.
        static let sealed: ObjectTemplate = {
            var area = common(TPM2_ALG_KEYEDHASH, 0)
            area.publicArea.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL
            return ObjectTemplate(area: area)
        }()

        private static func curveKey(_ attributes: TPMA_OBJECT, isStorage: Bool = false) -> ObjectTemplate {
            var area = common(TPM2_ALG_ECC, attributes)
            area.publicArea.parameters.eccDetail.curveID = TPM2_ECC_NIST_P256
            area.publicArea.parameters.eccDetail.scheme.scheme = TPM2_ALG_NULL
            area.publicArea.parameters.eccDetail.kdf.scheme = TPM2_ALG_NULL
            area.publicArea.parameters.eccDetail.symmetric.algorithm = TPM2_ALG_NULL
            if isStorage {
                area.publicArea.parameters.eccDetail.symmetric.algorithm = TPM2_ALG_AES
                area.publicArea.parameters.eccDetail.symmetric.keyBits.aes = 128
                area.publicArea.parameters.eccDetail.symmetric.mode.aes = TPM2_ALG_CFB
            }
            return ObjectTemplate(area: area)
        }

        /// The object never leaves the chip or its parent, and an empty authorisation is enough. Without a password
        /// there is nothing to guess, so wrong guesses cannot lock the chip.
        private static func common(_ type: TPMI_ALG_PUBLIC, _ attributes: TPMA_OBJECT) -> TPM2B_PUBLIC {
            var area = TPM2B_PUBLIC()
            area.publicArea.type = type
            area.publicArea.nameAlg = TPM2_ALG_SHA256
            area.publicArea.objectAttributes =
                attributes | TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_USERWITHAUTH
                | TPMA_OBJECT_NODA
            return area
        }
    }
#endif
