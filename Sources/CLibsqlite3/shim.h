// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

// Swift does not import functions with a variable number of arguments.
static inline int secitem_sqlite3_no_checkpoint_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
