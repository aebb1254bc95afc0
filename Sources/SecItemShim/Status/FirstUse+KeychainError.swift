// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

extension FirstUse {
    /// Performs an operation that throws the library's own errors, as `performing` does. It is not generic in the error,
    /// because a caller of such a function creates what describes the error's type before the operation begins. For the
    /// same reason, a caller that returns an optional assigns the result to a constant first: otherwise it would create
    /// the type of the optional.
    static func attempting<Result>(
        _ kind: Kind, _ operation: () throws(KeychainError) -> Result, rehearse: (Result) -> Void = { _ in }
    ) throws(KeychainError) -> Result {
        let attempt = Attempt(kind)
        defer { attempt.end() }
        let result = try operation()
        attempt.succeed(with: result, rehearse)
        return result
    }
}

extension FirstUse.Kind {
    /// A function of the API with an argument that is nil, one object or an array of them.
    init(_ function: String, _ argument: CFTypeRef?, _ other: CFTypeRef? = nil) {
        self.init(function, Self.shape(argument), Self.shape(other))
    }

    private static func shape(_ argument: CFTypeRef?) -> Int {
        guard let argument else { return 0 }
        return argument is NSArray ? 2 : 1
    }
}
