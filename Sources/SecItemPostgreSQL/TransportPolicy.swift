// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Glibc
    import SecItemStore

    /// Decides how a connection is protected on its way.
    ///
    /// The rows are sealed. But somebody who reads the traffic sees when which keychain is used, and somebody who answers
    /// in the server's place can restore old rows or drop new ones. So another machine must prove its identity.
    struct TransportPolicy {
        /// The `sslmode` that replaces the string's, or nil if the string's own counts.
        let mode: String?

        /// - Parameters:
        ///   - options: What the string means.
        ///   - isLocal: Whether all hosts are sockets and loopback addresses.
        ///   - allowsPlaintext: Whether someone has asked by name for connections that are not protected.
        /// - Throws: ``StoreError/Code/unavailable`` if the string asks for less than it may.
        init(_ options: ConnectionOptions, isLocal: Bool, allowsPlaintext: Bool) throws(StoreError) {
            let wanted = options["sslmode"] ?? "prefer"
            // libpq's own default cannot be told from the same word in a service file. It is the weaker of the two.
            let isDefault = wanted == "prefer" && !options.isNamed("sslmode", "PGSSLMODE")
            if isLocal {
                mode = nil
            } else if isDefault {
                mode = "verify-full"
            } else if Self.verifyingModes.contains(wanted) || allowsPlaintext {
                mode = nil
            } else {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: sslmode=\(Self.knownModes.contains(wanted) ? wanted : "…") does not verify another "
                        + "machine; use verify-full, or set SECITEM_POSTGRESQL_PLAINTEXT=allowed to do without")
            }
            // Kerberos' encryption takes the place of TLS, and verifies the host by its own name.
            if !isLocal, !allowsPlaintext, options.isNamed("gssencmode", "PGGSSENCMODE"),
                options["gssencmode"] != "disable"
            {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: gssencmode takes the place of TLS on the way to another machine; leave it out, or set "
                        + "SECITEM_POSTGRESQL_PLAINTEXT=allowed")
            }
        }

        /// Checks who can answer on a socket, for a libpq that shows a password to whoever answers: one that does not know
        /// `require_auth`.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if every user can put a socket into its folder, and the string does not
        ///   name the server's user.
        static func requireKnownServer(
            onSocket host: ConnectionOptions.Host, _ options: ConnectionOptions, allowsPlaintext: Bool
        ) throws(StoreError) {
            if allowsPlaintext || options["requirepeer"]?.isEmpty == false { return }
            var status = stat()
            let name = host.name ?? ConnectionOptions.Host.usualFolder
            guard name.hasPrefix("/"), stat(name, &status) != 0 || status.st_mode & S_IWOTH == 0 else {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: with a libpq older than 16, any user could answer on this socket and be told the "
                        + "password; name its folder, which not everybody may write, or the user who runs the server, "
                        + "as in requirepeer=postgres")
            }
        }

        private static let verifyingModes = ["verify-ca", "verify-full"]
        private static let knownModes = ["disable", "allow", "prefer", "require"]
    }
#endif
