import Foundation

/// Runs the body of one of Apple's functions that give an object or a `CFError`: an error of ours becomes what the client sees.
func answer<Value>(
    to error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ body: () throws(KeychainError) -> Value
) -> Value? {
    do throws(KeychainError) {
        return try body()
    } catch let failure {
        error?.store(status: failure.status, message: failure.message, underlying: failure.underlying)
        return nil
    }
}
