// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemConformance
import SecItemStore
import TestSupport
import Testing

@testable import SecItemGnome

extension OnARealService {
    /// An update of an item's secret and its protection. The service takes the two one after the other. Others may read
    /// the item in between, and if the program dies there, the item stays so. No secret may then be there with less
    /// protection than it was asked to have.
    @Suite(.serialized, .enabled(if: PrivateBus.isGnomeKeyring, "only gnome-keyring can be told to lock"))
    struct ProtectionOrderTests {
        /// A protection that an item may be asked to have.
        struct Guard: CustomTestStringConvertible, Sendable {
            let name: String
            let accessible: Accessible
            let flags: AccessConstraints.Flags
            let fingers: UInt8?

            init(
                _ name: String, _ flags: AccessConstraints.Flags = [], _ accessible: Accessible = .whenUnlocked,
                fingers: UInt8? = nil
            ) {
                (self.name, self.accessible, self.flags, self.fingers) = (name, accessible, flags, fingers)
            }

            var attributes: [ItemAttribute: AttributeValue] {
                var result: [ItemAttribute: AttributeValue] = [.accessible: .string(accessible.rawValue)]
                let constraints = AccessConstraints(flags: flags, biometrySet: fingers.map { Data([$0]) })
                result[.accessControl] = constraints.map { .data($0.encoded) }
                return result
            }

            var testDescription: String { name }

            static let all = [
                Guard("none"),
                Guard("after first unlock, this device", [], .afterFirstUnlockThisDeviceOnly),
                Guard("presence", .userPresence),
                Guard("presence, this device", .userPresence, .whenUnlockedThisDeviceOnly),
                Guard("finger", .biometryAny),
                Guard("these fingers", .biometryCurrentSet, fingers: 1),
                Guard("other fingers", .biometryCurrentSet, fingers: 2),
                Guard("passcode", .devicePasscode, .always),
                Guard("finger and passcode", [.biometryAny, .devicePasscode, .and]),
                Guard("these fingers or passcode", [.biometryCurrentSet, .devicePasscode, .or], fingers: 1),
            ]
        }

        /// What somebody has who wants the secret.
        private struct Situation {
            /// 0 before the first unlock, 1 after it, 2 while the keyring is unlocked.
            let lock: Int
            let isElsewhere: Bool
            let passcode: Bool
            let finger: Bool
            let enrolled: UInt8

            static let all: [Situation] = (0..<72).map { number in
                Situation(
                    lock: number % 3, isElsewhere: number / 3 % 2 == 1, passcode: number / 6 % 2 == 1,
                    finger: number / 12 % 2 == 1, enrolled: UInt8(number / 24 % 3))
            }

            func opens(_ record: ItemRecord) throws -> Bool {
                let demanded: [Accessible: Int] = [
                    .whenUnlocked: 2, .whenUnlockedThisDeviceOnly: 2, .afterFirstUnlock: 1,
                    .afterFirstUnlockThisDeviceOnly: 1, .always: 0, .alwaysThisDeviceOnly: 0,
                ]
                guard lock >= demanded[record.accessible] ?? 3 else { return false }
                if isElsewhere && record.accessible.isOfThisDeviceOnly { return false }
                guard let constraints = try record.constraints else { return true }
                let isBound = constraints.biometrySet.map { $0 == Data([enrolled]) } ?? true
                let finger = finger && isBound
                var results: [Bool] = []
                if constraints.flags.contains(.userPresence) { results.append(passcode || finger) }
                if constraints.flags.contains(.biometryAny) { results.append(finger) }
                if constraints.flags.contains(.biometryCurrentSet) { results.append(finger) }
                if constraints.flags.contains(.devicePasscode) { results.append(passcode) }
                return constraints.flags.contains(.or) ? results.contains(true) : !results.contains(false)
            }
        }

        /// Another program, which reads the item as it is on the service.
        private final class Observer: Sendable {
            private let session: ServiceSession

            init(_ bus: PrivateBus) throws {
                session = try ServiceSession(
                    address: SessionBusAddress.find(in: bus.environment), timeLimit: 120, allowsPlain: false)
            }

            /// The item; nil while the keyring is locked.
            func item() throws -> ItemRecord? {
                guard let path = try session.search([["service": "order"]]).unlocked.first else { return nil }
                session.memory.forget(path)
                let reading = try session.readOwn([path], secretsOf: [path])
                var record = try #require(reading.items.first).record
                let secret: Secret = try #require(reading.secrets[path])
                record.secrets[.valueData] = secret
                return record
            }

            func lock() throws {
                let collection = ServiceSession.root + "/collection/login"
                _ = try session.call("Service", "Lock", .tuple(.objectPaths([collection])))
            }

            /// Unlocks without a prompt, like the login manager.
            func unlock() throws {
                let password = try session.encoded(Secret(Data("test".utf8)))
                _ = try session.call(
                    "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword",
                    .tuple(.objectPath(ServiceSession.root + "/collection/login"), password))
            }
        }

        /// What was asked for, and before which write the keyring is locked.
        private struct Watch {
            var asked: [String: ItemRecord] = [:]
            var writes = 0
            var lockedWrite: Int?
            var isOn = false
            var comment = ""
        }

        private func look(_ observer: Observer, _ watch: Watch) throws {
            guard let item = try observer.item() else { return }
            let asked = try #require(watch.asked[item.text ?? ""], "\(watch.comment)")
            for situation in Situation.all where try situation.opens(item) {
                #expect(try situation.opens(asked), "\(watch.comment): \(item.text ?? "") is there too openly")
            }
        }

        private static let filter = RecordFilter.password("order")

        @Test(arguments: Guard.all)
        func update_seenOrInterruptedAnywhere_neverShowsASecretWithLessProtectionThanAsked(_ old: Guard) throws {
            let bus = try PrivateBus()
            let observer = try Observer(bus)
            let watch = Shared(Watch())
            var configuration = LibsecretStore.Configuration(environment: bus.environment)
            configuration.canPrompt = false
            configuration.beforeCall = { method in
                guard watch.value.isOn else { return }
                #expect(throws: Never.self) { try look(observer, watch.value) }
                guard method == "SetSecret" || method == "Set" else { return }
                watch.change { $0.writes += 1 }
                if watch.value.writes - 1 == watch.value.lockedWrite { try? observer.lock() }
            }
            let store = LibsecretStore(configuration: configuration)
            var failures = 0, random = SeededGenerator()
            // Some of the pairs, others in each run.
            let chosen = Guard.all.shuffled(using: &random).prefix(RandomRounds.usually(3).count)
            for new in chosen {
                var lockedWrite: Int? = nil
                repeat {
                    _ = try store.delete(matching: Self.filter, interaction: .forbidden)
                    let record = ItemRecord.password("order", "anna", "old", more: old.attributes)
                    try store.insert(record, interaction: .forbidden)
                    let changes = RecordChanges(
                        attributes: new.attributes.merging([.label: .string("new")]) { $1 },
                        secrets: [.valueData: Secret(Data("new".utf8))],
                        removing: new.attributes[.accessControl] == nil ? [.accessControl] : [])
                    let target = try record.applying(changes)
                    watch.change {
                        $0 = Watch(
                            asked: ["old": record, "new": target], lockedWrite: lockedWrite, isOn: true,
                            comment: "\(old.name) to \(new.name), locked before write \(lockedWrite ?? -1)")
                    }
                    let failure = code {
                        _ = try store.update(matching: Self.filter, applying: changes, interaction: .forbidden)
                    }
                    if lockedWrite.map({ $0 < watch.value.writes }) == true { try observer.unlock() }
                    // The next call restores what could not be restored while the keyring was locked.
                    _ = try store.secret(Self.filter)
                    watch.change { $0.isOn = false }
                    try look(observer, watch.value)
                    let now = try #require(try observer.item()), expected = failure == nil ? target : record
                    #expect(now.text == (failure == nil ? "new" : "old"), "\(watch.value.comment)")
                    #expect(now.attributes[.accessControl]?.matchKey == expected.attributes[.accessControl]?.matchKey)
                    #expect(now.accessible == expected.accessible, "\(watch.value.comment)")
                    if failure == .locked { failures += 1 }
                    if let failure { #expect([.locked, .unsupported].contains(failure), "\(watch.value.comment)") }
                    lockedWrite = (lockedWrite ?? -1) + 1
                } while watch.value.writes >= lockedWrite ?? 0
            }
            #expect(failures >= chosen.count)
        }
    }
}
