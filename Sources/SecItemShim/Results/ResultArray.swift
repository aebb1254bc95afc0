// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What a look-up of all items gives: an array that makes each of its elements when somebody first looks at it.
///
/// An element is a dictionary or data of Foundation's own, which casts as a caller expects. A dictionary of our own that made
/// its values on demand would not: Foundation on Linux converts `NSDictionary` itself, and gives nothing for a subclass.
final class ResultArray: NSArray {
    private enum Element {
        case found(FoundItem)
        case made(AnyObject)
    }

    private let shape: ResultShape?
    // Guarded by `lock`.
    private nonisolated(unsafe) var elements: [Element]

    /// One for all arrays: it is held to look at an element or to put one there, and for nothing else.
    private static let lock = ForkableState(())

    /// Makes what there is one of.
    static func prepare() {
        _ = lock
    }

    /// - Parameter items: Items that the shape has a result for.
    init(_ items: [FoundItem], of shape: ResultShape) {
        self.shape = shape
        elements = items.map { .found($0) }
        super.init()
    }

    override init() {
        shape = nil
        elements = []
        super.init()
    }

    required init(objects: UnsafePointer<AnyObject>?, count: Int) {
        shape = nil
        elements = UnsafeBufferPointer(start: objects, count: count).map { .made($0) }
        super.init()
    }

    override var count: Int { elements.count }

    override func object(at index: Int) -> Any { element(at: index) }

    /// The element, which stays the same object. Any thread may ask.
    func element(at index: Int) -> AnyObject {
        switch Self.lock.withLock({ _ in elements[index] }) {
        case .made(let object): return object
        case .found(let item):
            let object = shape?.element(for: item) ?? NSNull()
            // What it was made of goes when the lock is free again.
            let (first, replaced) = Self.lock.withLock { _ in put(object, at: index) }
            return withExtendedLifetime(replaced) { first }
        }
    }

    /// Puts an element in its place, unless another thread was first.
    private func put(_ object: AnyObject, at index: Int) -> (AnyObject, Element?) {
        let before = elements[index]
        if case .made(let first) = before { return (first, nil) }
        elements[index] = .made(object)
        return (object, before)
    }

    override func copy(with zone: NSZone? = nil) -> Any {
        // Never changes, as far as anybody can tell.
        self
    }

    override var classForCoder: AnyClass {
        NSArray.self
    }
}
