// SPDX-License-Identifier: Apache-2.0

import Logging
import SecItemStore

extension PlaceFile {
    /// What a store calls before it stores the application's first item in that place.
    ///
    /// - Parameter isNeeded: Whether no item may be stored without the record. Without it, the next start could not know
    ///   where the items are. If the caller names the store each time, or if the store can be looked into at any time, the
    ///   record is merely useful.
    func recording(_ place: ItemPlace, isNeeded: Bool) -> PlaceRecording {
        { () throws(StoreError) in
            let outcome: Outcome
            do throws(StoreError) {
                outcome = try write(place) { $0.givesWay(to: place) }
            } catch {
                try tell(error, place, isNeeded: isNeeded)
                return nil
            }
            switch outcome {
            case .unchanged: return nil
            case .kept(let other):
                Self.warn(place, isUsedInsteadOf: other)
                return nil
            case .written(let before):
                if place == .secretService, let before { Self.warn(place, isUsedInsteadOf: before) }
                return {
                    do throws(StoreError) {
                        try takeBack(place, before: before)
                    } catch {
                        Logger(keychain: "secitem").warning(
                            "The record of a place in which nothing was stored cannot be removed",
                            metadata: ["reason": "\(error.message)"])
                    }
                }
            }
        }
    }

    private func tell(_ error: StoreError, _ place: ItemPlace, isNeeded: Bool) throws(StoreError) {
        guard place == .secretService else {
            // It can be looked into at any time. Only a warning would be missed.
            return Logger(keychain: "secitem").debug(
                "The keychain's folder could not be recorded", metadata: ["reason": "\(error)"])
        }
        let consequence = "where no Secret Service runs, the application will not know that its items are there"
        guard isNeeded else {
            return Logger(keychain: "secitem").once(
                .warning, "The choice of the Secret Service cannot be recorded: \(consequence)",
                metadata: ["reason": "\(error.message)"])
        }
        throw StoreError(
            .unavailable,
            "\(error.message). Without that file, \(consequence). Make the folder writable, or set "
                + "SECITEM_STORE=secret-service", underlying: error.underlying)
    }

    /// Says that the application's items are elsewhere than in the store that is used now.
    static func warn(_ place: ItemPlace, isUsedInsteadOf recorded: ItemPlace) {
        Logger(keychain: "secitem").once(
            .warning,
            recorded == place
                // The record precedes the keychain.
                ? "This application had items in this keychain, which no longer exists, or another process is making it "
                    + "at this moment: a new one is created when an item is stored"
                : "This application had items in another keychain than the one it uses now",
            metadata: ["before": "\(recorded.name)", "now": "\(place.name)"])
    }
}
