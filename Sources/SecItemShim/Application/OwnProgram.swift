// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The running program, as the kernel describes it.
package struct OwnProgram: Sendable {
    /// The path of the executable, even after an upgrade has removed that file. Nil where `/proc` is not mounted.
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
        return (path ?? Self.pathAtStart).map { ($0 as NSString).lastPathComponent }
    }

    /// The bundle identifier in the Info.plist beside the program.
    ///
    /// Foundation finds the program through `/proc`. Without that, `Bundle.main` would end the process.
    package var bundleIdentifier: String? { path == nil ? nil : Bundle.main.bundleIdentifier }

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

    /// The target of a link, with a zero byte at its end.
    private static func targetOfLink(_ link: String) -> [CChar]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        // A path that fills the buffer may have been cut off.
        guard count > 0, count < buffer.count else { return nil }
        return Array(buffer[...count])
    }

    /// The target of the link. The kernel adds " (deleted)" if the file no longer exists under its name. A file may
    /// also have that ending in its real name; then the file exists.
    private static func executablePath(_ link: String) -> String? {
        guard let target = targetOfLink(link) else { return nil }
        let path = text(ofPath: target.dropLast().map { UInt8(bitPattern: $0) })
        let deleted = " (deleted)"
        guard path.hasSuffix(deleted) else { return path }
        var named = stat(), running = stat()
        let isThere =
            stat(target, &named) == 0 && stat(link, &running) == 0 && named.st_ino == running.st_ino
            && named.st_dev == running.st_dev
        return isThere ? path : String(path.dropLast(deleted.count))
    }

    /// The path with which the program was started, as the kernel has noted it in the process. It may be a link.
    private static var pathAtStart: String? {
        guard let path = UnsafePointer<CChar>(bitPattern: SecureExecution.systemValue(.pathAtStart)) else { return nil }
        return text(ofPath: UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    /// A path as text. In a name that is not UTF-8, percent signs and all bytes outside ASCII are written as in a URL.
    /// If they were replaced by one character, as Swift does, different programs would have the same name.
    private static func text(ofPath path: some Collection<UInt8>) -> String {
        if let text = String(validating: path, as: UTF8.self) { return text }
        return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { name in
            String(validating: name, as: UTF8.self) ?? name.map(escaped).joined()
        }.joined(separator: "/")
    }

    private static func escaped(_ byte: UInt8) -> String {
        guard byte >= 0x80 || byte == UInt8(ascii: "%") else { return String(UnicodeScalar(byte)) }
        return "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
    }
}
