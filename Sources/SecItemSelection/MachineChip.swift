// SPDX-License-Identifier: Apache-2.0

import SecItemStore

#if TPM
    import SecItemTPM
#endif

/// The chip of this machine that makes keys and seals secrets.
enum MachineChip {
    /// The chip. Nil if there is none, or if the package was built without the trait for it.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if there is one that this user may not use.
    static func find(environment: [String: String]) throws(StoreError) -> (any SecurityChip)? {
        #if TPM
            return try TPMChip.find(environment: environment)
        #else
            return nil
        #endif
    }

    static var absence: StoreError {
        #if TPM
            StoreError(.unavailable, "there is no TPM: /dev/tpmrm0 does not exist, and SECITEM_TPM names no other")
        #else
            StoreError(.unavailable, "a TPM is configured, but the package was built without its trait TPM")
        #endif
    }
}
