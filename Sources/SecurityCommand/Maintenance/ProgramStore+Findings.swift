// SPDX-License-Identifier: Apache-2.0

import SecItemMaintenance
import SecItemSelection

extension ProgramStore {
    /// What the doctor says about the stores of all programs: each program chooses its own, and the one that the doctor looks
    /// at may be another.
    static var findings: [Finding] {
        do {
            return try all().flatMap(\.findings)
        } catch {
            let message = (error as? CommandFailure)?.message ?? "\(error)"
            return [Finding("programs", .problem, message, remedy: "let this user read that folder")]
        }
    }

    private var findings: [Finding] {
        switch answer() {
        case .empty: []
        case .hasItems: [Finding("programs", .fine, "\(names) may have items in \(name), which answers")]
        case .locked: [Finding("programs", .note, "\(names) may have items in \(name), which is locked")]
        case .absent:
            programs.map { program in
                Finding(
                    "programs", .warning,
                    "\"\(program.identifier)\" had items in \(name), where there is no keychain now",
                    remedy: "mount or restore that folder; if nobody misses it, delete \(program.file)")
            }
        case .failure(let message):
            programs.map { program in
                Finding(
                    "programs", .problem,
                    "\"\(program.identifier)\" has items in \(name), which does not answer: \(message)",
                    remedy: remedy(program))
            }
        }
    }

    private func remedy(_ program: PlacedApplication) -> String {
        switch place {
        case .secretService:
            "start the program in a session with a bus and a Secret Service; if it has no items there any more, delete "
                + program.file
        case .embedded: "security doctor --keychain \(option) says more"
        }
    }
}
