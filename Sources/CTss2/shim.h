// SPDX-License-Identifier: Apache-2.0

// The parts of the TPM 2.0 software stack that the package uses: the enhanced system API, the loader of connections to
// a chip, and the marshalling.

#ifndef SECITEM_TSS2_SHIM_H
#define SECITEM_TSS2_SHIM_H

#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_tctildr.h>

// Swift does not import macros that contain sums.
enum {
    SECITEM_TPM2_RC_INTEGRITY = TPM2_RC_INTEGRITY,
    SECITEM_TPM2_RC_BINDING = TPM2_RC_BINDING,
    SECITEM_TPM2_RC_POINT = TPM2_RC_ECC_POINT,
    SECITEM_TPM2_RC_AUTH_FAIL = TPM2_RC_AUTH_FAIL,
    SECITEM_TPM2_RC_BAD_AUTH = TPM2_RC_BAD_AUTH,
    SECITEM_TPM2_RC_HANDLE = TPM2_RC_HANDLE,
    SECITEM_TPM2_RC_LOCKOUT = TPM2_RC_LOCKOUT,
};

#endif
