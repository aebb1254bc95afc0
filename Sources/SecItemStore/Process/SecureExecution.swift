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
    package static let isActive = systemValue(.isSecure) != 0

    /// The trustworthy part of the environment: empty in a program that runs with more rights than its caller.
    package static var environment: [String: String] {
        isActive ? [:] : wholeEnvironment()
    }

    /// One variable of the environment, if it can be trusted; ``unreadableValue`` if it is not UTF-8.
    package static func variable(_ name: String) -> String? {
        isActive ? nil : getenv(name).map(decoded)
    }

    // MARK: Values that are not UTF-8

    /// The value of a variable that is not UTF-8. No variable has this value, because it begins with a zero byte. As a
    /// path, it names no file.
    ///
    /// Swift would repair such a text. Then different folders, or different applications, would become one.
    package static var unreadableValue: String { "\0" }

    /// - Throws: ``StoreError/Code/unavailable`` if a variable that decides about the keychain is not UTF-8.
    package static func requireReadable(_ environment: [String: String]) throws(StoreError) {
        for (name, value) in environment where value.utf8.first == 0 && decidesAboutKeychain(name) {
            throw StoreError(
                .unavailable, "the value of the environment variable \(name) is not UTF-8: correct it, or unset it")
        }
    }

    /// Whether the package reads a variable before it opens a store. Variables that it does not read may have any
    /// bytes.
    private static func decidesAboutKeychain(_ name: String) -> Bool {
        switch name {
        case "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "CREDENTIALS_DIRECTORY",
            "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "SNAP", "SNAP_NAME", "SNAP_INSTANCE_NAME":
            true
        default: name.hasPrefix("SECITEM_")
        }
    }

    private static func decoded(_ value: UnsafeMutablePointer<CChar>) -> String {
        String(validatingCString: value) ?? unreadableValue
    }

    /// The environment as `ProcessInfo` gives it, at a lower cost, and with ``unreadableValue`` for what is not UTF-8.
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
            result[String(decoding: name, as: UTF8.self)] = decoded(separator + 1)
        }
        return result
    }

    /// What the kernel tells a program that it starts: `AT_…` of <elf.h>.
    package enum SystemValue: UInt {
        case isSecure = 23
        case pathAtStart = 31
    }

    /// A value of the kernel, or 0 if it gives none.
    package static func systemValue(_ type: SystemValue) -> UInt { getauxval(type.rawValue) }
}

/// `getauxval(3)`, whose header Foundation does not import. C and Swift pass integers in the same way.
@_silgen_name("getauxval")
private func getauxval(_ type: UInt) -> UInt
