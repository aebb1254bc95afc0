// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore
import Testing

@testable import SecItemSealing

/// The token with which a machine joins a fleet.
@Suite struct InvitationTests {
    /// The token of the bytes from 0 to 31.
    private static let token = "secitem-AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8cUtaV"

    @Test func token_givesItsInvitationBack_withSpaceAroundIt() throws {
        for _ in 0..<100 {
            let invitation = try Invitation()
            let text = try #require(String(validating: invitation.token.data(), as: UTF8.self))
            for spelling in [text, " \n\t\(text)\r\n"] {
                #expect(try Invitation(token: Secret(Data(spelling.utf8))).id == invitation.id)
            }
        }
    }

    /// Each later version reads a token that was passed on. Python's `hashlib` and `hmac` (RFC 5869) have given the check and
    /// the number.
    @Test func token_ofThisVersion_isReadByEachLaterOne() throws {
        let invitation = try Invitation(token: Secret(Data(Self.token.utf8)))
        #expect(
            invitation.id == [
                0x1d, 0xbf, 0xab, 0xc3, 0xec, 0x29, 0x7a, 0x39, 0x4f, 0xa4, 0x8b, 0x46, 0xfc, 0x3b, 0xc0, 0x7d,
            ])
        #expect(invitation.token.data() == Data(Self.token.utf8))
        // base64url has - and _ in place of + and /.
        let other = "secitem-__jx6uPc1c7HwLmyq6Sdlo-IgXpzbGVeV1BJQjs0LSYUZ-i5"
        #expect(try Invitation(token: Secret(Data(other.utf8))).token.data() == Data(other.utf8))
    }

    /// A row gives what was put into it to the holder of its token, and to nobody else.
    @Test(arguments: ["", "build-7", "ä/🙂"]) func row_opensForItsToken(_ name: String) throws {
        let invitation = try Invitation(), deviceKey = try DeviceKey()
        let inviter = FleetInviter(name: "anna", fingerprint: "0123456789abcdef")
        let row = try invitation.row(name: name, now: 1_000, expires: 4_102_444_800, inviter: inviter, deviceKey)
        let content = try Invitation(token: invitation.token).content(of: row)
        #expect(content.name == name && content.expires == 4_102_444_800 && content.inviter == inviter)
        #expect(content.deviceKey.file.data() == deviceKey.file.data())
        let other = try Invitation()
        let error = #expect(throws: StoreError.self) { try other.content(of: row) }
        #expect(error?.code == .corrupt)
        for part in 0..<3 {
            var parts = [row.id, row.sealed, row.details]
            parts[part][parts[part].count / 2] ^= 1
            let changed = MemberRow(kind: row.kind, id: parts[0], sealed: parts[1], details: parts[2])
            let error = #expect(throws: StoreError.self) { try invitation.content(of: changed) }
            #expect(error?.code == .corrupt, "\(part)")
        }
        let member = MemberRow(kind: .member, id: row.id, sealed: row.sealed, details: row.details)
        let asMember = #expect(throws: StoreError.self) { try invitation.content(of: member) }
        #expect(asMember?.code == .corrupt)
    }

    /// Each later version opens the row of this one.
    @Test func row_ofThisVersion_isReadByEachLaterOne() throws {
        func bytes(_ text: String) throws -> [UInt8] { try Array(#require(Data(base64Encoded: text))) }
        let invitation = try Invitation(token: Secret(Data(Self.token.utf8)))
        let sealed =
            "wo4+ZDSnqde4agBizQjPCOxrymtuWvp+NEleu8cezVBeCBGHa0dy4PgYZlqEONh9jIaql/Q+SA7N"
            + "4o11l95FYNHqMuudXcuyK/WSjZS1bsQiDH2QE2IVhQcaKjrKN31arHQbqv/AydOK1QQ="
        let details =
            "Q5/LuwxY6a/5z74sR9Fs0/LB973Nl5bUKRXZUvlZ2kJV8Fb0jdv1WcrwTRLW4M2swcdkcTy/VfhI"
            + "KJou/WNeLgr45NAaKaaXNRU="
        let row = MemberRow(
            kind: .invitation, id: invitation.id, sealed: try bytes(sealed), details: try bytes(details))
        let content = try invitation.content(of: row)
        #expect(content.name == "build-7" && content.expires == 4_102_444_800)
        #expect(content.inviter == FleetInviter(name: "anna", fingerprint: "0123456789abcdef"))
        #expect(content.deviceKey.id == (try bytes("QZI0/eCx+F+vbxiVDb4R+A==")))
    }

    /// Whatever byte of a token is another one, is missing or is there twice, nobody takes it for a token.
    @Test func token_thatWasMistyped_isNone() throws {
        let token = try Invitation().token.data()
        var wrong = [Data(), token + token, token.dropLast(), token + Data("=".utf8)]
        for index in token.indices {
            for letter in "AB-_z0=\u{0}".utf8 where letter != token[index] {
                wrong.append(token[..<index] + [letter] + token[(index + 1)...])
            }
            wrong.append(token[..<index] + token[(index + 1)...])
            wrong.append(token[..<index] + [token[index]] + token[index...])
        }
        for bytes in wrong {
            let error = #expect(throws: StoreError.self) { try Invitation(token: Secret(Data(bytes))) }
            #expect(error?.code == .unrepresentable, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
