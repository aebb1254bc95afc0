// SPDX-License-Identifier: Apache-2.0

/// Runs one call on the default store. The call opens it when it has read its query.
func withDefaultStore(_ call: (KeychainCalls) -> OSStatus) -> OSStatus {
    call(DefaultStore.forOneCall.calls)
}
