// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibpq
    import Logging
    import SecItemStore

    /// Logs what a server says unasked: its code, and never its text.
    enum ServerNotice {
        static let log = KeychainLog("secitem.store")

        /// Logs a warning or notice.
        static func log(_ result: OpaquePointer?) {
            let state = PQresultErrorField(result, Int32(SECITEM_PG_DIAG_SQLSTATE)).map { String(cString: $0) }
            let code = state.flatMap { PostgreSQLFailure.isSQLState($0) ? $0 : nil } ?? "none"
            log().debug("PostgreSQL sent a notice", metadata: ["sqlstate": "\(code)"])
        }

        /// Says that settings and prepared statements are not kept from one transaction to the next.
        static func logPooler() {
            log().once(
                .info,
                "A pooler is between this process and PostgreSQL: statements are not prepared, and time limits are "
                    + "set in each transaction")
        }
    }
#endif
