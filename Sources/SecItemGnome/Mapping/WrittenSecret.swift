// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The form of a secret in an item of this library. Almost every secret is stored unchanged.
///
/// gnome-keyring writes a keyring without a password to a text file: one line for each secret, without escapes. (It
/// writes a secret that is not UTF-8 or has a NUL in hexadecimal.) When the daemon reads the file again, it drops blanks
/// at the beginning of a line and a carriage return at its end, and replaces what follows a backslash. A line break
/// begins another line, which can make the whole file unreadable, with every secret in it. The bus does not tell whether
/// a keyring has a password, so the form depends on the secret alone.
///
/// The encoded form begins with a marker. So one call replaces both the secret and its form, and a look-up in between
/// reads either the old or the new secret. ``SecretSchema/encodingName`` tells other programs of the form.
extension Secret {
    /// The marker of the encoded form. A secret that itself begins with it is encoded too.
    private static let marker = Array(ValueText.base64Marker.utf8)

    /// Whether gnome-keyring's text file cannot hold the secret as it is.
    var needsEncoding: Bool {
        withUnsafeBytes { bytes in
            guard let first = bytes.first, let last = bytes.last else { return false }
            if bytes.starts(with: Self.marker) { return true }
            let isAltered =
                Self.blanks.contains(first) || last == UInt8(ascii: "\r")
                || bytes.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\\") }
            return isAltered && bytes.isText { $0 != "\0" }
        }
    }

    /// The blanks that the file loses at the beginning of a line. A line break is not among them, because it is never
    /// kept.
    private static let blanks = Array(" \t\u{C}\r".utf8)

    /// How many bytes ``written`` has.
    var writtenCount: Int { needsEncoding ? Self.marker.count + (count + 2) / 3 * 4 : count }

    /// The secret as the service stores it.
    var written: Secret {
        guard needsEncoding else { return self }
        var text = withBytesAsData { $0.base64EncodedData() }
        defer { text.wipe() }
        return Secret(count: Self.marker.count + text.count) { target in
            target.copyBytes(from: Self.marker)
            text.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: target[Self.marker.count...]))
        }
    }

    /// The secret that the service stores in this form. If another program has written something else behind the
    /// marker, it is returned as it is.
    var read: Secret {
        guard withUnsafeBytes({ $0.starts(with: Self.marker) }) else { return self }
        return withBytesAsData { Data(base64Encoded: $0.dropFirst(Self.marker.count)) }
            .map { Secret(wiping: $0) } ?? self
    }

    /// Gives `body` the bytes as data that is not a copy.
    private func withBytesAsData<Result>(_ body: (Data) -> Result) -> Result {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return body(Data()) }
            return body(
                Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are UTF-8 and each of its scalars is one that `isAllowed` accepts.
    ///
    /// Reads the bytes in place, so that there is no copy that nobody wipes.
    func isText(_ isAllowed: (Unicode.Scalar) -> Bool) -> Bool {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded): if !isAllowed(Unicode.UTF8.decode(encoded)) { return false }
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}
