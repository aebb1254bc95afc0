// SPDX-License-Identifier: Apache-2.0

#if Polkit
    import Foundation
    import TestSupport
    import Testing

    @testable import SecItemSystemBus

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
            return PAMStack(root: root.url.path).authenticates("polkit-1", with: "pam_fprintd.so")
        }

        @Test(arguments: [
            "auth sufficient pam_fprintd.so", "-auth\t[success=2 default=ignore]  pam_fprintd.so max-tries=1",
            "auth required /usr/lib/security/pam_fprintd.so # a remark", "auth required \\\n pam_fprintd.so",
            "@include common-auth", "auth include common-auth", "auth substack common-auth",
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
            "@include ../other", "auth include missing",
        ])
        func module_thatDoesNotAuthenticate_isNotFound(_ text: String) throws {
            #expect(try !isFound(["etc/pam.d/polkit-1": text, "etc/pam.d/other": "auth required pam_fprintd.so"]))
        }

        /// What an administrator has written goes before what a package brings.
        @Test func machinesOwnRules_goFirst() throws {
            let files = [
                "etc/pam.d/polkit-1": "auth required pam_unix.so",
                "usr/lib/pam.d/polkit-1": "auth required pam_fprintd.so",
            ]
            #expect(try !isFound(files))
        }
    }
#endif
