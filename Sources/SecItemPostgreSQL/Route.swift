// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibpq

    /// One way to the database: one address, one port, and what libpq is told besides the string.
    struct Route: Sendable {
        /// Names and values for `PQconnectStartParams`. Later ones count before earlier ones.
        let parameters: [(name: String, value: String)]

        /// - Parameters:
        ///   - connectionString: As the application or the environment gave it.
        ///   - host: A host of the string, and `address`, one of its addresses.
        ///   - mode: The `sslmode` that replaces the string's, or nil.
        ///   - attributes: The value of `target_session_attrs`.
        ///   - options: What the string means.
        ///   - limits: How long a call may take.
        ///   - canRestrictMethods: Whether libpq knows `require_auth`.
        init(
            _ connectionString: String, _ host: ConnectionOptions.Host, _ address: HostAddress, _ mode: String?,
            _ attributes: String, _ options: ConnectionOptions, _ limits: PostgreSQLLimits,
            canRestrictMethods: Bool = Self.canRestrictMethods
        ) {
            // Expanded by libpq, because it comes first and has that name.
            var parameters = [("dbname", connectionString)]
            // libpq leaves out what is empty, and takes the string's own.
            if let name = host.name { parameters.append(("host", name)) }
            // The folder that was checked.
            if host.name == nil, host.isSocket, !canRestrictMethods {
                parameters.append(("host", ConnectionOptions.Host.usualFolder))
            }
            if case .network(let numeric, _) = address {
                // The name stays beside the address: certificates and .pgpass have it.
                if host.name == nil { parameters.append(("host", numeric)) }
                parameters.append(("hostaddr", numeric))
            }
            parameters.append(("port", host.port))
            parameters.append(("target_session_attrs", attributes))
            parameters.append(("client_encoding", "UTF8"))
            parameters.append(("fallback_application_name", "secitem"))
            // Also if they are the string's own: libpq reads service file and environment again, and may find others.
            let mode = mode ?? options["sslmode"]
            if let mode { parameters.append(("sslmode", mode)) }
            for name in ["sslrootcert", "requirepeer", "channel_binding"] {
                if let value = options[name] { parameters.append((name, value)) }
            }
            if let methods = options["require_auth"] {
                parameters.append(("require_auth", methods))
            } else if canRestrictMethods, Self.doesWithoutTLS(address, mode) {
                // While the server is down, any user of this machine may be the one who answers.
                parameters.append(("require_auth", "!password,!md5"))
            }
            // Kerberos asks a server of its own, for as long as that takes.
            if !options.isNamed("gssencmode", "PGGSSENCMODE") { parameters.append(("gssencmode", "disable")) }
            // A connection that nothing answers on is noticed.
            for (name, value) in [
                ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
                ("tcp_user_timeout", String(Int(limits.call * 1_000))),
            ] where !options.isNamed(name, nil) {
                parameters.append((name, value))
            }
            self.parameters = parameters
        }

        /// Whether libpq knows `require_auth`: an older one refuses it.
        static var canRestrictMethods: Bool { PQlibVersion() >= 16_00_00 }

        /// Whether the server can have the connection without TLS.
        private static func doesWithoutTLS(_ address: HostAddress, _ mode: String?) -> Bool {
            guard case .network = address else { return true }
            return ["disable", "allow", "prefer"].contains(mode ?? "prefer")
        }
    }
#endif
