// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore
    import TestSupport

    /// A PostgreSQL server of a test's own (`Scripts/postgresql/with-postgresql`). It is gone with the value.
    final class PrivateServer: Sendable {
        /// What a role with few rights connects with: it may use the tables, and make none.
        let user: String
        /// What the owner of the database connects with.
        let owner: String
        /// What the superuser connects with.
        let admin: String
        /// What the role with few rights connects with to the standby, if there is one.
        let standby: String
        /// The folder of the socket, the data and, with TLS, the authority's certificate.
        let folder: String
        /// The port of the socket's name, and of TLS.
        let port: String
        private let control: String
        private let script: RunningProgram

        /// - Parameters:
        ///   - disk: A folder that gets a small disk of its own, for the server alone. Only root can do this.
        ///   - isStranger: Whether its database is another one than that of all other servers. Takes a second longer.
        init(withSmallDiskAt disk: String? = nil, isStranger: Bool = false) throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            var command = [
                root.appendingPathComponent("Scripts/postgresql/with-postgresql").path, "bash", "-c",
                "env | grep ^SECITEM_TEST_POSTGRESQL; echo ready; cat",
            ]
            if let disk { command = Self.withSmallDisk(disk) + command }
            var program = Program(command[0], Array(command.dropFirst()))
            program.environment = program.environment.filter { !$0.key.hasPrefix("PG") }
            if isStranger { program.environment["SECITEM_POSTGRESQL_TEMPLATE"] = nil }
            // It ends with its standard input.
            script = try program.start()
            try script.waitFor(line: "ready")
            var values: [String: String] = [:]
            for line in script.outputSoFar.components(separatedBy: "\n") {
                guard let separator = line.firstIndex(of: "=") else { continue }
                values[String(line[..<separator])] = String(line[line.index(after: separator)...])
            }
            func value(_ name: String) -> String { values["SECITEM_TEST_POSTGRESQL" + name] ?? "" }
            user = value("")
            standby = value("_STANDBY")
            owner = value("_OWNER")
            admin = value("_ADMIN")
            folder = value("_FOLDER")
            port = value("_PORT")
            control = value("_CONTROL")
        }

        deinit {
            for process in (try? processes()) ?? [] { kill(process, SIGCONT) }
            _ = try? script.waitUntilExit()
        }

        /// What a program is started with that has such a disk. The disk is gone with its last process.
        private static func withSmallDisk(_ folder: String) -> [String] {
            let mount = "mount -t tmpfs -o size=4m,mode=700,uid=$(id -u postgres) tmpfs \"$0\" && exec \"$@\""
            return ["unshare", "--mount", "bash", "-c", mount, folder]
        }

        /// Whether this user may make such a disk.
        static let canHaveSmallDisk: Bool = {
            guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
            let command = withSmallDisk(folder.path) + ["true"]
            return (try? Program(command[0], Array(command.dropFirst())).run().status) == 0
        }()

        // MARK: Use

        /// The database, as that role uses it.
        func database(_ connectionString: String, _ change: (inout PostgreSQLLimits) -> Void = { _ in })
            -> PostgreSQLDatabase
        {
            var limits = PostgreSQLLimits.standard
            change(&limits)
            return PostgreSQLDatabase(PostgreSQLServer(connectionString, limits: limits))
        }

        /// Runs statements as the superuser.
        @discardableResult
        func administer(_ sql: String) throws -> String {
            try Program("psql", ["-qXAt", "-v", "ON_ERROR_STOP=1", admin]).output(input: sql)
        }

        /// Starts, stops, kills, restarts or reloads the server, or lets it use TLS.
        func control(_ arguments: String...) throws {
            try Program(control, arguments).output()
        }

        // MARK: Processes

        /// The server's processes, the first of which started the others.
        private func processes() throws -> [pid_t] {
            let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
            guard let first = text.components(separatedBy: "\n").first.flatMap({ pid_t($0) }) else { return [] }
            let children = try String(contentsOfFile: "/proc/\(first)/task/\(first)/children", encoding: .utf8)
            return [first] + children.split(separator: " ").compactMap { pid_t($0) }
        }

        /// Makes the server answer nobody, while its sockets stay open.
        func freeze() throws {
            for process in try processes() { kill(process, SIGSTOP) }
        }

        /// Makes it go on.
        func thaw() throws {
            for process in try processes() { kill(process, SIGCONT) }
        }
    }

    /// The error that `body` throws, or nil.
    func storeError<Result>(_ body: () throws -> Result) -> StoreError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? StoreError
        }
    }
#endif
