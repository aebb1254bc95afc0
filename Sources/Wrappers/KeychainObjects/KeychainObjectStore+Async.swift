// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

extension KeychainObjectStore {
    /// Adds an object, even if an equal one exists.
    ///
    /// - Returns: The reference that finds it again.
    /// - Throws: As the blocking form.
    @discardableResult
    public func add(_ object: Object) async throws(KeychainObjectError) -> Reference {
        try await offThePool { () throws(KeychainObjectError) in try self.add(object) }
    }

    /// Gives all objects in the order in which they were added.
    ///
    /// - Throws: As the blocking form.
    public func all() async throws(KeychainObjectError) -> [Entry] {
        try await offThePool { () throws(KeychainObjectError) in try self.all() }
    }

    /// Gives the references of all objects, without reading the objects.
    ///
    /// - Throws: As the blocking form.
    public func references() async throws(KeychainObjectError) -> [Reference] {
        try await offThePool { () throws(KeychainObjectError) in try self.references() }
    }

    /// Gives one object.
    ///
    /// - Returns: The object. Nil if it was removed, or belongs to another service or access group.
    /// - Throws: As the blocking form.
    public func find(_ reference: Reference) async throws(KeychainObjectError) -> Object? {
        try await offThePool { () throws(KeychainObjectError) in try self.find(reference) }
    }

    /// Replaces an object with another one. The reference stays the same.
    ///
    /// - Throws: As the blocking form.
    public func update(_ reference: Reference, with object: Object) async throws(KeychainObjectError) {
        try await offThePool { () throws(KeychainObjectError) in try self.update(reference, with: object) }
    }

    /// Removes one object.
    ///
    /// - Returns: Whether it existed.
    /// - Throws: As the blocking form.
    @discardableResult
    public func remove(_ reference: Reference) async throws(KeychainObjectError) -> Bool {
        try await offThePool { () throws(KeychainObjectError) in try self.remove(reference) }
    }

    /// Removes all objects of the service in its access group.
    ///
    /// - Throws: As the blocking form.
    public func removeAll() async throws(KeychainObjectError) {
        try await offThePool { () throws(KeychainObjectError) in try self.removeAll() }
    }
}

/// Runs a function that may wait for a person on a separate thread, so that it blocks none of Swift's task threads.
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
