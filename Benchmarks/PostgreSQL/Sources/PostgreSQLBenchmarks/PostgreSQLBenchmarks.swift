// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Compares the keychain in PostgreSQL with the same statements through libpq alone, and prints tables. To be run by
/// `Scripts/postgresql/with-postgresql`. Usage: `PostgreSQLBenchmarks ROWS`, the number of rows of a large table.
@main
struct PostgreSQLBenchmarks {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let environment = ProcessInfo.processInfo.environment
        guard let owner = environment["SECITEM_TEST_POSTGRESQL_OWNER"],
            let admin = environment["SECITEM_TEST_POSTGRESQL_ADMIN"], let first = arguments.first
        else {
            throw BareDatabase.Failure(message: "run it with Scripts/postgresql/with-postgresql")
        }
        if first == "work" {
            let keychain = Keychain(owner, name: arguments[4], keyFile: arguments[5])
            print(
                try ManyProcesses.work(
                    arguments[1], arguments[2], Double(arguments[3]) ?? 1, keychain, Int(arguments[6]) ?? 1))
            return
        }
        let folder = NSTemporaryDirectory() + "/secitem-benchmark-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try BareDatabase(preparing: owner, admin, keyFile: folder + "/key")
        let rows = Int(first) ?? 1_000_000
        print(header)
        for size in [10, 1_000] {
            for row in try Place(database, owner, folder + "/key", size: size).measure() { print(row) }
        }
        let large = try Place(database, owner, folder + "/key", size: 10, name: "large")
        try large.fill(to: rows)
        print(try large.measureFind(rows))
        let small = try Place(database, owner, folder + "/key", size: 10, name: "small")
        print("\n" + (try Place.growth(small, large, rows)))
        print("\n| work | one process, calls in a second | eight processes | ratio |\n| --- | ---: | ---: | ---: |")
        for row in try ManyProcesses(arguments: ["1000", folder + "/key", "1000"]).rows(3) { print(row) }
    }

    static let header = """
        | operation | items | libpq | keychain | medians ÷ libpq | minima ÷ libpq |
        | --- | ---: | ---: | ---: | ---: | ---: |
        """
}

extension BareDatabase {
    /// Makes the tables, by an add, and lets the server wait for its disk, as one that is used.
    convenience init(preparing owner: String, _ admin: String, keyFile: String) throws {
        try Keychain(owner, name: "first", keyFile: keyFile).add("account")
        try self.init(admin)
        for setting in ["fsync = on", "max_wal_size = '4GB'", "checkpoint_timeout = '1h'"] {
            try ask("ALTER SYSTEM SET \(setting)")
        }
        try ask("SELECT pg_reload_conf()")
    }
}
