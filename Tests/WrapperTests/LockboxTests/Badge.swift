import Foundation
import Synchronization

/// A class of the application's own that can be archived. It counts how often one came to life.
class Badge: NSObject, NSSecureCoding {
    static let births = Mutex(0)

    let number: Int

    init(number: Int) {
        self.number = number
    }

    required init?(coder: NSCoder) {
        Self.births.withLock { $0 += 1 }
        number = coder.decodeInteger(forKey: "number")
    }

    static var supportsSecureCoding: Bool { true }

    func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
    }
}

final class GoldenBadge: Badge {}

/// One that no other file can name.
private final class HiddenBadge: Badge {}

extension Badge {
    static func hidden(number: Int) -> Badge { HiddenBadge(number: number) }
}

/// One inside another type.
enum Outer {
    final class InnerBadge: Badge {}
}

/// A class that can be archived, but does not promise to check what it reads.
final class CarelessBadge: NSObject, NSSecureCoding {
    override init() {}
    init?(coder: NSCoder) { nil }
    static var supportsSecureCoding: Bool { false }
    func encode(with coder: NSCoder) {}
}
