// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

@testable import SecItemSQLite
@testable import SecItemSelection
@testable import SecItemShim

/// Environment variables for the embedded store.
@Suite(.timeLimit(.minutes(30))) struct EmbeddedVariableTests {
    private let folder: TemporaryFolder

    init() throws {
        // In memory, like a run-time folder.
        folder = try TemporaryFolder(in: "/dev/shm")
    }

    /// The store sees a network file system here.
    @Test(arguments: [nil, "", "1", "Allowed", "allowed"]) func networkFolder_isUsed_onlyIfItIsAllowed(
        _ value: String?
    ) throws {
        var environment = ["HOME": folder.path, "SECITEM_STORE": "embedded"]
        environment["SECITEM_NETWORK_FOLDER"] = value
        let given = environment
        let item = [kSecClass: kSecClassGenericPassword] as CFDictionary
        let nfs = FileSystem(number: 0x6969) { nil }
        let expected = value == "allowed" ? errSecSuccess : errSecNotAvailable
        for directory in [nil, folder.path + "/directory"] {
            let store = DefaultStore { given }
            if let directory { store.use(.embedded(directory: URL(fileURLWithPath: directory))) }
            FileSystem.$assumed.withValue(nfs) { #expect(store.calls.add(item, nil) == expected) }
        }
    }

    @Test(arguments: ["runtime", "kernel", "none"]) func keys_waitWhereTheVariableSays(_ value: String) throws {
        let runtime = try folder.make("runtime", mode: 0o700)
        #expect(try add(cache: value, runtime: runtime).lines == ["0"])
        let kept = (try? FileManager.default.contentsOfDirectory(atPath: runtime + "/secitem")) ?? []
        #expect(kept.isEmpty == (value != "runtime"), "\(kept)")
    }

    @Test func placeForKeys_thatIsNone_isSaid() throws {
        let probe = try add(cache: "elsewhere", runtime: folder.path)
        #expect(probe.lines == ["-25291"])
        #expect(probe.errors.contains("SECITEM_KEY_CACHE") && probe.errors.contains("runtime"), "\(probe.errors)")
    }

    private func add(cache: String, runtime: String) throws -> Probe {
        let file = folder.path + "/passphrase"
        try "passphrase".write(toFile: file, atomically: true, encoding: .utf8)
        try #require(chmod(file, 0o600) == 0)
        return try Probe(
            "add", "one",
            environment: [
                "HOME": folder.path, "SECITEM_PASSPHRASE_FILE": file, "SECITEM_KEY_CACHE": cache,
                "XDG_RUNTIME_DIR": runtime,
            ])
    }
}
