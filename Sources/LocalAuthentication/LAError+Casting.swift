// SPDX-License-Identifier: Apache-2.0

/// Makes `nsError as? LAError` and `laError as? NSError` succeed, which Swift on Linux does for bridged types only.
extension LAError: _ObjectiveCBridgeable {
    /// The error as Foundation has it.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Gives the error, or `nil` if it is not one of these.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
    }

    /// Gives the error if its domain is `LAErrorDomain`.
    @discardableResult
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
        result = source.domain == LAErrorDomain ? LAError(_nsError: source) : nil
        return result != nil
    }

    /// Gives the error; for none, one of the reason `authenticationFailed`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
        source.map { LAError(_nsError: $0) } ?? LAError(.authenticationFailed)
    }
}
