// SPDX-License-Identifier: Apache-2.0

#if Gnome || Desktop
    import Foundation
    import SecItemShim
    import TestSupport
    import Testing

    /// The libraries that a program needs on its machine. libsecret and GLib are not among them.
    @Suite struct NeededLibrariesTests {
        private static let optional = [
            "libsecret-1.so.0", "libgio-2.0.so.0", "libgobject-2.0.so.0", "libglib-2.0.so.0",
        ]

        /// Neither the program nor a library that it links refers to them.
        @Test func program_linksNothingOfTheSecretService() throws {
            let dynamic = try Program("readelf", ["-d", Probe.path]).output()
            #expect(dynamic.contains("(NEEDED)"))
            let libraries = try Program("ldd", [Probe.path]).output()
            #expect(libraries.contains("libc.so"))
            for library in Self.optional {
                #expect(!dynamic.contains(library) && !libraries.contains(library), "\(library)")
            }
        }

        /// They are loaded when the program looks for a Secret Service, and not before.
        @Test func libraries_areLoadedWhenAServiceIsLookedFor() throws {
            let folder = try TemporaryFolder()
            let embedded = try loaded(["SECITEM_DIRECTORY": folder.path + "/keychain"])
            #expect(embedded.lines == ["-25300", "libsqlite3.so.0"])
            let looking = try loaded(
                ["HOME": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus"])
            #expect(looking.lines == ["-25300", "libsqlite3.so.0"] + Self.optional)
        }

        private func loaded(_ environment: [String: String]) throws -> Probe {
            try Probe(["loaded", "one", "libsqlite3.so.0"] + Self.optional, environment: environment)
        }
    }

    /// A container with the program, the libraries that it links, and `/proc`, from which Swift reads the arguments. It
    /// has no other files.
    @Suite(.enabled(if: Root.isHere, Root.reason)) struct BareContainerTests {
        private let root: TemporaryFolder

        init() throws {
            root = try TemporaryFolder()
            try root.make("home", mode: 0o700)
            try root.make("proc")
            let program = try Probe.path
            try copy(program, to: "/KeychainProbe")
            // Either "libc.so.6 => /lib/libc.so.6 (0x…)", or the path of the loader alone.
            for line in try Program("ldd", [program]).output().split(separator: "\n") {
                guard let path = line.split(separator: " ").first(where: { $0.contains("/") }) else { continue }
                let library = line.contains("=>") ? line.split(separator: " ")[2] : path.drop { $0 == "\t" }
                try copy(String(library), to: String(library))
            }
        }

        private func copy(_ file: String, to path: String) throws {
            try root.make(String((path as NSString).deletingLastPathComponent.drop { $0 == "/" }))
            let original = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
            try Program.copy(original, to: root.path + path)
        }

        private func probe(_ command: String..., adding variables: [String: String] = [:]) throws -> Probe {
            let environment = ["HOME": "/home", "SECITEM_APPLICATION_IDENTIFIER": "app"]
            return try Probe(
                command[0], command.last ?? "", environment: environment.merging(variables) { $1 },
                through: ["unshare", "--mount", "sh", "-c", enter, root.path], executable: "/KeychainProbe")
        }

        /// Runs a command line in the container. Its first word is the container's folder.
        private let enter = "mount --rbind /proc $0/proc && exec chroot $0 \"$@\""

        private static let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/bus"]

        private var hasEmbeddedStore: Bool {
            FileManager.default.fileExists(atPath: root.path + "/home/.local/share/secitem")
        }

        @Test func withoutBus_isTheEmbeddedStore() throws {
            for command in ["add", "find", "delete"] {
                let probe = try probe(command, "one")
                #expect(probe.lines == ["0"] && probe.errors == "", "\(probe.errors)")
            }
            let summary = try probe("summary").lines.joined()
            #expect(summary.contains("/home/.local/share/secitem"), "\(summary)")
            #expect(hasEmbeddedStore)
        }

        // MARK: Without anything else

        /// What a container has beside the program and its libraries.
        enum Part: String, CaseIterable { case proc, devices, home, identifier }

        /// Runs a command of the probe in a container that has only these parts. Neither has it `/etc`.
        private func probe(_ command: String, in parts: Set<Part>) throws -> Probe {
            var environment = ["PROBE_ARGUMENTS": command + " one", "SECITEM_LOG": "debug"]
            environment["HOME"] = parts.contains(.home) ? "/home" : nil
            environment["SECITEM_APPLICATION_IDENTIFIER"] = parts.contains(.identifier) ? "app" : nil
            var mounts = ""
            if parts.contains(.proc) { mounts += "mount --rbind /proc $0/proc && " }
            if parts.contains(.devices) { mounts += "mkdir -p $0/dev && mount --rbind /dev $0/dev && " }
            let enter = mounts + "exec chroot $0 \"$@\""
            return try Probe(
                command, "one", environment: environment,
                through: ["unshare", "--mount", "sh", "-c", enter, root.path],
                executable: "/KeychainProbe")
        }

        /// No call ends the process, whatever is missing. Without a home, there is no place for the store.
        @Test(arguments: 0..<(1 << Part.allCases.count))
        func anyPartMissing_isNoTrap(_ chosen: Int) throws {
            let parts = Set(Part.allCases.enumerated().filter { chosen >> $0.offset & 1 == 1 }.map(\.element))
            let expected = parts.contains(.home) ? "0" : "\(errSecNotAvailable)"
            for command in ["add", "find", "delete"] {
                let probe = try probe(command, in: parts)
                #expect(probe.lines == [expected] && probe.status == 0, "\(parts) \(command): \(probe)")
                let isTold = probe.errors.contains("/proc is not mounted")
                #expect(isTold == parts.isDisjoint(with: [.proc, .identifier]), "\(parts): \(probe.errors)")
            }
        }

        /// The name is the same with and without `/proc`, also of a program that was started through a link.
        @Test func name_isThatOfTheProgram_withoutProc() throws {
            for parts in [[], [Part.proc]] as [Set<Part>] {
                #expect(try probe("identity", in: parts).lines.last == "KeychainProbe")
            }
        }

        /// There may be a Secret Service: the summary and the log say why it is not used.
        @Test func withBus_saysWhatIsMissing() throws {
            for command in ["add", "find"] {
                let probe = try probe(command, "one", adding: Self.bus)
                #expect(probe.lines == ["0"], "\(probe.errors)")
                #expect(probe.errors.contains("libsecret-1-0") == (command == "add"), "\(probe.errors)")
            }
            let summary = try probe(
                "summary", adding: Self.bus.merging(["SECITEM_APPLICATION_IDENTIFIER": "new"]) { $1 })
            #expect(summary.lines.joined().contains("libsecret-1-0"), "\(summary.lines)")
        }

        /// If the program asked for the Secret Service, or it has the application's items, no other store replaces it.
        @Test(arguments: [true, false]) func whereTheServiceIsMeant_isRefused(_ isAskedFor: Bool) throws {
            if !isAskedFor {
                let state = try root.make("home/.local/state/secitem", mode: 0o700)
                try Data("secret-service\n".utf8).write(to: URL(fileURLWithPath: state + "/app.store"))
            }
            for command in ["find", "add", "delete"] {
                let variables = isAskedFor ? ["SECITEM_STORE": "secret-service"] : [:]
                let probe = try probe(command, "one", adding: Self.bus.merging(variables) { $1 })
                #expect(probe.lines == ["-25291"])
                #expect(probe.errors.contains("libsecret-1-0"), "\(probe.errors)")
            }
            #expect(!hasEmbeddedStore)
        }
    }
#endif
