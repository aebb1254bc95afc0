// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Why an ``FXKeychain`` cannot store an object: what the Objective-C original raised an exception for.
///
/// It never holds the object itself, which may be a secret.
public struct FXKeychainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is. A struct, not an enum: a new kind breaks nobody's code.
    public struct Code: Hashable, Sendable {
        /// A short name for logs.
        public let name: String

        /// The object, or one inside it, is not of a type that a property list can hold.
        public static let unsupportedObject = Code(name: "unsupportedObject")
        /// The collections are nested more deeply than any property list should be.
        public static let nestedTooDeeply = Code(name: "nestedTooDeeply")
        /// There are more values than would be read again (250,000), each counted as often as it is used, or too many that
        /// Foundation's hash does not tell apart.
        public static let tooManyValues = Code(name: "tooManyValues")
    }

    /// What kind of failure it is.
    public let code: Code
    /// The name of the type that stood in the way, where there is one.
    public let typeName: String?

    init(_ code: Code, typeName: String? = nil) {
        self.code = code
        self.typeName = typeName
    }

    /// The failure in words.
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
