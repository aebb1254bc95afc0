// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    /// One way to the database: one address, one port, and what libpq is told besides the string.
    struct Route: Sendable {
        /// Names and values for `PQconnectStartParams`. Later ones count before earlier ones.
        let parameters: [(name: String, value: String)]

        init(
            _ connectionString: String, _ host: ConnectionOptions.Host, _ address: HostAddress, _ mode: String?,
            _ attributes: String, _ options: ConnectionOptions, _ limits: PostgreSQLLimits
        ) {
            // Expanded by libpq, because it comes first and has that name.
            var parameters = [("dbname", connectionString)]
            // libpq leaves out what is empty, and takes the string's own.
            if let name = host.name { parameters.append(("host", name)) }
            if case .network(let numeric, _) = address {
                // The name stays beside the address: certificates and .pgpass have it.
                if host.name == nil { parameters.append(("host", numeric)) }
                parameters.append(("hostaddr", numeric))
            }
            parameters.append(("port", host.port))
            parameters.append(("target_session_attrs", attributes))
            parameters.append(("client_encoding", "UTF8"))
            parameters.append(("fallback_application_name", "secitem"))
            // Also if it is the string's own: libpq reads service file and environment again, and may find another one.
            if let mode = mode ?? options["sslmode"] { parameters.append(("sslmode", mode)) }
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
    }
#endif
