// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// libpq's service file. One test at a time, because the variable that names the file belongs to the process.
    @Suite(.serialized, .timeLimit(.minutes(60)))
    struct ServiceFileTests {
        @Test func serviceFile_isReadAsLibpqReadsIt() throws {
            let server = try PrivateServer()
            let folder = try TemporaryFolder()
            let path = folder.path + "/services"
            try "[mine]\nhost=\(server.folder)\nport=\(server.port)\ndbname=secitem\nuser=secitem_app\n".write(
                toFile: path, atomically: true, encoding: .utf8)
            setenv("PGSERVICEFILE", path, 1)
            defer { unsetenv("PGSERVICEFILE") }
            func read(_ connectionString: String) -> StoreError? {
                storeError { try server.database(connectionString).read(PostgreSQLCommand("SELECT 1::bigint")) }
            }
            #expect(read("service=mine") == nil)
            #expect(read("postgresql:///secitem?service=mine") == nil)
            #expect(read("service=other") != nil)
            #expect(try PostgreSQLServer("service=mine").summary().contains(server.folder))
        }

        /// Between the check of the options and the connection, the file may change.
        @Test func options_thatWereChecked_areThoseThatAreUsed() throws {
            let server = try PrivateServer()
            try server.control("tls", "db.test", "3")
            let folder = try TemporaryFolder()
            let path = folder.path + "/services"
            setenv("PGSERVICEFILE", path, 1)
            defer { unsetenv("PGSERVICEFILE") }
            func connect(_ before: String, _ after: String, _ string: String) throws -> StoreError? {
                try "[mine]\n\(before)\n".write(toFile: path, atomically: true, encoding: .utf8)
                let routes = try PostgreSQLServer("service=mine " + string).routes(TimeLimit(in: 60))
                try "[mine]\n\(after)\n".write(toFile: path, atomically: true, encoding: .utf8)
                return storeError { try PostgreSQLConnection.open(routes, .standard, TimeLimit(in: 60)) }
            }
            let socket = "host=\(server.folder) port=\(server.port) dbname=secitem user=secitem_app"
            #expect(try connect("connect_timeout=9", "connect_timeout=8", socket) == nil)
            #expect(try connect("requirepeer=nobody-else", "connect_timeout=9", socket) != nil)
            #expect(try connect("channel_binding=require", "channel_binding=disable", socket) != nil)
            let tls =
                "host=db.test hostaddr=127.0.0.1 port=\(server.port) dbname=secitem user=secitem_app "
                + "password='application\\'s password' sslmode=verify-full"
            #expect(try connect("sslrootcert=\(server.folder)/ca.crt", "sslrootcert=/nonexistent", tls) == nil)
            #expect(try connect("sslrootcert=/nonexistent", "sslrootcert=\(server.folder)/ca.crt", tls) != nil)
        }
    }
#endif
