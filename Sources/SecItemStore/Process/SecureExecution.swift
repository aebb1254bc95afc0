// SPDX-License-Identifier: Apache-2.0

// `environ` is a variable of the C library.
@preconcurrency import Foundation

/// Whether the program runs with more rights than its caller.
///
/// A program that is set-user-ID or set-group-ID, or has file capabilities, is started by a user with fewer rights, who
/// sets its environment. All code of this package reads the environment here, so that such a program ignores it: the
/// place of the store, the passphrase, the home folder, the session bus and the run-time folder.
package enum SecureExecution {
    /// The kernel's answer. It stays true after the program gives up its rights.
    package static let isActive = systemValue(atSecure) != 0

    /// The trustworthy part of the environment: empty in a program that runs with more rights than its caller.
    package static var environment: [String: String] {
        isActive ? [:] : wholeEnvironment()
    }

    /// One variable of the environment, if it can be trusted.
    package static func variable(_ name: String) -> String? {
        isActive ? nil : getenv(name).map { String(cString: $0) }
    }

    /// The environment as `ProcessInfo` gives it, at a lower cost.
    private static func wholeEnvironment() -> [String: String] {
        // Null after `clearenv()`.
        guard var entry = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>(bitPattern: Int(bitPattern: environ))
        else {
            return [:]
        }
        var result: [String: String] = [:]
        while let text = entry.pointee {
            entry += 1
            guard let separator = strchr(text, Int32(UInt8(ascii: "="))) else { continue }
            let name = UnsafeRawBufferPointer(start: text, count: separator - text)
            result[String(decoding: name, as: UTF8.self)] = String(cString: separator + 1)
        }
        return result
    }

    /// `AT_SECURE` of <elf.h>.
    private static let atSecure: UInt = 23
}

/// `getauxval(3)`, whose header Foundation does not import. C and Swift pass integers in the same way.
@_silgen_name("getauxval")
private func systemValue(_ type: UInt) -> UInt
