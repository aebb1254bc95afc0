// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SecItemMaintenance
import SecItemShim
import SecItemStore

/// `doctor`: which keychain programs have, and what is wrong with it.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Show which keychain programs use, and what is wrong with it.",
        discussion: """
            Creates no keychain, changes nothing, prompts nobody and shows no secret. Exits with 1 if something does not \
            work.
            """)

    @OptionGroup var keychain: KeychainOption

    @Option(
        name: .long,
        help: ArgumentHelp("Check the keychain of the application with this identifier.", valueName: "identifier"))
    var application: String?

    @Flag(name: .long, help: "Print JSON, for programs.")
    var json = false

    func run() throws {
        let place = try MaintainedKeychain(keychain.name).place
        let findings =
            Doctor(place: place, application: application).run() + Self.keychainList + ProgramStore.findings
            + KeychainsElsewhere.findings
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let report = Report(isWell: Doctor.isWell(findings), findings: findings)
            Console.write(Array(try encoder.encode(report)) + [UInt8(ascii: "\n")])
        } else {
            for finding in findings { Console.write(Self.line(finding)) }
        }
        if !Doctor.isWell(findings) { throw CommandFailure(nil) }
    }

    /// What is wrong with the list of keychains, which every other command reads.
    private static var keychainList: [Finding] {
        // What is wrong with the user's folder is in the other findings.
        guard let file = try? KeychainListFile.user() else { return [] }
        do {
            _ = try file.read()
            return []
        } catch {
            let message = (error as? CommandFailure)?.message ?? "\(error)"
            return [
                Finding(
                    "keychain-list", .problem, message,
                    remedy: "correct or remove that file; security list-keychains -s sets the search list again")
            ]
        }
    }

    /// What the JSON has.
    private struct Report: Encodable {
        let isWell: Bool
        let findings: [Finding]
    }

    private static func line(_ finding: Finding) -> String {
        let mark =
            switch finding.level {
            case .fine: "ok     "
            case .note: "note   "
            case .warning: "warning"
            case .problem: "PROBLEM"
            }
        let remedy = finding.remedy.map { "         → \(PrintedBytes.line($0))\n" } ?? ""
        return "\(mark)  \(finding.topic): \(PrintedBytes.line(finding.text))\n\(remedy)"
    }
}
