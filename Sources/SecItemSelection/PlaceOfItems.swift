// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import SecItemStore

/// Records the folder of the embedded store in which the application last stored an item.
///
/// If a new store is created, in another folder or in the same one, a disk may not be mounted or a setting may be lost.
/// The application's items still exist, but the user would not know why they are not found. So the log explains it.
struct PlaceOfItems: Sendable {
    private let file: StateFile

    init(environment: [String: String], identifier: String) {
        file = StateFile(environment: environment, identifier: identifier, kind: .embedded)
    }

    /// The recorded folder, if there is one.
    var folder: String? {
        guard let path = try? file.path else { return nil }
        return try? String(contentsOfFile: path, encoding: .utf8)
    }

    /// - Parameter place: The folder of a store that does not exist yet, or the name of another store.
    func warn(ofNewStoreAt place: String) {
        guard let folder else { return }
        Logger(keychain: "secitem").once(
            .warning,
            folder == place
                ? "This application had items in this keychain, which no longer exists: a new one is created when an "
                    + "item is stored"
                : "This application had items in another keychain than the one it uses now",
            metadata: ["before": "\(folder)", "now": "\(place)"])
    }

    func remember(_ folder: String) {
        if self.folder == folder { return }
        do throws(StoreError) {
            let unfinished = try file.writeBeside(folder)
            if rename(unfinished, try file.path) != 0 { unlink(unfinished) }
        } catch {
            // Only a warning would be missed.
            Logger(keychain: "secitem").debug(
                "The keychain's folder could not be recorded", metadata: ["reason": "\(error)"])
        }
    }
}
