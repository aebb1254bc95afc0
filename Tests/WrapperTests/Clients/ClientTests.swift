// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

extension WrapperTests {
    /// Programs that are written for the originals, on every store. `CompileUnchangedTests` compiles the same files in
    /// both language modes, with no other imports.
    @Suite struct ClientTests {
        @Test(arguments: TestStore.all)
        func fxKeychain_asProgramsUseIt(_ store: TestStore) throws {
            try store.run { _ in try checkKeychainDictionary() }
        }

        @Test(arguments: TestStore.all)
        func lockbox_asProgramsUseIt(_ store: TestStore) throws {
            try store.run { _ in
                try checkKeychainArchives()
                try checkKeychainTexts()
            }
        }

        @Test(arguments: TestStore.all)
        func kcMutableDictionary_asProgramsUseIt(_ store: TestStore) throws {
            try store.run { _ in try checkKeychainMutableDictionary() }
        }

        @Test(arguments: TestStore.all)
        func objectsByReference_asProgramsKeepThem(_ store: TestStore) throws {
            try store.run { _ in try checkObjectsByReference() }
        }
    }
}
