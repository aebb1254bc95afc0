// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Certificates, keys and identities in the login keychain, on each kind of store: the complete output.
@Suite(.serialized) struct LoginKeychainIdentityTests {
    /// A key, and a certificate for it that is valid from 2020 to 2120.
    private static let file = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgL/SGEIvNm9E/KEI5
        8B0qQ39ebBIuMUmKIL7dMRtJ9ZihRANCAAS9LmIBLguSWiEGvOk4nZxAoTsEu7XU
        AODRBkS5sMtTncREkD1w/kJLZCakl57kxQpOtjK5BJ90XK4bsnme+eiY
        -----END PRIVATE KEY-----
        -----BEGIN CERTIFICATE-----
        MIIB6DCCAY6gAwIBAgICEAEwCgYIKoZIzj0EAwIwWDELMAkGA1UEBhMCREUxEDAO
        BgNVBAoMB0V4YW1wbGUxFDASBgNVBAMMC0dvbGRlbiBBbm5hMSEwHwYJKoZIhvcN
        AQkBFhJnb2xkZW5AZXhhbXBsZS5jb20wIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAx
        MDEwMDAwMDBaMFgxCzAJBgNVBAYTAkRFMRAwDgYDVQQKDAdFeGFtcGxlMRQwEgYD
        VQQDDAtHb2xkZW4gQW5uYTEhMB8GCSqGSIb3DQEJARYSZ29sZGVuQGV4YW1wbGUu
        Y29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEvS5iAS4LklohBrzpOJ2cQKE7
        BLu11ADg0QZEubDLU53ERJA9cP5CS2QmpJee5MUKTrYyuQSfdFyuG7J5nvnomKNG
        MEQwHQYDVR0OBBYEFCQCiwMdxE9pFp3506EWidqEjaS1MA4GA1UdDwEB/wQEAwIH
        gDATBgNVHSUEDDAKBggrBgEFBQcDAzAKBggqhkjOPQQDAgNIADBFAiBlgC74M7u1
        iQLDbWdWTmTmhA9ho9DotwRDErliD7i/LQIhAKirNepHVfQ8noHe6/rcySyKVDPc
        rCFubROIgUEsjhmu
        -----END CERTIFICATE-----

        """

    private static let certificate = String(
        file[(file.range(of: "-----BEGIN CERTIFICATE")?.lowerBound ?? file.startIndex)...])

    private func keychain(_ place: CommandFixture.Place) -> String {
        place == .embedded ? "HOME/data/secitem" : "secret-service"
    }

    private func certificateEntry(_ place: CommandFixture.Place) -> String {
        #"""
        keychain: "\#(keychain(place))"
        version: 512
        class: 0x80001000\#(" ")
        attributes:
            "agrp"<blob>="test"
            "alis"<blob>="golden@example.com"
            "cenc"<uint32>=0x00000003\#(" ")
            "ctyp"<uint32>=0x00000003\#(" ")
            "hpky"<blob>=\#(Self.hash)
            "issu"<blob>=\#(Self.name)
            "labl"<blob>="Golden Anna"
            "skid"<blob>=\#(Self.hash)
            "snbr"<blob>=0x1001\#(" ")
            "subj"<blob>=\#(Self.name)

        """#
    }

    private func keyEntry(_ place: CommandFixture.Place, label: String) -> String {
        #"""
        keychain: "\#(keychain(place))"
        version: 512
        class: 0x00000010\#(" ")
        attributes:
            0x00000000 <uint32>=0x00000010\#(" ")
            0x00000001 <blob>="\#(label)"
            0x00000002 <blob>=<NULL>
            0x00000003 <uint32>=0x00000001\#(" ")
            0x00000004 <uint32>=0x00000001\#(" ")
            0x00000005 <uint32>=0x00000001\#(" ")
            0x00000006 <blob>=\#(Self.hash)
            0x00000007 <blob>=<NULL>
            0x00000008 <blob>=<NULL>
            0x00000009 <uint32>=0x00000049  "\000\000\000I"
            0x0000000A <uint32>=0x00000100\#(" ")
            0x0000000B <uint32>=0x00000100\#(" ")
            0x0000000C <blob>=0x0000000000000000\#(" ")
            0x0000000D <blob>=0x0000000000000000\#(" ")
            0x0000000E <uint32>=0x00000000\#(" ")
            0x0000000F <uint32>=0x00000000\#(" ")
            0x00000010 <uint32>=0x00000001\#(" ")
            0x00000011 <uint32>=0x00000000\#(" ")
            0x00000012 <uint32>=0x00000000\#(" ")
            0x00000013 <uint32>=0x00000001\#(" ")
            0x00000014 <uint32>=0x00000001\#(" ")
            0x00000015 <uint32>=0x00000001\#(" ")
            0x00000016 <uint32>=0x00000000\#(" ")
            0x00000017 <uint32>=0x00000000\#(" ")
            0x00000018 <uint32>=0x00000000\#(" ")
            0x00000019 <uint32>=0x00000000\#(" ")
            0x0000001A <uint32>=0x00000001\#(" ")
            "agrp"<blob>="test"

        """#
    }

    /// The hash of the public key, which the certificate and the key share.
    private static let hash =
        #"0x24028B031DC44F69169DF9D3A11689DA848DA4B5  "$\002\213\003\035\304Oi\026\235\371\323\241\026\211\332\204\215\244\265""#

    private static let name =
        "0x310B30090603550406130244453110300E060355040A0C074578616D706C653114301206035504030C0B476F6C64656E20416E6E61"
        + "3121301F06092A864886F70D0109011612676F6C64656E406578616D706C652E636F6D  "
        + #""1\0130\011\006\003U\004\006\023\002DE1\0200\016\006\003U\004\012\014\007Example1\0240\022\006\003U\004"#
        + #"\003\014\013Golden Anna1!0\037\006\011*\206H\206\367\015\001\011\001\026\022golden@example.com""#

    @Test(arguments: CommandFixture.Place.all)
    func identity_isImportedShownAndDeleted(_ place: CommandFixture.Place) throws {
        var fixture = try CommandFixture(place)
        // Other tests also have items there.
        fixture.environment["SECITEM_APPLICATION_IDENTIFIER"] = fixture.prefix
        let path = fixture.folder.path + "/identity.pem"
        try Self.file.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try fixture.run("import", path).output == "1 key imported.\n1 certificate imported.\n")
        #expect(try fixture.run("import", path).status == 1)
        #expect(try fixture.golden("find-certificate", "-c", "golden anna") == certificateEntry(place))
        let shown = try fixture.golden("find-certificate", "-e", "golden@example.com", "-Zmp")
        #expect(
            shown == """
                SHA-256 hash: 6E884E161131AEB509F88A0FD8675B05439FECA7DFE3CEF91E6FEF31FD2250F3
                SHA-1 hash: F02797721CCD9706CA611DE9EF891BB4E3ED34F6
                email addresses: golden@example.com
                \(Self.certificate)
                """)
        let label = "Imported Key"
        #expect(
            try fixture.golden("dump-keychain", "--access-group", fixture.prefix)
                == certificateEntry(place) + keyEntry(place, label: label))
        let hash = "24028B031DC44F69169DF9D3A11689DA848DA4B5"
        #expect(try fixture.golden("find-key", "-t", "private", "-a", hash, "-s") == keyEntry(place, label: label))
        for none in [["-e"], ["-l", "other"], ["-t", "public"], ["-c", "abcd"]] {
            #expect(try fixture.program(["find-key", "-a", hash] + none).run().status == 44, "\(none)")
        }
        // A key has neither.
        #expect(try fixture.golden("find-key", "-a", hash, "-D", "d", "-j", "c") == keyEntry(place, label: label))
        let identities = try fixture.run("find-identity", "-p", "codesigning").output
        #expect(
            identities.contains(
                ") F02797721CCD9706CA611DE9EF891BB4E3ED34F6 \"Golden Anna\" (CSSMERR_TP_NOT_TRUSTED)\n"))
        let certificates = try fixture.run("export", "-t", "certs", "-p").output
        #expect(certificates.contains(Self.certificate))
        #expect(try fixture.run("export", "-t", "identities", "-p", "-f", "pemseq").output.contains("PRIVATE KEY"))
        #expect(try fixture.run("cms", "-S", "-N", "golden@example.com", "-o", path, input: "text").status == 0)
        #expect(try fixture.run("cms", "-D", "-i", path).output == "text")
        #expect(try fixture.run("delete-identity", "-c", "Golden Anna").status == 0)
        #expect(try fixture.run("dump-keychain", "--access-group", fixture.prefix).output.isEmpty)
        #expect(try fixture.run("delete-certificate", "-c", "Golden Anna").status == 44)
    }

    @Test(arguments: CommandFixture.Place.all)
    func keysAndCertificates_areMadeAndDeleted(_ place: CommandFixture.Place) throws {
        var fixture = try CommandFixture(place)
        fixture.environment["SECITEM_APPLICATION_IDENTIFIER"] = fixture.prefix
        let label = "\(fixture.prefix) key"
        #expect(try fixture.run("create-keypair", "-a", "ec", label).status == 0)
        let keys = try fixture.golden("find-key", "-l", label)
        #expect(keys.components(separatedBy: "    0x00000001 <blob>=\"test key\"\n").count == 3)
        #expect(
            try fixture.golden("find-key", "-l", label, "-t", "public").hasPrefix(
                "keychain: \"\(keychain(place))\"\nversion: 512\nclass: 0x0000000F \n"))
        let path = fixture.folder.path + "/certificate.pem"
        try Self.certificate.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try fixture.run("add-certificates", path).status == 0)
        #expect(try fixture.run("add-certificates", path).status == 45)
        #expect(try fixture.run("verify-cert", "-c", path, "-r", path, "-p", "codeSign").status == 0)
        let hash = "6e884e161131aeb509f88a0fd8675b05439feca7dfe3cef91e6fef31fd2250f3"
        #expect(try fixture.run("delete-certificate", "-Z", hash).status == 0)
        let rest = try fixture.golden("dump-keychain", "--access-group", fixture.prefix)
        #expect(rest.components(separatedBy: "keychain: ").count == 3 && !rest.contains("Golden"))
    }
}
