// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibpq
    import Foundation
    import SecItemStore

    /// Where a database is, and how it is reached.
    package struct PostgreSQLServer: Sendable {
        /// The string as the application or the environment gave it. It may have a password in it.
        private let connectionString: String
        private let allowsPlaintext: Bool
        let limits: PostgreSQLLimits

        /// Describes a database. Nothing is read or reached before the first use.
        ///
        /// - Parameters:
        ///   - connectionString: A connection string or URI, exactly as libpq reads it.
        ///   - allowsPlaintext: Whether a connection to another machine may do without TLS or without verifying the
        ///     server.
        ///   - limits: How long a call may take, and what it may use.
        package init(
            _ connectionString: String, allowsPlaintext: Bool = false, limits: PostgreSQLLimits = .standard
        ) {
            self.connectionString = connectionString
            self.allowsPlaintext = allowsPlaintext
            self.limits = limits
        }

        /// A description for people, without a password: "PostgreSQL database NAME on HOST".
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the string cannot be read.
        package func summary() throws(StoreError) -> String {
            let options = try options()
            let hosts = options.hosts.map { $0.name ?? $0.address ?? "this machine" }
            let database = options["dbname"] ?? options["user"] ?? "of the user's name"
            return "PostgreSQL database \(database) on \(Set(hosts).sorted().joined(separator: ", "))"
        }

        /// The ways to the database, in the order in which they are tried.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the string cannot be read, no host has an address, or the
        ///   string asks for a connection that is not safe.
        func routes(_ limit: TimeLimit) throws(StoreError) -> [Route] {
            let options = try options()
            var found: [(host: ConnectionOptions.Host, address: HostAddress)] = []
            var failure: StoreError?
            for (index, host) in options.hosts.enumerated() {
                do throws(StoreError) {
                    // A name server that does not answer leaves time for the other hosts, and for connecting.
                    let share = limit.seconds / Double(options.hosts.count - index + 1)
                    found += try HostAddress.addresses(of: host, limit.orIn(share)).map { (host, $0) }
                } catch {
                    failure = failure ?? error
                }
            }
            // An unknown host counts as another machine.
            let isLocal = failure == nil && found.allSatisfy(\.address.isThisMachine)
            let mode = try TransportPolicy(options, isLocal: isLocal, allowsPlaintext: allowsPlaintext).mode
            guard !found.isEmpty else {
                throw failure ?? StoreError(.unavailable, "PostgreSQL: the connection string names no host")
            }
            return options.sessionAttributes.flatMap { attributes in
                found.map { Route(connectionString, $0.host, $0.address, mode, attributes, options, limits) }
            }
        }

        private func options() throws(StoreError) -> ConnectionOptions {
            // libpq itself reads PGHOST, PGSERVICEFILE, HOME and more.
            guard !SecureExecution.isActive else {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: a program that runs with more rights than its caller cannot use it, because libpq "
                        + "reads the caller's environment")
            }
            return try ConnectionOptions(connectionString)
        }
    }

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
            // Also where it is the string's own: libpq reads service file and environment again, and finds perhaps another.
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
