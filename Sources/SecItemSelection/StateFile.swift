import Crypto
import Foundation
import SecItemStore

/// A file in the user's state folder that remembers something about one application.
struct StateFile: Sendable {
    /// The application's name and what is remembered.
    let name: String
    private let environment: [String: String]

    /// - Parameter kind: What is remembered: the end of the file's name.
    init(environment: [String: String], identifier: String, kind: String) {
        self.environment = environment
        name = "\(Self.encoded(identifier)).\(kind)"
    }

    /// The identifier as part of a file name: a long one by its beginning and digest.
    private static func encoded(_ identifier: String) -> String {
        let encoded = identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        if !encoded.isEmpty && encoded.utf8.count <= 160 { return encoded }
        let digest = SHA256.hash(data: Data(identifier.utf8))
        return encoded.prefix(80) + "-"
            + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The folder.
    var folder: String {
        get throws(StoreError) { try UserFolder.state.path(environment: environment) + "/secitem" }
    }

    var path: String {
        get throws(StoreError) { try folder + "/" + name }
    }

    /// Makes the folder, with those above it.
    func makeFolder() throws(StoreError) {
        let folder = try folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(.unavailable, "the folder \(folder) cannot be made", underlying: error)
        }
    }

    /// Writes a file beside this one whose name begins alike.
    ///
    /// - Returns: The path.
    func writeBeside(_ content: String) throws(StoreError) -> String {
        try makeFolder()
        let path = try path + "." + String(UInt64.random(in: .min ... .max), radix: 16)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreError(.unavailable, "\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let bytes = Array(content.utf8)
        guard bytes.isEmpty || write(file, bytes, bytes.count) == bytes.count else {
            let reason = String(cString: strerror(errno))
            unlink(path)
            throw StoreError(.unavailable, "\(path) cannot be written: \(reason)")
        }
        return path
    }
}
