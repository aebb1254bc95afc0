// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SecItemShim

/// Which modules PAM's rules name, read as PAM reads them.
@Suite struct PAMStackTests {
    private func isFound(_ files: [String: String]) throws -> Bool {
        let root = try TemporaryFolder()
        for (path, text) in files {
            let file = root.url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return PAMStack(root: root.url.path).readsFingers("polkit-1")
    }

    @Test(arguments: [
        "auth sufficient pam_fprintd.so", "-auth\t[success=2 default=ignore]  pam_fprintd.so max-tries=1",
        "auth required /usr/lib/security/pam_fprintd.so # a remark", "auth required \\\n pam_fprintd.so",
        "@include common-auth", "auth include common-auth", "auth substack common-auth",
        // libpam compares these words without regard to case.
        "AUTH sufficient pam_fprintd.so", "-Auth required pam_fprintd.so", "auth Include common-auth",
        "auth SUBSTACK common-auth", "@INCLUDE common-auth", "-@include common-auth", "auth [include] common-auth",
        "auth [default=ignore]pam_fprintd.so", "auth [a\\] b] pam_fprintd.so", "[auth] [] [pam_fprintd.so]",
        "auth required pam_unix.so # a remark \\\nauth sufficient pam_fprintd.so",
        "auth sufficient \\\n# a remark\n\n pam_fprintd.so", "auth sufficient \\ \t\n pam_fprintd.so",
        "auth sufficient pam_fprintd.so#a remark", "auth requisite pam_unix.so\0\nauth required pam_fprintd.so",
        "auth sufficient pam_fprintd.so \\", "auths include common-auth", "words SUBSTACK common-auth",
    ])
    func module_isFound(_ text: String) throws {
        let common = "account required pam_unix.so\nauth required pam_unix.so\nauth optional pam_fprintd.so\n"
        for folder in ["etc", "usr/lib"] {
            #expect(
                try isFound(["\(folder)/pam.d/polkit-1": text + "\n", "\(folder)/pam.d/common-auth": common]))
        }
        #expect(try isFound(["etc/pam.d/other": text, "etc/pam.d/common-auth": common]))
    }

    @Test(arguments: [
        "", "account required pam_fprintd.so", "# auth required pam_fprintd.so",
        "auth required pam_unix.so pam_fprintd.so",
        "auth required not_pam_fprintd.so", "auth required", "auth [success=1", "@include", "@include polkit-1",
        "@include ../other", "auth include missing", "auth required\u{a0}pam_fprintd.so",
        "auth required pam_unix.so \\\nauth required pam_fprintd.so", "auths required pam_fprintd.so",
        "Account include common-auth", "auth required PAM_FPRINTD.SO", "auth required pam_fprintd.so\r",
    ])
    func module_thatDoesNotAuthenticate_isNotFound(_ text: String) throws {
        #expect(try !isFound(["etc/pam.d/polkit-1": text, "etc/pam.d/other": "auth required pam_fprintd.so"]))
    }

    /// PAM reads bytes: a name in a remark may be written in any encoding.
    @Test func file_thatIsNotUTF8_isRead() throws {
        let root = try TemporaryFolder()
        let bytes = Data([0x23, 0x20, 0xe4, 0x0a]) + Data("auth sufficient pam_fprintd.so\n".utf8)
        try bytes.write(to: root.url.appendingPathComponent("polkit-1"))
        try Data("auth required pam_unix.so".utf8).write(to: root.url.appendingPathComponent("other"))
        #expect(PAMStack(folder: root.path).readsFingers("polkit-1"))
    }

    /// An inclusion may name a path.
    @Test func inclusionOfAPath_isFollowed() throws {
        let root = try TemporaryFolder()
        let beside = try TemporaryFolder()
        try Data("auth sufficient pam_fprintd.so\n".utf8).write(to: beside.url.appendingPathComponent("fingers"))
        for kind in ["auth include", "auth substack", "@include"] {
            try Data("\(kind) \(beside.path)/fingers".utf8).write(to: root.url.appendingPathComponent("polkit-1"))
            #expect(PAMStack(folder: root.path).readsFingers("polkit-1"))
        }
    }

    /// What an administrator has written goes before what a package brings.
    @Test func machinesOwnRules_goFirst() throws {
        let files = [
            "etc/pam.d/polkit-1": "auth required pam_unix.so",
            "usr/lib/pam.d/polkit-1": "auth required pam_fprintd.so",
        ]
        #expect(try !isFound(files))
    }

    /// Where nothing but the password of the machine's own files would do, a user without one cannot be asked.
    @Test(arguments: [
        ("auth required pam_unix.so nullok", true), ("@include common-auth", true),
        ("auth required pam_permit.so", true), ("", true), ("account required pam_sss.so", true),
        ("auth sufficient pam_fprintd.so\nauth required pam_unix.so", false), ("auth required pam_sss.so", false),
        ("-auth sufficient /lib/security/pam_krb5.so\n@include common-auth", false),
        ("auth [success=1 default=ignore] pam_unix.so\nauth required pam_google_authenticator.so", false),
    ])
    func stackOfOwnPassword_isKnown(_ text: String, _ isKnown: Bool) throws {
        let folder = try TemporaryFolder()
        let common =
            "auth [success=1 default=ignore] pam_unix.so\nauth requisite pam_deny.so\nauth required pam_permit.so"
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("secitem"))
        try Data(common.utf8).write(to: folder.url.appendingPathComponent("common-auth"))
        let stack = PAMStack(folder: folder.url.path)
        #expect(stack.knowsOwnPasswordOnly("secitem") == isKnown)
        #expect(stack.readsFingers("secitem") == text.contains("pam_fprintd"))
        if !isKnown { #expect(!stack.canKnowNobody("secitem")) }
    }

    /// The rules of `other` on many machines. Rules that name one more module may recognise somebody.
    @Test(arguments: [
        ("auth required pam_deny.so", true), ("auth required pam_warn.so\nauth required pam_deny.so", true),
        ("auth include common-auth", true), ("", false), ("auth required pam_warn.so", false),
        ("account required pam_deny.so", false), ("auth sufficient pam_unix.so\nauth required pam_deny.so", false),
        ("auth required pam_not_there.so\nauth required pam_deny.so", false),
    ])
    func stackThatRefusesEverybody_isKnown(_ text: String, _ isKnown: Bool) throws {
        for file in ["secitem", "other"] {
            let folder = try TemporaryFolder()
            try Data(text.utf8).write(to: folder.url.appendingPathComponent(file))
            try Data("auth required pam_deny.so".utf8).write(to: folder.url.appendingPathComponent("common-auth"))
            #expect(PAMStack(folder: folder.url.path).refusesEverybody("secitem") == isKnown)
        }
    }

    /// Files that include each other are read once each.
    @Test(.timeLimit(.minutes(60))) func stackThatIncludesItself_ends() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "@include secitem\n", count: 10) + "auth required pam_sss.so\n"
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("secitem"))
        #expect(!PAMStack(folder: folder.url.path).knowsOwnPasswordOnly("secitem"))
    }
}
