// SPDX-License-Identifier: Apache-2.0

import SecItemMaintenance

/// What became of items, for a person.
struct TallyReport {
    private let tally: TransferTally
    private let replaces: Bool

    init(_ tally: TransferTally, replacing replaces: Bool) {
        self.tally = tally
        self.replaces = replaces
    }

    /// Says it on standard error.
    ///
    /// - Throws: ``CommandFailure`` when not every item is there now.
    func tell() throws {
        let parts = [
            (tally.added, "added"), (tally.same, "already there"), (tally.replaced, "replaced"),
            (tally.different, "kept with other contents"), (tally.refused, "refused"),
        ]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        CommandContext.current.note("\(tally.count) items\(text.isEmpty ? "" : ": \(text)")")
        if tally.renamed > 0 {
            CommandContext.current.note("\(tally.renamed) of them got another persistent reference")
        }
        for refusal in tally.refusals {
            Console.error(
                "security: refused: \(refusal.reference.itemClass.rawValue) \(refusal.reference.uuid): \(PrintedBytes.line(refusal.reason))"
            )
        }
        for item in tally.kept { Console.error(PrintedBytes.line("security: kept: \(item.text)")) }
        if !tally.kept.isEmpty {
            CommandContext.current.note(
                replaces
                    ? "security: the source has several items of these names, and only one of each can be there"
                    : "security: --replace replaces them")
        }
        if !tally.isComplete { throw CommandFailure(nil) }
    }
}
