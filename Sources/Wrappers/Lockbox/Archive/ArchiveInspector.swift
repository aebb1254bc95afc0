import Foundation

/// Looks through a keyed archive before any object of an application's own class in it is brought to life.
///
/// Foundation's `NSKeyedUnarchiver` on Linux ends the process at a class that is not allowed, and follows references that
/// go in a circle without end. Whoever can write to the keychain must not be able to do that to the application.
struct ArchiveInspector {
    let table: ArchiveTable
    let classes: [AnyClass]

    /// Foundation decodes by recursion.
    private static let greatestDepth = 200

    /// Whether every object is of an allowed class and every reference leads somewhere.
    var isSound: Bool {
        var walk = Walk()
        return table.roots.allSatisfy { isSound($0, &walk) }
    }

    private struct Walk {
        var finished: Set<Int> = []
        /// The objects between the root and here: to meet one of them again is a circle.
        var path: Set<Int> = []
    }

    private func isSound(_ value: Any, _ walk: inout Walk) -> Bool {
        guard table.isReference(value) else { return true }
        guard let index = table.index(value) else { return false }
        if walk.finished.contains(index) { return true }
        guard walk.path.count < Self.greatestDepth, walk.path.insert(index).inserted,
            isSoundObject(table.objects[index], &walk)
        else { return false }
        walk.path.remove(index)
        walk.finished.insert(index)
        return true
    }

    private func isSoundObject(_ object: Any, _ walk: inout Walk) -> Bool {
        guard let fields = object as? [String: Any] else { return true }
        guard isAllowed(table.className(of: fields)), areListsSound(fields) else { return false }
        for (name, field) in fields where name != "$class" {
            let values = field as? [Any] ?? [field]
            guard values.allSatisfy({ isSound($0, &walk) }) else { return false }
        }
        return true
    }

    /// As many values as keys, and none of them missing: Foundation counts the keys and reads as many values.
    private func areListsSound(_ fields: [String: Any]) -> Bool {
        let keys = fields["NS.keys"].map { $0 as? [Any] ?? [] }
        let values = fields["NS.objects"].map { $0 as? [Any] ?? [] }
        if let keys, keys.count != values?.count { return false }
        return ((keys ?? []) + (values ?? [])).allSatisfy(isPresent)
    }

    private func isPresent(_ value: Any) -> Bool {
        table.index(value).map { table.objects[$0] as? String != ArchiveTable.null } ?? false
    }

    private func isAllowed(_ name: String?) -> Bool {
        guard let name, let found = NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name),
            (found as? any NSSecureCoding.Type)?.supportsSecureCoding == true
        else { return false }
        return classes.contains { Self.isSame(found, orBelow: $0) }
    }

    private static func isSame(_ candidate: AnyClass, orBelow allowed: AnyClass) -> Bool {
        var current: AnyClass? = candidate
        while let this = current {
            if this == allowed { return true }
            current = _getSuperclass(this)
        }
        return false
    }
}
