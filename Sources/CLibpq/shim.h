// SPDX-License-Identifier: Apache-2.0

// PostgreSQL's C library, version 14 or newer.

#ifndef SECITEM_LIBPQ_SHIM_H
#define SECITEM_LIBPQ_SHIM_H

#include <libpq-fe.h>

#ifndef LIBPQ_HAS_PIPELINING
#error "libpq 14 or newer is needed"
#endif

// Swift does not import macros that are characters.
enum {
    SECITEM_PG_DIAG_SQLSTATE = PG_DIAG_SQLSTATE,
    SECITEM_PG_DIAG_CONSTRAINT_NAME = PG_DIAG_CONSTRAINT_NAME,
};

#endif
