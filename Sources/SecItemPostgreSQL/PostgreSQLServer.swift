// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// Where a database is, and how it is reached.
    package struct PostgreSQLServer: Sendable {
        /// The string as the application or the environment gave it. It may have a password in it.
        private let connectionString: String
        private let allowsPlaintext: Bool
        let limits: PostgreSQLLimits

        /// Describes a database. Nothing is read or reached before it is needed.
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

        /// Whether both were described with the same connection string.
        func hasSameString(as other: PostgreSQLServer) -> Bool { connectionString == other.connectionString }

        /// The same database, with that time for a call and for what it waits for.
        func allowing(seconds: Double) -> PostgreSQLServer {
            var limits = limits
            limits.call = max(seconds, limits.call)
            return PostgreSQLServer(connectionString, allowsPlaintext: allowsPlaintext, limits: limits)
        }

        /// A description for people, without a password: "PostgreSQL database NAME on HOST". A name that may be a
        /// connection string itself, put into the wrong place, is shown as "…".
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if the string cannot be read.
        package func summary() throws(StoreError) -> String {
            let options = try options()
            let hosts = options.hosts.map { $0.name ?? $0.address ?? "this machine" }
            let database = options["dbname"] ?? options["user"] ?? "of the user's name"
            // libpq cuts hosts at commas, and so perhaps a password: if one of them cannot be shown, none is.
            let places = hosts.allSatisfy(Self.isPlain) ? Set(hosts).sorted().joined(separator: ", ") : "…"
            return "PostgreSQL database \(Self.isPlain(database) ? database : "…") on \(places)"
        }

        /// The ports of the hosts, in the order of the connection string; an empty text is the default port.
        ///
        /// - Throws: As ``summary()``.
        func ports() throws(StoreError) -> [String] { try options().hosts.map(\.port) }

        /// Whether the text can be no connection string, nor a part of one with a password. The name of a socket may
        /// begin with @.
        private static func isPlain(_ text: String) -> Bool {
            !text.contains("://") && !text.contains("=") && !text.dropFirst().contains("@")
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
                    found += try HostAddress.addresses(of: host, limit.atMost(share)).map { (host, $0) }
                } catch {
                    failure = failure ?? error
                }
            }
            // An unknown host counts as another machine.
            let isLocal = failure == nil && found.allSatisfy(\.address.isThisMachine)
            let mode = try TransportPolicy(options, isLocal: isLocal, allowsPlaintext: allowsPlaintext).mode
            if !Route.canRestrictMethods {
                for case (let host, .socket) in found {
                    try TransportPolicy.requireKnownServer(
                        onSocket: host, options, allowsPlaintext: allowsPlaintext)
                }
            }
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
#endif
