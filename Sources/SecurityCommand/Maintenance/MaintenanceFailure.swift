// SPDX-License-Identifier: Apache-2.0

import SecItemMaintenance
import SecItemShim
import SecItemStore

/// Runs what a command of ours does, with a store's failures in its name.
func reporting<Result>(_ command: String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as StoreError where error.underlying is FileFailure {
        // What a status says of keychains would be wrong of a file.
        let exit = error.code == .unavailable ? 1 : CommandFailure.exitStatus(KeychainError(error).status)
        throw CommandFailure("\(command): \(error.message)", exit: exit)
    } catch let error as StoreError {
        let error = KeychainError(error)
        throw CommandFailure(command, error.status, reason: error.message)
    } catch let error as KeychainError {
        throw CommandFailure(command, error.status, reason: error.message)
    }
}
