// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Foundation
    import SecItemSealing
    import SecItemStore

    extension PostgreSQLStore: DiagnosableStore {
        package func diagnosis() -> [StoreDiagnosis] {
            var findings = [fileOfKey] + formerFiles
            let report: ConnectionReport
            do throws(StoreError) {
                report = try database.report()
            } catch {
                return findings + [
                    StoreDiagnosis(
                        "server", .problem, error.message, remedy: "docs/postgresql.md has a table of errors")
                ]
            }
            findings += [report.server, report.transport, report.pooler]
            do throws(StoreError) {
                guard try PostgreSQLSchema.isPresent(database) else {
                    findings.append(try missingTables)
                    return try findings + keyFileOfAnother
                }
                findings.append(
                    StoreDiagnosis("tables", .fine, "the tables have version \(PostgreSQLSchema.version)"))
                let rights = try RoleRights.diagnosis(database)
                findings.append(rights)
                // It would say the same again.
                if rights.level == .problem { return findings }
            } catch {
                return findings + [
                    StoreDiagnosis("tables", .problem, error.message, remedy: "docs/postgresql.md has the statements")
                ]
            }
            // It would say the same again.
            return findings[0].level == .problem ? findings : findings + keychain
        }

        package func isSamePlace(as other: any KeychainStore) throws(StoreError) -> Bool {
            guard let other = other as? PostgreSQLStore, name.utf8.elementsEqual(other.name.utf8) else {
                return false
            }
            if server.hasSameString(as: other.server) { return true }
            // A database has many spellings: names and addresses of its host, sockets, service files. The server knows which one
            // it is, also before there is a keychain.
            return try identity == other.identity
        }

        /// The number of the server's cluster, which its standbys have too, and that of the database in it.
        private var identity: [Int64] {
            get throws(StoreError) {
                let rows = try database.read(
                    .unprepared(
                        """
                        SELECT c.system_identifier, d.oid::bigint FROM pg_catalog.pg_control_system() AS c,
                            pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()
                        """))
                return [try rows.integer(0, 0), try rows.integer(0, 1)]
            }
        }

        private var missingTables: StoreDiagnosis {
            get throws(StoreError) {
                try RoleRights.mayMakeTables(database)
                    ? StoreDiagnosis("tables", .note, "there are no tables; the first add makes them")
                    : StoreDiagnosis(
                        "tables", .problem, "there are no tables, and the role may not make them: the first add fails",
                        remedy: "let the owner of the database make them: docs/postgresql.md has the statements")
            }
        }

        /// Who may read the key file.
        private var fileOfKey: StoreDiagnosis {
            var status = stat()
            if lstat(keyFile.path, &status) != 0 && errno == ENOENT {
                return StoreDiagnosis(
                    "key-file", .note, "\(keyFile.path) does not exist",
                    remedy: keyFile.mustBeSealed
                        ? "let this machine join (security fleet join); for a new database, the first add makes it"
                        : "copy it from a machine that uses this database; for a new database, the first add makes it"
                )
            }
            do throws(StoreError) {
                guard let present = try keyFile.anyPresent() else {
                    throw StoreError(.unavailable, "\(keyFile.path) has vanished")
                }
                if keyFile.mustBeSealed && !present.isSealed {
                    return StoreDiagnosis(
                        "key-file", .problem, keyFile.lack.message, remedy: "run security fleet seal")
                }
                let mode = String(status.st_mode & 0o7777, radix: 8)
                return StoreDiagnosis(
                    "key-file", .fine,
                    "\(keyFile.path) can be read (mode \(mode), user \(status.st_uid))"
                        + (present.isSealed ? ", on this machine alone, whose TPM has sealed it" : ""))
            } catch {
                return StoreDiagnosis("key-file", .problem, error.message, remedy: remedy(error))
            }
        }

        private func remedy(_ error: StoreError) -> String {
            guard keyFile.isSealed, error.code != .corrupt else {
                return "make sure that it is the key file, belongs to this user and has mode 600"
            }
            return
                "make sure that this user may use the TPM (Debian: the group tss), that SECITEM_TPM names the right one if it "
                + "is set, and that the program is built with the trait TPM; if another TPM has sealed the file, restore it "
                + "from a copy, or move it away and let this machine join with an invitation (security fleet join)"
        }

        /// Former key files without the seal that the key file has or should have.
        private var formerFiles: [StoreDiagnosis] {
            guard keyFile.mustBeSealed || keyFile.isSealed else { return [] }
            return keyFile.allFormer.filter { !$0.isSealed }.map {
                StoreDiagnosis(
                    "key-file", .warning,
                    "the TPM has not sealed the former key file \($0.path), which may open the keychains or dumps of before",
                    remedy: "move it to a safe place, or run security fleet seal")
            }
        }

        /// What is wrong with a member's key file if there are no keychains; empty with any other.
        private var keyFileOfAnother: [StoreDiagnosis] {
            get throws(StoreError) {
                guard case .member? = try keyFile.content() else { return [] }
                return [
                    StoreDiagnosis(
                        "keychain", .problem, Self.keyFileOfAnother(keyFile).message,
                        remedy: "move the key file away, name another one, or correct the connection string")
                ]
            }
        }

        /// Whether the key file fits, and whether the keychain is there.
        private var keychain: [StoreDiagnosis] {
            do throws(StoreError) {
                let content = try keyFile.content()
                if case .member? = content, try !KeychainRow.isAnyThere(database) { return try keyFileOfAnother }
                guard content != nil else {
                    guard try KeychainRow.isAnyThere(database) else {
                        return [
                            StoreDiagnosis("keychain", .note, "the database has no keychain; the first add makes one")
                        ]
                    }
                    return [
                        StoreDiagnosis(
                            "keychain", .problem,
                            "the database has keychains, and this machine has no key file for them",
                            remedy:
                                "let this machine join (security fleet join), or copy the key file from a machine that uses "
                                + "this database")
                    ]
                }
                guard try readKeychain(name)?.row != nil else {
                    let text = "the database has no keychain \"\(name)\"; the first add makes it"
                    return [StoreDiagnosis("keychain", .note, text)]
                }
                return [StoreDiagnosis("keychain", .fine, "the keychain \"\(name)\" is there, and the key file fits")]
            } catch {
                return [
                    StoreDiagnosis(
                        "keychain", .problem, error.message,
                        remedy:
                            "let this machine join (security fleet join), use a key file of this database, or correct the "
                            + "connection string")
                ]
            }
        }
    }
#endif
