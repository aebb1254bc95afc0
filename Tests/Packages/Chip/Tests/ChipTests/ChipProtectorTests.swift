// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension OnChips {
    /// Rules for a store that a chip protects.
    @Suite struct ChipProtectorTests {
        private let chip = ["SECITEM_PROTECTOR": "tpm"]

        @Test func store_isOpenOnItsMachine_andOnNoOther() throws {
            let (machine, other) = (try Machine(), try Machine())
            #expect(try machine.probe("add", "a", other: chip) == "0")
            #expect(try machine.probe("find", "a", other: chip) == "secret of a")
            // A program that does not ask for a chip can use the store.
            #expect(try machine.probe("find", "a") == "secret of a")
            #expect(try machine.probe("summary").contains("protected by a TPM"))
            // Both files, copied to another machine.
            let copied = ["SECITEM_TPM": other.environment["SECITEM_TPM"] ?? ""]
            #expect(try machine.probe("find", "a", other: chip.merging(copied) { $1 }) == "\(errSecNotAvailable)")
            let without = ["SECITEM_TPM": "none"]
            #expect(try machine.probe("find", "a", other: chip.merging(without) { $1 }) == "\(errSecNotAvailable)")
            #expect(try machine.probe("add", "b", other: chip.merging(without) { $1 }) == "\(errSecNotAvailable)")
            #expect(try machine.probe("find", "a", other: chip) == "secret of a")
        }

        // If the program asks for a chip and a key file protects the store, the call fails.
        @Test func storeWithAKeyFile_isNotUsed_untilTheChipProtectsIt() throws {
            let machine = try Machine()
            #expect(try machine.probe("add", "a") == "0")
            #expect(try machine.probe("find", "a", other: chip) == "\(errSecNotAvailable)")
            #expect(try machine.probe("add", "b", other: chip) == "\(errSecNotAvailable)")
            #expect(try machine.probe("protect", other: chip) == "ok")
            #expect(try machine.probe("find", "a", other: chip) == "secret of a")
            #expect(try machine.probe("summary").contains("protected by a TPM"))
        }

        // The passphrase is taken away by a program that was not told of the chip: the chip stays.
        @Test func programThatDoesNotAskForTheChip_doesNotEndItsProtection() throws {
            let machine = try Machine()
            #expect(try machine.probe("add", "a", other: chip) == "0")
            #expect(try machine.probe("protect") == "ok")
            #expect(try machine.probe("summary").contains("protected by a TPM"))
            #expect(try machine.probe("find", "a", other: chip) == "secret of a")
        }

        // Without a chip, no store with less protection is made.
        @Test func withoutAChip_noStoreIsMade() throws {
            let machine = try Machine()
            let without = ["SECITEM_TPM": "none"].merging(chip) { $1 }
            #expect(try machine.probe("add", "a", other: without) == "\(errSecNotAvailable)")
            #expect(try machine.probe("find", "a") == "\(errSecItemNotFound)")
        }

        @Test func otherProtector_isRefused() throws {
            let machine = try Machine()
            #expect(try machine.probe("add", "a", other: ["SECITEM_PROTECTOR": "TPM"]) == "\(errSecNotAvailable)")
        }
    }
}
