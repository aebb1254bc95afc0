// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The entries of a description, in the order in which they are found.
struct EntryList {
    /// How many entries a description may still get. A certificate of 1 MiB could lead to half a million.
    final class Budget {
        static let greatest = 16384

        private var left = greatest

        fileprivate func spend() throws(KeychainError) {
            guard left > 0 else {
                throw KeychainError(errSecDataTooLarge, "the certificate has more than \(Self.greatest) values")
            }
            left -= 1
        }
    }

    private(set) var entries: [CertificateEntry] = []
    private let budget: Budget

    /// - Parameter budget: The budget, which the sections of a description share.
    init(_ budget: Budget) {
        self.budget = budget
    }

    /// - Throws: `errSecDataTooLarge` if there are too many entries. All methods that add entries throw this.
    mutating func add(_ label: String?, _ value: CertificateEntry.Value) throws(KeychainError) {
        try budget.spend()
        entries.append(CertificateEntry(label: label, value: value))
    }

    mutating func add(_ label: String?, _ text: String) throws(KeychainError) {
        try add(label, .string(text))
    }

    mutating func add(_ label: String, _ isTrue: Bool) throws(KeychainError) {
        try add(label, isTrue ? "Yes" : "No")
    }

    mutating func addData(_ label: String, _ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        try add(label, .data(Data(bytes)))
    }

    /// Adds an address: bytes in ASCII.
    mutating func addURL(_ label: String, _ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        let text = bytes.allSatisfy { $0 < 0x80 } ? DERText.utf8(bytes) : nil
        guard let url = text.flatMap({ URL(string: $0, encodingInvalidCharacters: false) }) else {
            return try addInvalid(label, bytes)
        }
        try add(label, .url(url))
    }

    // MARK: - Sections

    /// An empty list for a section of this one.
    var section: EntryList { EntryList(budget) }

    mutating func addSection(_ label: String?, _ section: EntryList) throws(KeychainError) {
        try add(label, .section(section.entries))
    }

    /// Adds the entries of a section without the section.
    mutating func append(_ section: EntryList) {
        entries += section.entries
    }

    /// Makes the last entries a section.
    mutating func gather(_ count: Int) throws(KeychainError) {
        let last = Array(entries.suffix(count))
        entries.removeLast(last.count)
        try add(nil, .section(last))
    }

    // MARK: - What cannot be read

    /// Adds bytes of an unknown form.
    mutating func addUnparsed(_ label: String, _ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        try addData("Unparsed \(label)", bytes)
    }

    /// Adds damaged bytes.
    mutating func addInvalid(_ label: String, _ bytes: ArraySlice<UInt8>) throws(KeychainError) {
        try addData("Invalid \(label)", bytes)
    }

    /// Adds what `body` reads of the bytes. If they are damaged, adds the bytes too; what was read before stays, as on
    /// Apple's platforms.
    mutating func read(
        _ label: String, _ bytes: ArraySlice<UInt8>,
        _ body: (inout EntryList, ArraySlice<UInt8>) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        do throws(KeychainError) {
            try body(&self, bytes)
        } catch {
            guard error.status == errSecDecode else { throw error }
            try addInvalid(label, bytes)
        }
    }
}
