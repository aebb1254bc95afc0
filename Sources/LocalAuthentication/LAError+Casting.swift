// SPDX-License-Identifier: Apache-2.0

/// Makes `nsError as? LAError` and `laError as? NSError` succeed. On Linux, Swift casts only bridged types in this way.
extension LAError: _ObjectiveCBridgeable {
    /// The error as Foundation has it.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Returns the error, or `nil` if it is no `LAError`.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
        _ = _conditionallyBridgeFromObjectiveC(source, result: &result)
    }

    /// Returns the error if its domain is `LAErrorDomain` and its code has a name. ``LARightStore`` gives codes without one.
    @discardableResult
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
        let hasName = source.domain == LAErrorDomain && Code(rawValue: source.code) != nil
        result = hasName ? LAError(_nsError: source) : nil
        return result != nil
    }

    /// Returns the error; if there is none, one with the code `authenticationFailed`.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
        source.map { LAError(_nsError: $0) } ?? LAError(.authenticationFailed)
    }
}
