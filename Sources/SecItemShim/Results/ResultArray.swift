// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The result of a look-up of all items: an array that creates each element when it is first read.
///
/// Each element is a dictionary or data of Foundation's own class, which casts as a caller expects. A subclass of
/// `NSDictionary` with lazy values would not: when Foundation on Linux converts a subclass, the result is empty.
final class ResultArray: NSArray, LazyArray {
    private enum Element {
        case found(FoundItem)
        case made(AnyObject)
    }

    private let shape: ResultShape?
    // Guarded by `lock`.
    private nonisolated(unsafe) var elements: [Element]

    /// One lock for all arrays. It is held only to read or store an element.
    private static let lock = LockedValue(())

    /// - Parameter items: Items for which the shape has a result.
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

    /// The element. It is the same object each time. Any thread may call this.
    func element(at index: Int) -> AnyObject {
        switch Self.lock.withLock({ _ in elements[index] }) {
        case .made(let object): return object
        case .found(let item):
            let object = shape?.element(for: item) ?? NSNull()
            // The source of the element is released when the lock is free again.
            let (first, replaced) = Self.lock.withLock { _ in put(object, at: index) }
            return withExtendedLifetime(replaced) { first }
        }
    }

    /// Stores an element, unless another thread was faster.
    private func put(_ object: AnyObject, at index: Int) -> (AnyObject, Element?) {
        let before = elements[index]
        if case .made(let first) = before { return (first, nil) }
        elements[index] = .made(object)
        return (object, before)
    }

    override func copy(with zone: NSZone? = nil) -> Any {
        // Immutable, as far as callers can see.
        self
    }

    override var classForCoder: AnyClass {
        NSArray.self
    }
}
