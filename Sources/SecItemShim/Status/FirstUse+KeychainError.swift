// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension FirstUse {
    /// Performs an operation that throws the library's own errors, as `performing` does. It is not generic in the error,
    /// because a caller of such a function creates what describes the type of the error before the operation begins.
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
