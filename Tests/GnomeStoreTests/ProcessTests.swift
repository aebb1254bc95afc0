// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemGnome
import SecItemStore
import TestSupport
import Testing

extension OnARealService {
    /// Tests of a whole process: no file descriptors, many sessions. Each test runs in a process of its own.
    @Suite(.serialized)
    struct ProcessTests {
        private static let role = ProcessInfo.processInfo.environment["SECITEM_PROCESS_ROLE"]

        private func run(_ role: String) throws -> FinishedProgram {
            let bus = try #require(PrivateBus.shared)
            let environment = bus.environment.merging(["SECITEM_PROCESS_ROLE": role]) { $1 }
            return try Program.test("process_doesItsPart", environment: environment).run()
        }

        /// The work of a test's process.
        @Test(.enabled(if: role != nil, "only as a process of one of these tests"))
        func process_doesItsPart() throws {
            let bus = try #require(PrivateBus.shared)
            switch Self.role {
            case "descriptors": try Self.exhaustDescriptors(bus)
            case "sessions": try Self.openManySessions(bus)
            default: Issue.record("no such role")
            }
        }

        private static func say(_ line: String) {
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }

        /// Makes every call, and returns the results.
        private static func useEveryVerb(_ store: LibsecretStore, _ account: String) -> [String] {
            let filter = RecordFilter.password("process", account)
            return [
                code { try store.insert(.password("process", account), interaction: .forbidden) },
                code { _ = try store.all(filter) },
                code { _ = try store.secret(filter) },
                code { _ = try store.update(matching: filter, applying: .secret("x"), interaction: .forbidden) },
                code { _ = try store.delete(matching: filter, interaction: .forbidden) },
            ].map { $0?.name ?? "done" }
        }

        // MARK: Descriptors

        /// Leaves this number of descriptors free while `body` runs.
        private static func withFreeDescriptors(_ count: Int, _ body: () -> Void) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var low = limit
            low.rlim_cur = 512
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
            var taken: [CInt] = []
            while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
            for _ in 0..<count { if let descriptor = taken.popLast() { close(descriptor) } }
            body()
            taken.forEach { close($0) }
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }

        private static func exhaustDescriptors(_ bus: PrivateBus) throws {
            // Once with a connection that must still be made, and once with an open one.
            for isOpen in [false, true] {
                for count in 0...20 {
                    let store = bus.store()
                    if isOpen { _ = try store.status() }
                    var answers: [String] = []
                    withFreeDescriptors(count) {
                        answers = useEveryVerb(store, "few")
                        _ = LibsecretStore.isServiceAvailable(configuration: .init(environment: bus.environment))
                        _ = store.summary
                    }
                    let isStatus = answers.allSatisfy { ["done", "io", "unavailable"].contains($0) }
                    let isEnough = count < 20 || answers.allSatisfy { $0 == "done" }
                    _ = try? store.delete(matching: .password("process", "few"), interaction: .forbidden)
                    let again = useEveryVerb(store, "again").allSatisfy { $0 == "done" }
                    say("\(isOpen) \(count) \(isStatus && isEnough && again ? "good" : "bad \(answers) \(again)")")
                }
            }
        }

        @Test func noDescriptorsLeft_isAStatus_andPasses() throws {
            let result = try run("descriptors")
            let lines = result.lines.filter { $0.hasPrefix("true ") || $0.hasPrefix("false ") }
            #expect(lines.count == 42, "\(result)")
            #expect(lines.allSatisfy { $0.hasSuffix(" good") }, "\(lines)")
        }

        // MARK: Sessions

        private static var residentBytes: Int {
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }

        private static var openDescriptors: Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        }

        private static func openManySessions(_ bus: PrivateBus) throws {
            func open(_ count: Int) throws {
                for _ in 0..<count { try autoreleasing { _ = try bus.store().secret(.password("process", "none")) } }
            }
            try open(100)
            let bytes = residentBytes, descriptors = openDescriptors
            try open(500)
            usleep(200_000)
            say("grown \(residentBytes - bytes) \(openDescriptors - descriptors)")
        }

        private static func autoreleasing(_ body: () throws -> Void) rethrows { try body() }

        @Test func sessions_fiveHundred_leaveNothingBehind() throws {
            let result = try run("sessions")
            let line = try #require(result.lines.first { $0.hasPrefix("grown ") }, "\(result)")
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            // An earlier version leaked 10 kB per session, 5 MB in total.
            #expect(numbers[0] < 1_000_000, "\(line)")
            #expect(numbers[1] <= 4, "\(line)")
        }
    }
}
