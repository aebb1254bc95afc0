// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Calls of `LinuxKeychain` that concern the whole store, on each kind of store.
@Suite(.timeLimit(.minutes(60))) struct LockingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Expects the output of each step, in order.
    private func expect(_ steps: [(String, String)]) throws {
        let environment = [
            "HOME": folder.path, "SECITEM_APPLICATION_IDENTIFIER": "probe", "SECITEM_STORE": "embedded",
            "SECITEM_KEY_CACHE": "none",
        ]
        // This test does not cache keys for other programs of the user.
        let program = ["steps"] + steps.map(\.0)
        let finished = try Program(Probe.path, program, environment: environment).run()
        #expect(finished.lines == steps.map(\.1), "\(steps.map(\.0)) \(finished.errors)")
    }

    @Test func storeWithoutLock_saysSo_toEachCall() throws {
        try expect([
            ("use-lockless", "done"), ("add=one", "0"), ("locked", "-4"), ("lock", "-4"), ("unlock", "-4"),
            ("passphrase=new", "-4"), ("find=one", "0"),
        ])
    }

    @Test func memory_isLockedAndUnlocked_andHasNoPassphrase() throws {
        try expect([
            ("use-memory", "done"), ("add=one", "0"), ("locked", "false"), ("lock", "done"), ("locked", "true"),
            ("find=one", "-25308"), ("unlock", "done"), ("locked", "false"), ("find=one", "0"),
            ("passphrase=new", "-4"),
        ])
    }

    @Test func keyFile_isLockedAndUnlocked() throws {
        try expect([
            ("add=one", "0"), ("locked", "false"), ("lock", "done"), ("locked", "true"), ("find=one", "-25308"),
            ("add=two", "-25308"), ("unlock", "done"), ("locked", "false"), ("find=one", "0"), ("find=two", "-25300"),
        ])
    }

    /// If a store is locked or unlocked before the first item makes it, the new store has that state.
    @Test func storeThatIsNotMadeYet_isLockedAndUnlocked() throws {
        try expect([
            ("lock", "done"), ("locked", "true"), ("find=one", "-25300"), ("unlock", "done"), ("locked", "false"),
            ("add=one", "0"), ("locked", "false"), ("find=one", "0"),
        ])
        try FileManager.default.removeItem(atPath: folder.path + "/.local")
        try expect([("lock", "done"), ("add=one", "-25308"), ("locked", "true"), ("unlock", "done"), ("add=one", "0")])
    }

    /// Each passphrase opens the store until the next one is set, and no other passphrase does.
    @Test func passphrase_thatIsSet_holdsForThisProcess_andTheNext() throws {
        try expect([
            ("add=one", "0"), ("passphrase=", "-50"), ("passphrase=first", "done"), ("lock", "done"),
            ("find=one", "-25308"), ("unlock=second", "-25293"), ("locked", "true"), ("unlock=first", "done"),
            ("find=one", "0"),
        ])
        try expect([
            ("find=one", "-25308"), ("passphrase-after=second,", "-25293"), ("passphrase-after=first,", "done"),
            ("unlock", "done"), ("find=one", "0"),
        ])
        try expect([("find=one", "0"), ("locked", "false")])
    }

    /// New items go to the first group, and calls may only name groups in the list. Nil removes the list.
    @Test func accessGroups_thatAreSet_holdFromTheNextCallOn() throws {
        try expect([
            ("own-groups", "nil"), ("add=one", "0"), ("find-in=one,probe", "0"), ("groups=a,b", "done"),
            ("own-groups", "a,b"), ("find=one", "-25300"), ("find-in=one,probe", "-34018"), ("add=two", "0"),
            ("find-in=two,a", "0"), ("find-in=two,b", "-25300"), ("groups=b,probe", "done"), ("find=one", "0"),
            ("find=two", "-25300"), ("groups", "done"), ("find=one", "0"), ("find-in=two,a", "0"),
        ])
    }
}
