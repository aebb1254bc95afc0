// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How much several processes do in the same time, compared with one.
struct ManyProcesses {
    /// What each process is started with besides its kind of work and its number.
    let arguments: [String]

    /// The calls in a second of so many processes together.
    private func rate(_ work: String, _ count: Int, _ seconds: Double) throws -> Double {
        let running = try (0..<count).map { number in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["work", work, String(number), String(seconds)] + arguments
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            return (process, output)
        }
        return try running.reduce(0) { sum, entry in
            let text = String(decoding: entry.1.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            entry.0.waitUntilExit()
            guard let rate = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw BareDatabase.Failure(message: "a process failed")
            }
            return sum + rate
        }
    }

    func rows(_ seconds: Double) throws -> [String] {
        try ["find", "add"].map { work in
            let one = try rate(work, 1, seconds), eight = try rate(work, 8, seconds)
            let cells = [one, eight].map { String(format: "%.0f", $0) } + [String(format: "%.2f", eight / one)]
            return "| \(work) | " + cells.joined(separator: " | ") + " |"
        }
    }

    /// What such a process does: its calls in a second.
    static func work(_ kind: String, _ number: String, _ seconds: Double, _ keychain: Keychain, _ size: Int) throws
        -> Double
    {
        var count = 0
        try keychain.find("account 0")
        let clock = ContinuousClock()
        let start = clock.now
        while clock.now - start < .seconds(seconds) {
            count += 1
            if kind == "add" {
                try keychain.add("\(kind) \(number) \(count) \(getpid())")
            } else {
                try keychain.find("account \((count &* 7_919) % size)")
            }
        }
        let (whole, attoseconds) = (clock.now - start).components
        return Double(count) / (Double(whole) + Double(attoseconds) / 1e18)
    }
}
