// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files in a folder and in those below it. Hidden ones do not count.
///
/// What cannot be looked into is named, so that nobody believes that nothing was in it. A link to a folder is not followed,
/// because it could lead anywhere.
struct FolderWalk {
    /// The paths of the files within the folder, in order.
    private(set) var paths: [String] = []
    /// The folders that were not looked into, and why not.
    private(set) var unread: [(path: String, reason: String)] = []

    private let folder: String
    private let ending: String

    /// - Parameters:
    ///   - folder: The folder. It may be reached by a link.
    ///   - ending: How the names of the files end.
    init(_ folder: String, ending: String) {
        self.folder = folder
        self.ending = ending
        walk("")
        paths.sort()
        unread.sort { $0.path < $1.path }
    }

    private mutating func walk(_ path: String) {
        let names: [String]
        do {
            // With a slash at its end, a link to the folder is followed.
            names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(path)/")
        } catch {
            return unread.append((path.isEmpty ? folder : path, "the folder cannot be read"))
        }
        for name in names where !name.hasPrefix(".") { take(path.isEmpty ? name : "\(path)/\(name)") }
    }

    private mutating func take(_ path: String) {
        if path.utf8.count > ending.utf8.count, path.hasSuffix(ending) { return paths.append(path) }
        var status = stat()
        guard lstat("\(folder)/\(path)", &status) == 0 else {
            return unread.append((path, Self.reason(errno)))
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: walk(path)
        case S_IFLNK where isFolder(path): unread.append((path, "it is a link to a folder, which is not followed"))
        default: break
        }
    }

    /// Why a name that the folder lists leads to nothing. Where it is not UTF-8, the name that was read is another one.
    private static func reason(_ number: Int32) -> String {
        number == ENOENT ? "there is no file of that name in UTF-8" : String(cString: strerror(number))
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat("\(folder)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
