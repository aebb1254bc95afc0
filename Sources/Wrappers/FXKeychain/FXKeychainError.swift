// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The reason why an ``FXKeychain`` cannot store an object. The Objective-C original raised an exception in these
/// cases.
///
/// It never holds the object itself, which may be a secret.
public struct FXKeychainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. It is a struct, not an enum, so that a new kind does not break existing code.
    public struct Code: Hashable, Sendable {
        /// A short name for logs.
        public let name: String

        /// The object, or one inside it, is not of a type that a property list can hold.
        public static let unsupportedObject = Code(name: "unsupportedObject")
        /// The collections are nested too deeply.
        public static let nestedTooDeeply = Code(name: "nestedTooDeeply")
        /// The object has too many values to be read again: more than 250,000, counting a value each time it is used.
        public static let tooManyValues = Code(name: "tooManyValues")
    }

    /// The kind of failure.
    public let code: Code
    /// The name of the type that cannot be stored, if there is one.
    public let typeName: String?

    init(_ code: Code, typeName: String? = nil) {
        self.code = code
        self.typeName = typeName
    }

    /// A description of the failure.
    public var description: String {
        typeName.map { "\(code.name): \($0)" } ?? code.name
    }
}

extension FXKeychainError: LocalizedError {
    /// The failure as a sentence.
    public var errorDescription: String? {
        "The object cannot be stored as a property list (\(description))."
    }
}
