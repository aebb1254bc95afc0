// SPDX-License-Identifier: Apache-2.0

// `environ` is a variable of the C library's.
@preconcurrency import Foundation

/// Whether the program runs with more rights than whoever started it.
///
/// A program that is set-user-ID, set-group-ID or has file capabilities is started by somebody who may not do what it may,
/// and who sets its environment. Everything in this package reads the environment here, so that such a program believes
/// none of it: not where the store is, nor where the passphrase, the home, the session bus or the run-time folder are.
package enum SecureExecution {
    /// What the kernel says. It stays true when the program gives up its rights.
    package static let isActive = systemValue(atSecure) != 0

    /// The environment as far as it can be believed: empty in a program that runs with more rights than its caller.
    package static var environment: [String: String] {
        isActive ? [:] : wholeEnvironment()
    }

    /// One variable of the environment, as far as it can be believed.
    package static func variable(_ name: String) -> String? {
        isActive ? nil : getenv(name).map { String(cString: $0) }
    }

    /// What `ProcessInfo` gives, without what that takes.
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

/// `getauxval(3)`, whose header Foundation does not import. Integers are passed alike in C and in Swift.
@_silgen_name("getauxval")
private func systemValue(_ type: UInt) -> UInt
