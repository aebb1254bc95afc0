// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

extension KeychainObjectStore {
    /// Adds an object, whether or not an equal one is there.
    ///
    /// - Returns: What finds it again.
    /// - Throws: As the form that blocks.
    @discardableResult
    public func add(_ object: Object) async throws(KeychainObjectError) -> Reference {
        try await offThePool { () throws(KeychainObjectError) in try self.add(object) }
    }

    /// Gives all objects, the one added first at the front.
    ///
    /// - Throws: As the form that blocks.
    public func all() async throws(KeychainObjectError) -> [Entry] {
        try await offThePool { () throws(KeychainObjectError) in try self.all() }
    }

    /// Gives the references of all objects, without reading any.
    ///
    /// - Throws: As the form that blocks.
    public func references() async throws(KeychainObjectError) -> [Reference] {
        try await offThePool { () throws(KeychainObjectError) in try self.references() }
    }

    /// Gives one object.
    ///
    /// - Returns: The object, nil when it was removed or belongs to another service or access group.
    /// - Throws: As the form that blocks.
    public func find(_ reference: Reference) async throws(KeychainObjectError) -> Object? {
        try await offThePool { () throws(KeychainObjectError) in try self.find(reference) }
    }

    /// Puts an object in the place of another. The reference stays.
    ///
    /// - Throws: As the form that blocks.
    public func update(_ reference: Reference, with object: Object) async throws(KeychainObjectError) {
        try await offThePool { () throws(KeychainObjectError) in try self.update(reference, with: object) }
    }

    /// Removes one object.
    ///
    /// - Returns: Whether it was there.
    /// - Throws: As the form that blocks.
    @discardableResult
    public func remove(_ reference: Reference) async throws(KeychainObjectError) -> Bool {
        try await offThePool { () throws(KeychainObjectError) in try self.remove(reference) }
    }

    /// Removes all objects of the service in its access group.
    ///
    /// - Throws: As the form that blocks.
    public func removeAll() async throws(KeychainObjectError) {
        try await offThePool { () throws(KeychainObjectError) in try self.removeAll() }
    }
}

/// Runs something that may wait for a person on a thread that Swift's tasks do not need.
private func offThePool<Value: Sendable>(
    _ body: @escaping @Sendable () throws(KeychainObjectError) -> Value
) async throws(KeychainObjectError) -> Value {
    let result: Result<Value, KeychainObjectError> = await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async {
            continuation.resume(returning: Result(catching: body))
        }
    }
    return try result.get()
}
