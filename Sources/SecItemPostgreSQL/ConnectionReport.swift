// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// What is known of an open connection, for people. It has no password.
    struct ConnectionReport: Sendable {
        /// The server's version, as "15.4".
        let serverVersion: String
        /// The role that the server has accepted.
        let role: String
        /// The folder of the socket, or the name or address of the host.
        let host: String
        /// Whether the connection is a Unix socket.
        let isSocket: Bool
        /// The version of TLS, or nil without it.
        let tls: String?
        /// libpq's word for how the server is verified.
        let verification: String
        /// Whether a pooler is between this process and the server.
        let isPooled: Bool
        /// Whether the server accepts no changes.
        let isStandby: Bool

        /// The server and the role.
        var server: StoreDiagnosis {
            let text = "PostgreSQL \(serverVersion) on \(host) accepts the role \(role)"
            guard isStandby else { return StoreDiagnosis("server", .fine, text) }
            return StoreDiagnosis(
                "server", .warning, text + "; it is a standby and accepts no changes",
                remedy: "name all servers, and add target_session_attrs=read-write")
        }

        /// How the connection is protected.
        var transport: StoreDiagnosis {
            if isSocket { return StoreDiagnosis("tls", .fine, "the connection is a socket of this machine") }
            guard let tls else {
                return StoreDiagnosis("tls", .note, "the connection has no TLS; over a network, others can read it")
            }
            switch verification {
            case "verify-full": return StoreDiagnosis("tls", .fine, "\(tls), and the server is verified")
            case "verify-ca":
                return StoreDiagnosis(
                    "tls", .note, "\(tls); the server's authority is verified, and its name is not",
                    remedy: "set sslmode=verify-full, unless the names of the certificates cannot fit")
            default:
                return StoreDiagnosis(
                    "tls", .warning, "\(tls), but nobody verifies the server (sslmode \(verification))",
                    remedy: "set sslmode=verify-full and sslrootcert")
            }
        }

        var pooler: StoreDiagnosis {
            isPooled
                ? StoreDiagnosis("pooler", .note, "a pooler is between this process and PostgreSQL")
                : StoreDiagnosis("pooler", .fine, "no pooler is between this process and PostgreSQL")
        }
    }
#endif
