/// Runs one call on the default store, or answers why there is none.
func withDefaultStore(_ call: (KeychainCalls) -> OSStatus) -> OSStatus {
    do throws(KeychainError) {
        return call(try DefaultStore.shared.calls())
    } catch {
        KeychainCalls.log(error, of: "opening the store")
        return error.status
    }
}
