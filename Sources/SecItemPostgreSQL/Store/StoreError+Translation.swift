// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SecItemStore

    extension StoreError {
        /// Runs `body`, whose errors become those of a store.
        ///
        /// - Throws: The ``StoreError`` of `body`. Any other error of it becomes the cause of one with the code
        ///   ``StoreError/Code/io``.
        static func translating<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
            do {
                return try body()
            } catch let error as StoreError {
                throw error
            } catch {
                throw StoreError(.io, "the keychain failed", underlying: error)
            }
        }
    }
#endif
