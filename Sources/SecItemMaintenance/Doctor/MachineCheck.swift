// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemSQLite
import SecItemShim
import SecItemStore

/// Checks the machine, and the versions of the libraries that the keychain uses.
struct MachineCheck {
    let environment: [String: String]
    /// Whether the store in use keeps its keys for later processes.
    var hasKeyCache = true

    var findings: [Finding] { (hasKeyCache ? [keyCache] : []) + [chip, versions] }

    private var keyCache: Finding {
        let cache = FirstUnlockCache.automatic
        guard let place = cache.place else {
            return Finding(
                "key-cache", .note,
                "neither the kernel's keyring nor a run-time folder keeps keys here: each process unlocks for itself",
                remedy: "log in with a session that sets XDG_RUNTIME_DIR")
        }
        return Finding("key-cache", .fine, "after the first unlock, keys wait in \(place)")
    }

    private var chip: Finding {
        let isWanted = environment["SECITEM_PROTECTOR"] == ConfigurationWord.Protector.tpm.rawValue
        // First, because SECITEM_TPM may name one that is no device.
        if LinuxKeychain.hasTPM { return Finding("tpm", .fine, "this program can use a TPM") }
        let paths: [String] = ["/dev/tpmrm0", "/dev/tpm0"]
        let devices: [String] = paths.filter { access($0, F_OK) == 0 }
        guard let device = devices.first else {
            return Finding(
                "tpm", isWanted ? .problem : .fine, "this program finds no TPM",
                remedy: isWanted ? "unset SECITEM_PROTECTOR, or give the program access to /dev/tpmrm0" : nil)
        }
        let reason =
            access(device, R_OK | W_OK) == 0
            ? "\(device) exists, but this program cannot use it: it may be built without the trait TPM"
            : "\(device) exists, but this user may not use it"
        return Finding(
            "tpm", isWanted ? .problem : .note, reason,
            remedy: isWanted ? "add the user to the group tss, or build the program with the trait TPM" : nil)
    }

    private var versions: Finding {
        var parts = ["SQLite \(Self.text("sqlite3_libversion", in: nil) ?? "unknown")"]
        parts.append(Self.openSSL ?? "OpenSSL 3 is not installed")
        if let path = Self.path(of: "libsecret-1.so.0") { parts.append(path) }
        parts.append(Self.operatingSystem)
        return Finding("versions", .fine, parts.joined(separator: "; "))
    }

    private static var openSSL: String? {
        guard let library = dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL),
            let symbol = dlsym(library, "OpenSSL_version")
        else { return nil }
        let version = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> UnsafePointer<CChar>?).self)
        return version(0).map { String(cString: $0) }
    }

    private static func text(_ function: String, in library: UnsafeMutableRawPointer?) -> String? {
        guard let symbol = dlsym(library, function) else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)().map {
            String(cString: $0)
        }
    }

    /// The target of a library's file, whose name contains the version.
    private static func path(of library: String) -> String? {
        let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib"]
        for folder in folders {
            let path = folder + "/" + library
            if access(path, F_OK) == 0 { return URL(fileURLWithPath: path).resolvingSymlinksInPath().lastPathComponent }
        }
        return nil
    }

    private static var operatingSystem: String {
        let text = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let name = line.map { $0.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\""]) } ?? "Linux"
        var system = utsname()
        guard uname(&system) == 0 else { return name }
        let release = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return "\(name), Linux \(release)"
    }
}
