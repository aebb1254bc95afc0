// SPDX-License-Identifier: Apache-2.0

#if TPM
    import CTss2

    /// What the chip is told of an object that it shall make.
    struct ObjectTemplate {
        /// The bytes of a number of the curve P-256.
        static let coordinateSize = 32

        let area: TPM2B_PUBLIC

        /// What wraps all others. Its seed is the owner's, so that the template alone says which key it is.
        static let storageKey = curveKey(
            TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT, isStorage: true)

        /// Signs, and agrees on secrets.
        static let key = curveKey(TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_DECRYPT)

        /// Holds a secret of the caller's.
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

        /// Nothing leaves the chip or its parent, and an empty authorisation is enough: without a password there is nothing to
        /// guess, so that no guess locks the chip.
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
