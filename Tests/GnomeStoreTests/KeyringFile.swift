import Foundation

/// gnome-keyring's file of a keyring without a password: groups of lines, as in a desktop entry. It is a way to very many
/// items; made one by one, 5,000 take most of an hour.
struct KeyringFile {
    let url: URL

    /// The keyring of a world that was started passwordless.
    init(of world: World) {
        url = URL(fileURLWithPath: world.folder + "/data/keyrings/plain.keyring")
    }

    /// Makes many of the one item there is. Each has its number in place of the text `number`, and a UUID of its own.
    func multiply(to count: Int) throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        let groups = text.components(separatedBy: "\n[").enumerated().map { $0 == 0 ? $1 : "[" + $1 }
        let ring = groups.filter { !Self.isOfItem($0) }
        let item = groups.filter(Self.isOfItem).joined(separator: "\n")
        let copies = (0..<count).map { number in
            item.replacing(/(?m)^\[\d+/) { _ in "[\(number + 1)" }
                .replacing("=number", with: "=\(number)")
                .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/) { _ in UUID().uuidString.lowercased() }
        }
        try (ring + copies).joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
    }

    private static func isOfItem(_ group: String) -> Bool {
        group.dropFirst().first?.isNumber == true
    }
}
