// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// An application, and a store in which it has or had items: what one of its files in the state folder says.
///
/// A file stays when the application's last item is deleted, and ``PlaceOfItems`` also when the items move. So the store
/// may be empty by now, or gone.
package struct MarkedApplication: Sendable, Hashable {
    /// A store that applications choose by themselves.
    package enum Place: Sendable, Hashable {
        case secretService
        /// The embedded store in that folder.
        case embedded(folder: String)
    }

    /// The application's name. Of a very long one, only the beginning, before `…`.
    package let identifier: String
    /// The store.
    package let place: Place
    /// The path of the file that says so.
    package let file: String

    /// All applications of this user that a file names, sorted by their names.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the folder with the files, or one of them, exists and cannot be read, or
    ///   if the home folder belongs to another user.
    package static func all(
        environment: [String: String] = SecureExecution.environment
    ) throws(StoreError) -> [MarkedApplication] {
        // Without a folder for such files, no application could leave one.
        guard let state = try UserFolder.state.pathIfAny(environment: environment) else { return [] }
        let folder = state + "/secitem"
        var found: [MarkedApplication] = []
        for name in try StateFile.names(in: folder).sorted() {
            guard let application = try application(name, folder + "/" + name) else { continue }
            // An unconfirmed mark may lie beside the mark.
            let isKnown = found.contains {
                $0.identifier == application.identifier && $0.place == application.place
            }
            if !isKnown { found.append(application) }
        }
        return found
    }

    private static func application(_ name: String, _ path: String) throws(StoreError) -> MarkedApplication? {
        // An identifier has no dot in a file's name.
        let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let kind = StateFile.Kind(rawValue: String(parts[1])) else { return nil }
        let identifier = StateFile.identifier(encodedAs: parts[0])
        switch kind {
        case .secretService: return MarkedApplication(identifier: identifier, place: .secretService, file: path)
        case .embedded:
            // A longer name is that of a file which has not got its own name yet.
            guard parts.count == 2 else { return nil }
            guard let folder = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw StoreError(.unavailable, "\(path), which names an application's keychain, cannot be read")
            }
            guard folder.hasPrefix("/") else { return nil }
            return MarkedApplication(identifier: identifier, place: .embedded(folder: folder), file: path)
        }
    }
}
