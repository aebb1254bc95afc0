// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import TestSupport
import Testing

/// The folders of a user, and cases in which there are none.
@Suite struct UserFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func message(_ body: () throws(StoreError) -> String) -> String {
        do throws(StoreError) {
            return "a path: \(try body())"
        } catch {
            #expect(error.code == .unavailable)
            return error.message
        }
    }

    @Test(arguments: [(UserFolder.data, "XDG_DATA_HOME", "share"), (.state, "XDG_STATE_HOME", "state")])
    func path_followsTheSpecification(_ kind: UserFolder, _ variable: String, _ name: String) throws {
        let home = folder.path
        #expect(try kind.path(environment: [variable: home + "/x/", "HOME": "/none"]) == home + "/x")
        for ignored in ["", "relative/folder"] {
            #expect(
                try kind.path(environment: [variable: ignored, "HOME": home + "//"]) == "\(home)/.local/\(name)")
        }
    }

    @Test(arguments: ["/", "relative", "/no/such/folder", "/dev/null"])
    func home_thatIsNone_isAnError_notAnotherHome(_ home: String) {
        let message = message { () throws(StoreError) in try UserFolder.data.path(environment: ["HOME": home]) }
        #expect(message.contains("HOME is") && message.contains("SECITEM_DIRECTORY"))
    }

    /// Without `HOME`, the library uses the home in the user database, if it is a folder.
    @Test func homeInTheUserDatabase_isTheUsersOwn_orAnError() throws {
        for line in try String(contentsOfFile: "/etc/passwd", encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count > 5, let user = uid_t(fields[2]) else { continue }
            let home = String(fields[5])
            var status = stat()
            let isFolder = stat(home, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            // Debian's etcd has a home that ends with a slash.
            let base = String(home.reversed().drop { $0 == "/" }.reversed())
            let isUsed = isFolder && home != "/" && (status.st_uid == user || status.st_uid == 0)
            let path = try? UserFolder.data.path(environment: [:], userID: user)
            #expect(path == (isUsed ? base + "/.local/share" : nil), "\(line)")
        }
    }

    @Test func noHomeAtAll_saysWhatToSet() {
        let message = message { () throws(StoreError) in
            try UserFolder.state.path(environment: [:], userID: 54_321)
        }
        #expect(
            message.contains("no home") && message.contains("54321")
                && message.contains("Set HOME or SECITEM_DIRECTORY"))
        // What the folder is needed for says which variable helps.
        let other = self.message { () throws(StoreError) in
            try UserFolder.data.path(environment: [:], userID: 54_321, alternative: "XDG_DATA_HOME")
        }
        #expect(other.contains("Set HOME or XDG_DATA_HOME"))
    }

    @Test(.enabled(if: Root.isHere, Root.reason), arguments: ["HOME", "XDG_DATA_HOME"])
    func folderOfAnotherUser_isRefused_forEveryone(_ variable: String) throws {
        let home = try folder.make("home", owner: 54_321)
        for (user, isRefused) in [(uid_t(0), true), (54_322, true), (54_321, false)] {
            // A folder that does not exist yet counts as the folder in which it would be made.
            for path in [home, variable == "HOME" ? home : home + "/a/b"] {
                let message = message { () throws(StoreError) in
                    try UserFolder.data.path(environment: [variable: path], userID: user)
                }
                #expect(message.contains("belongs to user 54321") == isRefused, "\(user) \(message)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    }

    @Test(.enabled(if: Root.isHere, Root.reason)) func folderOfRoot_isForEveryoneWhoMayEnterIt() throws {
        #expect(
            try UserFolder.data.path(environment: ["HOME": folder.path], userID: 54_321) == folder.path
                + "/.local/share")
    }
}
