#if Gnome
    import Foundation
    import Logging
    import SecItemShim

    /// Remembers that an application has put items into the Secret Service, so that it never finds itself with an empty
    /// keychain because it was started where none runs (over SSH, from cron).
    ///
    /// An empty file named after the application in `$XDG_STATE_HOME/secitem`; deleting it makes the choice anew.
    struct SecretServiceMark {
        private let url: URL?

        init(environment: [String: String], application: ClientApplication) {
            let name = application.identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            url = Self.folder(environment).flatMap { folder in
                name.map { folder.appendingPathComponent("\($0).secret-service") }
            }
        }

        private static func folder(_ environment: [String: String]) -> URL? {
            if let path = environment["XDG_STATE_HOME"], path.hasPrefix("/") {
                return URL(fileURLWithPath: path).appendingPathComponent("secitem")
            }
            guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
            return URL(fileURLWithPath: home).appendingPathComponent(".local/state/secitem")
        }

        var isSet: Bool {
            url.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
        }

        func set() {
            guard let url else { return }
            do {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                try Data().write(to: url)
            } catch {
                // Without the mark the next start chooses by what it finds: no item is lost.
                Logger(label: "secitem").debug("the choice of the Secret Service was not written down: \(error)")
            }
        }
    }
#endif
