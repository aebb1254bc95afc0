// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import CLibpq
    import Foundation
    import SecItemStore

    /// What a connection string means, together with the service file and the environment, as libpq reads them.
    struct ConnectionOptions {
        /// A host of the list in the string.
        struct Host {
            /// The name, or the folder of a socket. Nil if the string has an address alone, or nothing.
            let name: String?
            /// The address in numbers, if the string has one.
            let address: String?
            /// The port as text; empty for the default port.
            let port: String

            /// The folder of the socket if the string has neither name nor address. Builds of libpq differ in theirs; this is
            /// that of the distributions, which only the server's user may write.
            static let usualFolder = "/var/run/postgresql"

            /// Whether it is a Unix socket: the name is a folder or begins with @, or there is neither name nor address.
            var isSocket: Bool { address == nil && (name.map { $0.hasPrefix("/") || $0.hasPrefix("@") } ?? true) }
        }

        private let values: [String: String]
        private let namedInString: Set<String>
        /// The hosts, in the order of the string.
        let hosts: [Host]

        /// - Throws: ``StoreError/Code/unavailable`` if libpq cannot read the string or its service file. The message
        ///   has no part of the string, which may be a part of a password.
        init(_ connectionString: String) throws(StoreError) {
            guard !connectionString.utf8.contains(0) else { throw Self.unreadable }
            namedInString = try Self.names(in: connectionString)
            values = try Self.effectiveValues(connectionString)
            hosts = try Self.hosts(values)
        }

        /// The value of an option; nil if it is empty.
        subscript(name: String) -> String? { values[name] }

        /// Whether somebody has set the option: in the string, or in the environment by that variable.
        func isNamed(_ name: String, _ variable: String?) -> Bool {
            namedInString.contains(name) || variable.map { SecureExecution.variable($0) != nil } ?? false
        }

        /// The values of `target_session_attrs` to try, one after another. libpq's own second attempt needs to know
        /// all hosts, and it gets one at a time.
        var sessionAttributes: [String] {
            let wanted = values["target_session_attrs"] ?? "any"
            return wanted == "prefer-standby" ? ["standby", "any"] : [wanted]
        }

        // MARK: Reading

        private static let unreadable = StoreError(
            .unavailable,
            "PostgreSQL: the connection string, its service or the environment's PG… variables cannot be read")

        /// Whether libpq takes the text for a connection string, and not for the name of a database.
        private static func isConnectionString(_ text: String) -> Bool {
            text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") || text.contains("=")
        }

        private static func names(in text: String) throws(StoreError) -> Set<String> {
            guard isConnectionString(text) else { return [] }
            var message: UnsafeMutablePointer<CChar>?
            guard let options = PQconninfoParse(text, &message) else {
                // The message quotes the string, so it is dropped.
                PQfreemem(message)
                throw unreadable
            }
            defer { PQconninfoFree(options) }
            return Set(entries(options).keys)
        }

        /// All options with the defaults that libpq would take from a service file and the environment.
        ///
        /// libpq lists them only for a connection. So this creates a connection with a value that libpq refuses before it
        /// does anything.
        private static func effectiveValues(_ text: String) throws(StoreError) -> [String: String] {
            let connection = withParameters([("dbname", text), ("ssl_min_protocol_version", "none")]) {
                PQconnectStartParams($0, $1, 1)
            }
            guard let connection else { throw StoreError(.unavailable, "PostgreSQL: there is not enough memory") }
            defer { PQfinish(connection) }
            guard PQstatus(connection) == CONNECTION_BAD, let options = PQconninfo(connection) else { throw unreadable }
            defer { PQconninfoFree(options) }
            let values = entries(options)
            // If libpq could not read something, such as the service file, only its own defaults are there.
            guard values["ssl_min_protocol_version"] == "none" else { throw unreadable }
            return values
        }

        /// The names and values of a list of libpq's, without passwords.
        static func entries(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
            var result: [String: String] = [:]
            var entry = options
            while let name = entry.pointee.keyword {
                // Neither passwords nor keys are needed here.
                let name = String(cString: name)
                if let value = entry.pointee.val, value.pointee != 0, name != "password", name != "sslpassword" {
                    result[name] = String(cString: value)
                }
                entry += 1
            }
            return result
        }

        private static func hosts(_ values: [String: String]) throws(StoreError) -> [Host] {
            func list(_ name: String) -> [String] {
                values[name]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
            }
            let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
            let count = max(names.count, addresses.count, 1)
            // The same rules as libpq's.
            guard names.isEmpty || names.count == count, addresses.isEmpty || addresses.count == count,
                ports.count <= 1 || ports.count == count
            else {
                throw StoreError(
                    .unavailable, "PostgreSQL: the connection string has unequal numbers of hosts and ports")
            }
            func entry(_ list: [String], _ index: Int) -> String? {
                list.indices.contains(index) && !list[index].isEmpty ? list[index] : nil
            }
            // In a list, an empty port becomes the default port: libpq ignores an empty parameter and would use the
            // string's list.
            let hosts = (0..<count).map { index in
                Host(
                    name: entry(names, index), address: entry(addresses, index),
                    port: ports.count <= 1 ? ports.first ?? "" : entry(ports, index) ?? "5432")
            }
            guard count == 1 || hosts.allSatisfy({ $0.name != nil || $0.address != nil }),
                addresses.isEmpty || hosts.allSatisfy({ $0.address != nil || !$0.isSocket })
            else {
                throw StoreError(
                    .unavailable,
                    "PostgreSQL: the connection string has a host without a name, or a socket with hostaddr")
            }
            return hosts
        }
    }

    /// Gives `body` the parameters as libpq takes them, for the duration of the call.
    func withParameters<Result>(
        _ parameters: [(name: String, value: String)],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let names = parameters.map { strdup($0.name) } + [nil]
        let values = parameters.map { strdup($0.value) } + [nil]
        defer {
            for name in names { free(name) }
            for case let value? in values {
                // A connection string may have a password.
                explicit_bzero(value, strlen(value))
                free(value)
            }
        }
        return body(names.map { UnsafePointer($0) }, values.map { UnsafePointer($0) })
    }
#endif
