import Foundation
import Logging
import SecItemStore

/// The four calls on one store for one application. Each is three lines: parse, run, shape.
///
/// Any error becomes an `OSStatus` here and nowhere else; its cause goes to the log at debug level.
package struct KeychainCalls: Sendable {
    private let engine: KeychainEngine

    /// The calls on a store, as that application makes them.
    package init(store: any KeychainStore, application: ClientApplication) {
        engine = KeychainEngine(store: store, application: application)
    }

    package func add(_ attributes: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        status(of: "SecItemAdd") { () throws(KeychainError) in
            let item = try NewItem(parsing: admitted(attributes))
            let added = try engine.add(item)
            write(item.shape.render(added: added), to: result)
        }
    }

    package func copyMatching(_ query: CFDictionary?, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        status(of: "SecItemCopyMatching") { () throws(KeychainError) in
            let query = try ItemQuery(parsing: admitted(query), for: .copyMatching)
            let items = try engine.copyMatching(query)
            write(query.shape.render(items), to: result)
        }
    }

    package func update(_ query: CFDictionary?, _ attributesToUpdate: CFDictionary?) -> OSStatus {
        status(of: "SecItemUpdate") { () throws(KeychainError) in
            let query = try ItemQuery(parsing: admitted(writing: query), for: .update)
            let changes = try ItemChanges(parsing: admitted(changes: attributesToUpdate), of: query.itemClass)
            try engine.update(query, with: changes)
        }
    }

    package func delete(_ query: CFDictionary?) -> OSStatus {
        status(of: "SecItemDelete") { () throws(KeychainError) in
            let query = try ItemQuery(parsing: admitted(writing: query), for: .delete)
            try engine.delete(query)
        }
    }

    /// What Apple's keychain looks at before it reads a query at all.
    private func admitted(_ dictionary: CFDictionary?) throws(KeychainError) -> CallerDictionary {
        let dictionary = try CallerDictionary(dictionary)
        try ForbiddenAttributes.check(dictionary)
        try engine.application.requireGroups()
        return dictionary
    }

    private func admitted(writing query: CFDictionary?) throws(KeychainError) -> CallerDictionary {
        let dictionary = try admitted(query)
        try engine.application.requireWritableGroup(in: dictionary)
        return dictionary
    }

    private func admitted(changes: CFDictionary?) throws(KeychainError) -> CallerDictionary {
        let dictionary = try CallerDictionary(changes)
        try ForbiddenAttributes.check(dictionary, isUpdate: true)
        return dictionary
    }

    private func write(_ object: CFTypeRef?, to result: UnsafeMutablePointer<CFTypeRef?>?) {
        if let result, let object { result.pointee = object }
    }

    private func status(of call: String, _ body: () throws(KeychainError) -> Void) -> OSStatus {
        do throws(KeychainError) {
            try body()
            return errSecSuccess
        } catch {
            Self.log(error, of: call)
            return error.status
        }
    }

    static func log(_ error: KeychainError, of call: String) {
        logger.debug("\(call): \(error)")
    }

    private static let logger = Logger(label: "secitem")
}
