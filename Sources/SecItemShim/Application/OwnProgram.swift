// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The running program, as the kernel describes it.
package struct OwnProgram: Sendable {
    /// The path of the executable, even after an upgrade has removed that file.
    package let path: String?
    /// The folder of the process in `/proc`.
    private let process: String

    /// This very program.
    package static let current = OwnProgram()

    /// - Parameter folder: The folder of the process in `/proc`.
    package init(process folder: String = "/proc/self") {
        process = folder
        path = Self.executablePath(folder + "/exe")
    }

    /// The label that AppArmor confines it under, if any.
    private var confinement: String? {
        try? String(contentsOfFile: process + "/attr/current", encoding: .utf8)
    }

    /// The name of its executable.
    package var name: String? {
        if let path, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            path.utf8.index(after: slash) != path.endIndex
        {
            return String(path[path.utf8.index(after: slash)...])
        }
        return (path ?? CommandLine.arguments.first).map { ($0 as NSString).lastPathComponent }
    }

    /// The snap that the program belongs to.
    ///
    /// `SNAP_NAME` alone proves nothing: every program started in the terminal of a snapped editor inherits it. The
    /// name is trusted if the program is in the snap's folder, or if the kernel confines it as that snap.
    package func snapName(environment: [String: String]) -> String? {
        guard let name = environment["SNAP_INSTANCE_NAME"] ?? environment["SNAP_NAME"], !name.isEmpty else {
            return nil
        }
        if confinement?.hasPrefix("snap.\(name).") == true { return name }
        guard let folder = environment["SNAP"], folder.hasPrefix("/"), folder != "/", let path else { return nil }
        return path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/") ? name : nil
    }

    /// Whether the program is a test runner of `swift test` or `xctest`, and so runs the tests of some package.
    ///
    /// The name of the executable decides: that of the package's tests (`…PackageTests.xctest`, or `…-test-runner` with
    /// the newer build system), or that of the tool that loads them. A program that merely links a testing library is
    /// no test runner.
    package var isTestRunner: Bool {
        guard let name else { return false }
        return name.hasSuffix(".xctest") || name.hasSuffix("-test-runner")
            || ["xctest", "swiftpm-testing-helper", "swiftpm-xctest-helper"].contains(name)
    }

    private static func targetOfLink(_ link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        // A path that fills the buffer may have been cut off.
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The target of the link. The kernel adds " (deleted)" if the file no longer exists under its name. A file may
    /// also have that ending in its real name; then the file exists.
    private static func executablePath(_ link: String) -> String? {
        guard let target = targetOfLink(link) else { return nil }
        let deleted = " (deleted)"
        guard target.hasSuffix(deleted) else { return target }
        var named = stat(), running = stat()
        let isThere =
            stat(target, &named) == 0 && stat(link, &running) == 0 && named.st_ino == running.st_ino
            && named.st_dev == running.st_dev
        return isThere ? target : String(target.dropLast(deleted.count))
    }
}
