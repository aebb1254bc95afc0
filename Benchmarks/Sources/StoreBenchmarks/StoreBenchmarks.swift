// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sampling

/// Compares the cost of the keychain with that of SQLite, and of GRDB with AES-GCM. Usage: `swift run -c release
/// StoreBenchmarks [sizes] [folder]`.
///
/// All ways take turns in one run. Each time is the minimum, median and maximum of the rounds in microseconds. The
/// folder should be on a disk, because durable writes are measured. The stores are filled in memory and then moved
/// there.
@main
struct StoreBenchmarks {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let sizes = arguments.first?.split(separator: ",").compactMap { Int($0) } ?? [10, 1_000, 10_000, 100_000]
        let folder = (arguments.dropFirst().first ?? NSTemporaryDirectory()) + "/secitem-benchmark-\(getpid())"
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        var places: [Place] = []
        print(Comparison.header)
        for size in sizes {
            let place = try Place(folder: "\(folder)/\(size)", size: size)
            for row in try place.measure() { print(row) }
            places.append(place)
        }
        if let small = places.first, let large = places.last, places.count > 1 {
            print("")
            print(try growth(small, large))
        }
    }

    /// How much more it costs to find one secret among many items than among few.
    private static func growth(_ small: Place, _ large: Place) throws -> String {
        var samples = (small: Samples(), large: Samples())
        for _ in 0..<21 {
            try small.find(&samples.small)
            try large.find(&samples.large)
        }
        let ratio = Comparison.ratio(samples.large.median / samples.small.median)
        return "Finding one secret among \(large.size) items costs \(ratio) times what it costs among \(small.size)."
    }
}

/// The three databases, with the same number of items.
private struct Place {
    let size: Int
    private let folder: String
    private let keychain = Keychain()
    private static let secret = Data("a secret of an ordinary length".utf8)

    init(folder: String, size: Int) throws {
        self.size = size
        self.folder = folder
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let memory =
            manager.fileExists(atPath: "/dev/shm") ? "/dev/shm/secitem-benchmark-\(getpid())" : folder + "/fill"
        Keychain.use(folder: memory)
        for number in 0..<size { try keychain.add(number, Self.secret) }
        Keychain.close()
        try manager.moveItem(atPath: memory, toPath: folder + "/keychain")
        let all = try (0..<size).map { try Bytes(number: $0, sealing: Self.secret) }
        let raw = try RawDatabase(path: folder + "/raw.db")
        try raw.inTransaction { for bytes in all { try raw.add(bytes) } }
        try LayeredDatabase(path: folder + "/layered.db").addMany(all)
    }

    func measure() throws -> [String] {
        Keychain.use(folder: folder + "/keychain")
        defer { Keychain.close() }
        let raw = try RawDatabase(path: folder + "/raw.db")
        let layered = try LayeredDatabase(path: folder + "/layered.db")
        let keychain = keychain
        let size = size
        let secret = Self.secret
        let added = try (size..<size + 600).map { try Bytes(number: $0, sealing: secret) }
        // Other content than before, because SQLite writes nothing if nothing changes.
        let changed = try (size..<size + 300).map { try Bytes(number: $0, sealing: secret) }
        var turn = 0
        func next(_ number: Int) -> Int { (number &* 7_919) % size }

        var find = Comparison()
        try find.run(
            rounds: 101, repeating: 50,
            raw: {
                turn += 1; try raw.find(next(turn))
            },
            layered: {
                turn += 1; try layered.find(next(turn))
            },
            product: {
                turn += 1; try keychain.find(next(turn))
            })

        var all = Comparison()
        try all.run(
            rounds: size > 10_000 ? 3 : size > 100 ? 11 : 51,
            raw: { guard try raw.findAll() == size else { throw Bytes.Failure() } },
            layered: { guard try layered.findAll() == size else { throw Bytes.Failure() } },
            product: { guard try keychain.findAll() == size else { throw Bytes.Failure() } })

        var looked = Comparison()
        try looked.run(
            rounds: size > 10_000 ? 3 : size > 100 ? 11 : 51,
            raw: { guard try raw.findAll() == size else { throw Bytes.Failure() } },
            layered: { guard try layered.findAll() == size else { throw Bytes.Failure() } },
            product: { guard try keychain.findAll(looking: true) == size else { throw Bytes.Failure() } })

        var numbers = (raw: size - 1, layered: size - 1, product: size - 1)
        var add = Comparison()
        try add.run(
            rounds: 300, after: 300,
            raw: {
                numbers.raw += 1; try raw.inTransaction { try raw.add(added[numbers.raw - size]) }
            },
            layered: {
                numbers.layered += 1; try layered.add(added[numbers.layered - size], secret)
            },
            product: {
                numbers.product += 1; try keychain.add(numbers.product, secret)
            })

        numbers = (size - 1, size - 1, size - 1)
        var update = Comparison()
        try update.run(
            rounds: changed.count,
            raw: {
                numbers.raw += 1; try raw.update(numbers.raw, changed[numbers.raw - size])
            },
            layered: {
                numbers.layered += 1; try layered.update(numbers.layered, changed[numbers.layered - size], secret)
            },
            product: {
                numbers.product += 1; try keychain.update(numbers.product, secret)
            })

        numbers = (size - 1, size - 1, size - 1)
        var delete = Comparison()
        try delete.run(
            rounds: 300,
            raw: {
                numbers.raw += 1; try raw.delete(numbers.raw, added[numbers.raw - size])
            },
            layered: {
                numbers.layered += 1; try layered.delete(numbers.layered, added[numbers.layered - size])
            },
            product: {
                numbers.product += 1; try keychain.delete(numbers.product)
            })

        return [
            find.row("find one secret", size), all.row("find all, attributes and data", size),
            looked.row("find all, and make a Swift dictionary of each", size), add.row("add", size),
            update.row("update", size), delete.row("delete", size),
        ]
    }

    /// Takes one sample of look-ups, after as many unmeasured ones.
    func find(_ samples: inout Samples) throws {
        Keychain.use(folder: folder + "/keychain")
        defer { Keychain.close() }
        var turn = 0
        func once() throws {
            turn += 1
            try keychain.find((turn &* 7_919) % size)
        }
        for _ in 0..<300 { try once() }
        try samples.take(repeating: 300, once)
    }
}
