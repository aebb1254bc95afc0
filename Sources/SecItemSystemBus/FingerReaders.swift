// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SecItemBus
import Synchronization

/// The fingerprint readers that fprintd knows. This only asks for information; only PAM reads fingers.
struct FingerReaders {
    private static let service = "net.reactivated.Fprint"
    private static let device = "net.reactivated.Fprint.Device"

    /// The names of this user's enrolled fingers for each reader.
    private let enrolled: [(reader: String, fingers: [String])]

    /// Nil if there is no reader or no fprintd.
    init?(on bus: BusConnection) {
        let manager = BusConnection.Call(
            Self.service, "/net/reactivated/Fprint/Manager", "net.reactivated.Fprint.Manager", "GetDevices",
            answer: "(ao)")
        guard let paths = try? bus.call(manager)[0].strings, !paths.isEmpty else { return nil }
        enrolled = paths.map { path in (Self.name(of: path, bus), Self.fingers(path, bus)) }
    }

    private static func name(of path: String, _ bus: BusConnection) -> String {
        let call = BusConnection.Call(
            service, path, "org.freedesktop.DBus.Properties", "Get", .tuple(.string(device), .string("name")),
            answer: "(v)")
        return (try? bus.call(call)[0].unboxed.string) ?? ""
    }

    private static func fingers(_ path: String, _ bus: BusConnection) -> [String] {
        // An empty name means the caller. Without an enrolled finger, the call fails.
        let call = BusConnection.Call(
            service, path, device, "ListEnrolledFingers", .tuple(.string("")), answer: "(as)")
        return (try? bus.call(call)[0].strings) ?? []
    }

    var hasFingers: Bool { enrolled.contains { !$0.fingers.isEmpty } }

    /// A digest of the enrolled fingers on all readers; nil if there are none.
    var digest: Data? {
        guard hasFingers else { return nil }
        let readers = enrolled.map { [$0.reader] + Set($0.fingers).sorted() }.sorted {
            $0.lexicographicallyPrecedes($1)
        }
        var hash = SHA256()
        hash.update(data: Data("secitem enrolled fingers 1".utf8))
        for reader in readers where reader.count > 1 {
            for text in reader + [""] {
                withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: Data(text.utf8))
            }
        }
        return Data(hash.finalize())
    }

    /// Learns that a finger was recognised while another program has it read.
    final class Matches: Sendable {
        private let listener: BusConnection.Listener
        private let heard: Heard
        /// Whether the bus has promised to pass on all reports.
        private let hearsAll: Bool

        /// What is known about a recognised finger.
        enum Finding {
            /// fprintd has reported one.
            case heard
            /// There was no report.
            case notHeard
            /// There was a report that may have been fprintd's, or there may have been one.
            case unknown
        }

        private final class Heard: Sendable {
            let senders = Mutex<Set<String>>([])
        }

        init(on bus: BusConnection) {
            let heard = Heard()
            self.heard = heard
            listener = bus.listen { signal in
                guard signal.interface == FingerReaders.device, signal.member == "VerifyStatus",
                    signal.arguments.type == "(sb)", signal.arguments[0].string == "verify-match"
                else { return }
                heard.senders.withLock { _ = $0.insert(signal.sender) }
            }
            let rule = "type='signal',interface='\(FingerReaders.device)',member='VerifyStatus'"
            hearsAll = (try? bus.call(.bus("AddMatch", .tuple(.string(rule))))) != nil
        }

        /// Whether fprintd itself has reported a recognised finger since.
        ///
        /// fprintd ends when it has nothing to do, so it may be gone by now. A report then cannot be told from another
        /// program's.
        func finding(on bus: BusConnection) -> Finding {
            let call = BusConnection.Call.bus("GetNameOwner", .tuple(.string(FingerReaders.service)), answer: "(s)")
            let owner = try? bus.call(call)[0].string
            let senders = heard.senders.withLock { $0 }
            if let owner, senders.contains(owner) { return .heard }
            return hearsAll && senders.isEmpty ? .notHeard : .unknown
        }
    }
}
