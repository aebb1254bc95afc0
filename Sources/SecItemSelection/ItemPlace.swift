// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemStore

#if Gnome || Desktop
    import SecItemGnome
#endif

/// A place for an application's items, among those that applications choose by themselves.
package enum ItemPlace: Sendable, Hashable {
    case secretService
    /// The embedded store in that folder.
    case embedded(folder: String)

    private static let secretServiceWord = "secret-service"

    /// The place as a line of text.
    var text: String {
        switch self {
        case .secretService: Self.secretServiceWord
        case .embedded(let folder): folder
        }
    }

    /// Nil for a text that names no place.
    package init?(text: some StringProtocol) {
        if text == Self.secretServiceWord {
            self = .secretService
        } else if text.hasPrefix("/") {
            self = .embedded(folder: String(text))
        } else {
            return nil
        }
    }

    /// The place in words.
    var name: String {
        switch self {
        case .secretService: "the Secret Service"
        case .embedded(let folder): folder
        }
    }

    /// Whether there is a store: a Secret Service that answers, or a database in the folder.
    package var isThere: Bool {
        switch self {
        case .secretService:
            #if Gnome || Desktop
                return LibsecretStore.isServiceAvailable()
            #else
                return false
            #endif
        case .embedded(let folder): return access(StoreLocation(folder: folder).databasePath, F_OK) == 0
        }
    }

    /// Whether an item that is stored in the other place makes that one the recorded place.
    ///
    /// Nobody can look into the Secret Service without a session, so nothing but its record says that items are there. An
    /// embedded store can be looked into at any time.
    func givesWay(to other: ItemPlace) -> Bool { self != .secretService && self != other }
}

/// An application, and the place of its items: what its file in the state folder says.
///
/// The file stays when the application's last item is deleted. So the store may be empty by now, or gone.
package struct PlacedApplication: Sendable, Hashable {
    /// The application's name. Of a very long one, only the beginning, before `…`.
    package let identifier: String
    package let place: ItemPlace
    /// The path of the file that says so.
    package let file: String

    /// All applications of this user that have such a file, sorted by their names.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if the folder with the files, or one of them, exists and cannot be read, or
    ///   if the home folder belongs to another user.
    package static func all(
        environment: [String: String] = SecureExecution.environment
    ) throws(StoreError) -> [PlacedApplication] {
        // Without a folder for such files, no application could leave one.
        guard let state = try UserFolder.state.pathIfAny(environment: environment) else { return [] }
        let folder = state + "/secitem"
        var found: [PlacedApplication] = []
        for name in try PlaceFile.names(in: folder).sorted() {
            guard let identifier = PlaceFile.identifier(ofFile: name) else { continue }
            let path = folder + "/" + name
            guard let place = try PlaceFile.read(path) else { continue }
            found.append(PlacedApplication(identifier: identifier, place: place, file: path))
        }
        return found
    }

    /// Writes down that the items of those applications were moved. A record of a third place stays, because items may be
    /// there; but that of the Secret Service replaces it.
    ///
    /// - Parameters:
    ///   - identifiers: The applications.
    ///   - place: Where all their items are now; nil for a place that no application chooses by itself.
    ///   - former: Where they were.
    /// - Returns: Whether that could be written for each of them.
    package static func moved(
        _ identifiers: some Sequence<String>, to place: ItemPlace?, from former: ItemPlace?,
        environment: [String: String] = SecureExecution.environment
    ) -> Bool {
        // Without a new place there is nothing to record, and an old record of an embedded store does no harm: programs look
        // there and find it empty.
        if place == nil && former != .secretService { return true }
        return identifiers.reduce(true) { all, identifier in
            let file = PlaceFile(environment: environment, identifier: identifier)
            do throws(StoreError) {
                if let place {
                    _ = try file.write(place) { $0 == former || place == .secretService }
                } else {
                    try file.remove { $0 == former }
                }
                return all
            } catch {
                return false
            }
        }
    }
}
