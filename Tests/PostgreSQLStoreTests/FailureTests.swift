// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// What errors of the server become, and that nothing of the server's or the caller's is in them.
    @Suite(.timeLimit(.minutes(60)))
    struct FailureTests {
        private struct Expectation {
            let sqlState: String
            let code: StoreError.Code
            let kind: PostgreSQLFailure.Kind
        }

        @Test func codes_haveTheirMeaning() {
            for row in [
                Expectation(sqlState: "23505", code: .duplicate, kind: .duplicate),
                Expectation(sqlState: "23502", code: .corrupt, kind: .other),
                Expectation(sqlState: "25006", code: .readOnly, kind: .readOnly),
                Expectation(sqlState: "28P01", code: .unavailable, kind: .authentication),
                Expectation(sqlState: "28000", code: .unavailable, kind: .authentication),
                Expectation(sqlState: "40001", code: .unavailable, kind: .serialization),
                Expectation(sqlState: "40P01", code: .unavailable, kind: .serialization),
                Expectation(sqlState: "42501", code: .unavailable, kind: .permission),
                Expectation(sqlState: "42P01", code: .unavailable, kind: .missingTable),
                Expectation(sqlState: "3F000", code: .unavailable, kind: .missingTable),
                Expectation(sqlState: "53100", code: .full, kind: .full),
                Expectation(sqlState: "53300", code: .unavailable, kind: .other),
                Expectation(sqlState: "55P03", code: .unavailable, kind: .timeout),
                Expectation(sqlState: "57014", code: .unavailable, kind: .timeout),
                Expectation(sqlState: "57P01", code: .unavailable, kind: .connectionLost),
                Expectation(sqlState: "57P03", code: .unavailable, kind: .connectionLost),
                Expectation(sqlState: "08006", code: .unavailable, kind: .connectionLost),
                Expectation(sqlState: "ZZZZZ", code: .io, kind: .other),
            ] {
                let error = PostgreSQLFailure.error(sqlState: row.sqlState)
                #expect(error.code == row.code, "\(row)")
                #expect(error.postgreSQL?.kind == row.kind, "\(row)")
                #expect(error.postgreSQL?.sqlState == row.sqlState)
            }
        }

        @Test func textOfTheServer_isInNoError() {
            for text in ["hunter2", "", "23505 hunter2", "hunt2", "\u{1F511}", "2350\u{660}"] {
                let error = PostgreSQLFailure.error(sqlState: text, constraint: "hunter2")
                #expect(error.postgreSQL?.sqlState == nil && error.postgreSQL?.constraint == nil)
                let connecting = ConnectionFailure.error("connection to server failed: FATAL:  \(text)")
                #expect(connecting.postgreSQL?.sqlState == nil)
                #expect(!"\(error)\(connecting)".contains("hunt"))
            }
            #expect(
                PostgreSQLFailure.error(sqlState: "23505", constraint: "item_reference").postgreSQL?.constraint
                    == "item_reference")
        }

        @Test(arguments: [
            "password=hunter2 host", "postgresql://u:hunter2@[/db", "host=a,b port=1,2,3 password=hunter2",
            "service=there-is-none password=hunter2", "host=127.0.0.1 port=1 password=hunter2",
            "host=/nonexistent password=hunter2", "password=hunter2\0", "host=a.invalid password=hunter2",
            "host=127.0.0.1 sslmode=hunter2", "host=192.0.2.1 sslmode=hunter2", "host=192.0.2.1,,c password=hunter2",
            "host=127.0.0.1 port=hunter2", "host=/tmp hostaddr=127.0.0.1,127.0.0.2 password=hunter2",
        ])
        func connectionString_thatLeadsNowhere_isUnavailableWithoutItsPassword(_ text: String) throws {
            var limits = PostgreSQLLimits.standard
            limits.connecting = 2
            let database = PostgreSQLDatabase(PostgreSQLServer(text, limits: limits))
            let error = try #require(storeError { try database.read(PostgreSQLCommand("SELECT 1")) })
            #expect(error.code == .unavailable)
            #expect(!"\(error)".contains("hunter2"))
            let summary = (try? database.summary()) ?? ""
            #expect(!summary.contains("password") && (!summary.contains("hunter2") || text.contains("sslmode")))
        }

        /// libpq takes a connection string for a name where it expects one.
        @Test(arguments: [
            "dbname='postgresql://app:hunter2@host/db'", "dbname='host=h password=hunter2'",
            "postgresql:/app:hunter2@h",
            "POSTGRESQL://app:hunter2@host/db", "user='postgresql://app:hunter2@h'",
            "host='postgresql://app:hunter2@h/db'", "host='postgresql://app:a,hunter2,b@h/db' dbname=x",
        ])
        func summary_ofAStringInTheWrongPlace_hasNoPassword(_ text: String) throws {
            let summary = try PostgreSQLServer(text).summary()
            #expect(!summary.contains("hunter2") && summary.contains("…"), "\(summary)")
        }

        @Test func summary_namesDatabaseAndHosts() throws {
            for (text, summary) in [
                ("postgresql://app:hunter2@b.test,a.test/db", "PostgreSQL database db on a.test, b.test"),
                ("host=/run/postgresql dbname='my db'", "PostgreSQL database my db on /run/postgresql"),
                ("host=@secitem user=app password=hunter2", "PostgreSQL database app on @secitem"),
            ] {
                #expect(try PostgreSQLServer(text).summary() == summary)
            }
        }

        @Test func rights_thatAreMissing_areSaid() throws {
            let server = try PrivateServer()
            try server.administer("CREATE TABLE public.t (n bigint)")
            let error = storeError {
                try server.database(server.user).read(PostgreSQLCommand("SELECT n FROM public.t"))
            }
            #expect(error?.postgreSQL?.kind == .permission)
        }
    }
#endif
