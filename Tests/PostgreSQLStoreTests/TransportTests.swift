// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemStore
    import TestSupport
    import Testing

    @testable import SecItemPostgreSQL

    /// TLS, passwords, and which connections to other machines are refused.
    @Suite(.timeLimit(.minutes(60)))
    struct TransportTests {
        private static let one = PostgreSQLCommand("SELECT 1::bigint")

        /// An address of this machine that is not its loopback address, or nil.
        private static var ownAddress: String? {
            var list: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&list) == 0 else { return nil }
            defer { freeifaddrs(list) }
            var next = list
            while let entry = next?.pointee {
                next = entry.ifa_next
                guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET else { continue }
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                getnameinfo(
                    address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST)
                let found = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if !found.hasPrefix("127.") { return found }
            }
            return nil
        }

        /// - Parameter seconds: How long a connection may take. What is expected to be answered has time enough for a
        ///   machine that is slow.
        private func read(
            _ connectionString: String, allowsPlaintext: Bool = false, seconds: Double = 120
        ) -> StoreError? {
            var limits = PostgreSQLLimits.standard
            (limits.call, limits.connecting) = (2 * seconds, seconds)
            let server = PostgreSQLServer(connectionString, allowsPlaintext: allowsPlaintext, limits: limits)
            return storeError { try PostgreSQLDatabase(server).read(Self.one) }
        }

        @Test(.enabled(if: ownAddress != nil)) func otherMachine_hasToProveWhoItIs() throws {
            let server = try PrivateServer()
            try server.control("tls", "db.test", "3")
            let address = try #require(Self.ownAddress)
            func string(_ host: String, _ rest: String) -> String {
                "host=\(host) hostaddr=\(address) port=\(server.port) dbname=secitem user=secitem_app "
                    + "password='application''s password' \(rest)".replacingOccurrences(of: "''", with: "\\'")
            }
            let authority = "sslrootcert=\(server.folder)/ca.crt"
            // Without a word about TLS, the server is verified.
            #expect(read(string("db.test", authority)) == nil)
            #expect(read(string("db.test", authority + " sslmode=verify-full")) == nil)
            // Another name, no authority, and a name that only the address of the server has.
            let wrongName = try #require(read(string("other.test", authority)))
            #expect(wrongName.message.contains("another host"))
            #expect(read(string(address, authority)) != nil)
            let nobody = try #require(read(string("db.test", "sslrootcert=\(server.folder)/none")))
            #expect(nobody.message.contains("there is no file with the authority's certificate"))
            try Data("no certificate".utf8).write(to: URL(fileURLWithPath: server.folder + "/text"))
            let text = try #require(read(string("db.test", "sslrootcert=\(server.folder)/text")))
            #expect(text.message.contains("cannot be read, or has none in it"), "\(text)")
            // verify-ca is asked for by name.
            #expect(read(string("other.test", authority + " sslmode=verify-ca")) == nil)
            // What does not verify, does not connect.
            for mode in ["disable", "allow", "prefer", "require"] {
                let error = try #require(read(string("db.test", authority + " sslmode=" + mode)))
                #expect(error.message.contains("sslmode=\(mode)"))
            }
            #expect(read(string("db.test", "sslmode=require"), allowsPlaintext: true) == nil)
            #expect(read(string("db.test", authority + " gssencmode=prefer")) != nil)
            // Wrong passwords say so, and do not show themselves.
            let wrong = string("db.test", authority).replacingOccurrences(of: "application", with: "hunter2")
            let refused = try #require(read(wrong))
            #expect(refused.code == .unavailable && refused.postgreSQL?.kind == .authentication)
            #expect(!"\(refused)".contains("hunter2"))
            // Another authority with the same name.
            try FileManager.default.moveItem(atPath: server.folder + "/ca.crt", toPath: server.folder + "/old.crt")
            try FileManager.default.removeItem(atPath: server.folder + "/ca.key")
            try server.control("tls", "db.test", "3")
            let forged = try #require(read(string("db.test", "sslrootcert=\(server.folder)/old.crt")))
            #expect(forged.message.contains("not from a trusted authority"), "\(forged)")
            // A certificate that was valid until yesterday.
            try server.control("tls", "db.test", "-1")
            let expired = try #require(read(string("db.test", authority)))
            // libpq does not say which of the two it is.
            #expect(expired.message.contains("is not valid now"), "\(expired)")
        }

        /// What an operator reads in the log, for each way in which a connection cannot be opened.
        @Test func connectionThatCannotBeOpened_saysWhy() throws {
            let server = try PrivateServer()
            // Without TLS, on an address that counts as another machine's.
            try "\nlisten_addresses = '*'\n".data(using: .utf8).map { text in
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: server.folder + "/data/postgresql.conf"))
                file.seekToEndOfFile()
                file.write(text)
                try file.close()
            }
            try server.control("restart")
            try Data().write(to: URL(fileURLWithPath: server.folder + "/empty"))
            if let address = Self.ownAddress {
                let plain = "host=\(address) port=\(server.port) dbname=secitem user=secitem_app"
                for (options, words) in [
                    (" sslrootcert=system", "the server has no TLS"), (" sslmode=require", "sslmode=require"),
                ] {
                    let error = try #require(read(plain + options))
                    #expect(error.message.contains(words), "\(error)")
                }
            }
            for (string, words) in [
                (server.user + " dbname=none", "no such database"),
                (server.user + " user=none", "does not accept the role"),
                ("host=\(server.folder) port=1 dbname=x user=x", "there is no socket for that port"),
                ("host=127.0.0.1 port=1 dbname=x user=x", "no server listens"),
                ("host=name.invalid dbname=x user=x", "has no address"),
                ("postgresql://[", "cannot be read"),
            ] {
                let error = try #require(read(string))
                #expect(error.code == .unavailable && error.message.contains(words), "\(error)")
            }
            try server.freeze()
            let silent = try #require(read(server.user, seconds: 5))
            #expect(silent.message.contains("within the time limit"), "\(silent)")
        }

        @Test func severalHosts_areTriedInTurn() throws {
            let server = try PrivateServer()
            let list =
                "host=/nonexistent,127.0.0.1,\(server.folder) port=1,1,\(server.port) dbname=secitem user=secitem_app"
            #expect(read(list) == nil)
            #expect(read(list + " target_session_attrs=read-write") == nil)
            #expect(read(list + " target_session_attrs=prefer-standby") == nil)
            let standby = try #require(read(list + " target_session_attrs=standby"))
            #expect(standby.code == .unavailable)
        }

        @Test func hostThatNobodyAnswersOn_leavesTimeForTheOthers() throws {
            let server = try PrivateServer()
            let other = try PrivateServer(isStranger: true)
            try other.freeze()
            let list =
                "host=\(other.folder),\(server.folder) port=\(other.port),\(server.port) dbname=secitem user=secitem_app"
            #expect(read(list, seconds: 30) == nil)
        }

        /// While the server is down, any user of the machine may answer in its place.
        @Test func password_isNotShownToWhoeverAnswersWithoutTLS() throws {
            let server = try PrivateServer()
            let string = server.user + " password=hunter2"
            for (encryption, method) in [("scram-sha-256", "password"), ("md5", "md5"), ("scram-sha-256", "md5")] {
                try server.administer(
                    "SET password_encryption = '\(encryption)'; ALTER ROLE secitem_app PASSWORD 'hunter2'")
                try "local all admin peer map=caller\nlocal all all \(method)\n".write(
                    toFile: server.folder + "/data/pg_hba.conf", atomically: false, encoding: .utf8)
                try server.control("restart")
                let error = read(string)
                if Route.canRestrictMethods, (encryption, method) != ("scram-sha-256", "md5") {
                    #expect(error?.message.contains("require_auth") == true, "\(String(describing: error))")
                    #expect(read(string + " require_auth=password,md5") == nil)
                } else {
                    #expect(error == nil)
                }
            }
        }

        // MARK: The rule alone

        /// Every mode, on every kind of address, with every version of libpq.
        @Test func methods_areRestrictedWithoutTLSOnly() throws {
            let host = ConnectionOptions.Host(name: "db.test", address: nil, port: "")
            let addresses = [
                HostAddress.socket, .network("127.0.0.1", isThisMachine: true),
                .network("192.0.2.1", isThisMachine: false),
            ]
            for mode in ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] {
                let options = try ConnectionOptions("dbname=x sslmode=\(mode)")
                for address in addresses {
                    for isKnown in [true, false] {
                        let route = Route(
                            "dbname=x", host, address, nil, "any", options, .standard, canRestrictMethods: isKnown)
                        var isPlain = true
                        if case .network = address { isPlain = ["disable", "allow", "prefer"].contains(mode) }
                        let values = route.parameters.filter { $0.name == "require_auth" }.map(\.value)
                        #expect(values == (isKnown && isPlain ? ["!password,!md5"] : []), "\(mode) \(address)")
                    }
                }
            }
        }

        /// A libpq that shows a password to whoever answers is told where only the server can answer.
        @Test func socketThatAnybodyCanMake_needsTheServersUser() throws {
            let own = try TemporaryFolder(), shared = try TemporaryFolder()
            try #require(chmod(shared.path, 0o1777) == 0)
            for (name, isSafe) in [
                (own.path, true), (own.path + "/missing", true), (shared.path, false), ("@abstract", false),
                (nil, true),
            ] as [(String?, Bool)] {
                let host = ConnectionOptions.Host(name: name, address: nil, port: "")
                for peer in ["", " requirepeer=''", " requirepeer=postgres"] {
                    let options = try ConnectionOptions("dbname=x" + peer)
                    for allowsPlaintext in [true, false] {
                        let error = storeError {
                            try TransportPolicy.requireKnownServer(
                                onSocket: host, options, allowsPlaintext: allowsPlaintext)
                        }
                        let isAllowed = isSafe || allowsPlaintext || peer.hasSuffix("postgres")
                        #expect((error == nil) == isAllowed, "\(name ?? "none") \(peer)")
                        if let error { #expect(error.message.contains("requirepeer")) }
                    }
                    let route = Route(
                        "dbname=x", host, .socket, nil, "any", options, .standard, canRestrictMethods: false)
                    let folder = route.parameters.last { $0.name == "host" }?.value
                    #expect(folder == name ?? "/var/run/postgresql")
                }
            }
        }

        /// Every mode, on every kind of host.
        @Test func policy_lowersNothing() throws {
            let modes = [nil, "disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
            for mode in modes {
                let options = try ConnectionOptions("dbname=x" + (mode.map { " sslmode=\($0)" } ?? ""))
                for isLocal in [true, false] {
                    for allowsPlaintext in [true, false] {
                        let policy = try? TransportPolicy(options, isLocal: isLocal, allowsPlaintext: allowsPlaintext)
                        let isVerified = mode == nil || mode?.hasPrefix("verify") == true
                        #expect((policy != nil) == (isLocal || allowsPlaintext || isVerified))
                        #expect(policy?.mode == (mode == nil && !isLocal ? "verify-full" : nil))
                    }
                }
            }
        }

        @Test func addresses_thatAreThisMachine_areLoopbackOnly() throws {
            let limit = TimeLimit(in: 60)
            for (name, isThisMachine) in [
                ("127.0.0.1", true), ("127.255.0.1", true), ("::1", true), ("localhost", true), ("192.0.2.1", false),
                ("0.0.0.0", false), ("::", false), ("10.0.0.1", false), ("::ffff:192.0.2.1", false),
                ("128.0.0.1", false), ("LocalHost", true),
            ] {
                let host = ConnectionOptions.Host(name: name, address: nil, port: "")
                let addresses = try HostAddress.addresses(of: host, limit)
                #expect(!addresses.isEmpty && addresses.allSatisfy { $0.isThisMachine == isThisMachine }, "\(name)")
            }
        }

        /// The names that /etc/hosts gives to loopback addresses stand for those for which a name server does.
        @Test func name_thatResolvesToALoopbackAddress_isAnotherMachine() throws {
            let lines = try String(contentsOfFile: "/etc/hosts", encoding: .utf8).components(separatedBy: "\n")
            for line in lines {
                let words = (line.components(separatedBy: "#").first ?? "").split(whereSeparator: \.isWhitespace)
                    .map(String.init)
                guard let address = words.first, address.hasPrefix("127.") || address == "::1" else { continue }
                for name in words.dropFirst() {
                    let host = ConnectionOptions.Host(name: name, address: nil, port: "")
                    let isOwn = name == "localhost" || name.hasSuffix(".localhost")
                    for address in (try? HostAddress.addresses(of: host, TimeLimit(in: 60))) ?? [] {
                        #expect(address.isThisMachine == isOwn, "\(name)")
                    }
                }
            }
            // The address decides if there is one.
            let host = ConnectionOptions.Host(name: "db.test", address: "127.0.0.1", port: "")
            #expect(try HostAddress.addresses(of: host, TimeLimit(in: 60)).allSatisfy(\.isThisMachine))
        }
    }
#endif
