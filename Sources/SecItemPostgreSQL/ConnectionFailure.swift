// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    /// Why a connection could not be opened, read from libpq's message.
    ///
    /// libpq gives no code for this. Its message may quote what the server sent, and a hostile server could send back the
    /// password. So the message is compared with what is known, and no part of it goes further.
    enum ConnectionFailure {
        private struct Phrase {
            let words: String
            let kind: PostgreSQLFailure.Kind
            let message: String
        }

        private static let phrases: [Phrase] = [
            Phrase(
                words: "could not read root certificate file", kind: .other,
                message: "the file with the authority's certificate (sslrootcert) cannot be read, or has none in it"),
            Phrase(
                words: "root certificate file", kind: .other,
                message: "there is no file with the authority's certificate to verify the server with: name it in "
                    + "sslrootcert, or put it into ~/.postgresql/root.crt"),
            Phrase(
                words: "does not match host name", kind: .other,
                message: "the server's certificate is for another host"),
            Phrase(
                words: "certificate has expired", kind: .other,
                message: "the server's certificate has expired: renew it"),
            Phrase(
                words: "certificate verify failed", kind: .other,
                message: "the server's certificate is not from a trusted authority, or is not valid now"),
            Phrase(
                words: "alert certificate expired", kind: .authentication,
                message: "the client's certificate has expired"),
            Phrase(
                words: "local user with ID", kind: .authentication,
                message: "the connection string names no role, and the process's user has no name: add user="),
            Phrase(words: "SSL error", kind: .other, message: "TLS with the server failed"),
            Phrase(words: "does not support SSL", kind: .other, message: "the server has no TLS: set ssl = on there"),
            Phrase(
                words: "no password supplied", kind: .authentication,
                message: "the server requires a password: put it into the password file"),
            Phrase(
                words: "authentication method requirement", kind: .other,
                message: "the server asks for the password in a way that would reveal it: use SCRAM or TLS there, or "
                    + "name the accepted ways in require_auth"),
            Phrase(
                words: "has group or world access", kind: .authentication,
                message: "others may read the file with the client's key: chmod 600"),
            Phrase(words: "session is read-only", kind: .readOnly, message: "the server accepts no changes"),
            Phrase(words: "server is in hot standby mode", kind: .readOnly, message: "the server is a standby"),
            Phrase(words: "server is not in hot standby mode", kind: .other, message: "the server is not a standby"),
            Phrase(words: "session is not read-only", kind: .other, message: "the server accepts changes"),
            Phrase(
                words: "Connection refused", kind: .unreachable, message: "no server listens at that address and port"),
            Phrase(
                words: "No such file or directory", kind: .unreachable,
                message: "there is no socket for that port in that folder"),
            Phrase(words: "Permission denied", kind: .other, message: "this user may not use the socket"),
            Phrase(words: "No route to host", kind: .unreachable, message: "there is no way to the host"),
            Phrase(words: "Network is unreachable", kind: .unreachable, message: "there is no way to the host"),
        ]

        /// The error for a message of libpq's with the verbosity `PQERRORS_SQLSTATE`.
        static func error(_ message: String) -> StoreError {
            if let sqlState = sqlState(message) {
                // Whatever the code: nobody has been let in, so nothing is a duplicate or stored, and there is no table.
                let error = PostgreSQLFailure.error(sqlState: sqlState)
                let kind = error.postgreSQL?.kind ?? .other
                let isPossible = kind == .authentication || kind == .permission || kind == .connectionLost
                return StoreError(
                    .unavailable,
                    isPossible || error.code == .unavailable && kind == .other
                        ? error.message : "PostgreSQL: the server cannot be reached",
                    underlying: PostgreSQLFailure(isPossible ? kind : .other, sqlState: sqlState))
            }
            let found = phrases.first { message.contains($0.words) }
            return StoreError(
                .unavailable, "PostgreSQL: " + (found?.message ?? "the server cannot be reached"),
                underlying: PostgreSQLFailure(found?.kind ?? .unreachable))
        }

        /// The code at the end of "…: FATAL:  28P01".
        private static func sqlState(_ message: String) -> String? {
            let last = message.split(whereSeparator: \.isNewline).last ?? ""
            let words = last.split(separator: " ")
            guard words.count > 1, let code = words.last, words[words.count - 2].hasSuffix(":") else { return nil }
            return PostgreSQLFailure.isSQLState(String(code)) ? String(code) : nil
        }
    }
#endif
