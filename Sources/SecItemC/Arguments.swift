// SPDX-License-Identifier: Apache-2.0

// What a caller in C passes. Objects are only lent.

import Foundation
import SecItemShim
import SecItemStore

/// Where a caller wants an object.
public typealias ReceivedObject = UnsafeMutablePointer<UnsafeRawPointer?>

/// The object at an address; nil for NULL, and for an object of another type.
func argument<Object: AnyObject>(_ pointer: UnsafeRawPointer?, _ type: Object.Type) -> Object? {
    guard let pointer else { return nil }
    let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    if type != AnyObject.self, let known = object as? Object { return known }
    return (Reference.referent(of: object) ?? object) as? Object
}

/// The object at an address, or no object for NULL; nil for an object of another type.
func optionalArgument<Object: AnyObject>(_ pointer: UnsafeRawPointer?, _ type: Object.Type) -> Object?? {
    pointer == nil ? .some(nil) : argument(pointer, type).map { .some($0) }
}

/// The error for wrong arguments.
let wrongArgument = KeychainError.param(
    "an argument is NULL, an object of another type, or a number that its type lacks")

/// Refuses wrong arguments of a function that gives a status.
///
/// - Parameter function: The function, whose name in Swift begins with a "c".
func refusalStatus(_ function: String = #function) -> OSStatus {
    CallLog.log(wrongArgument, of: String(function.dropFirst()))
    return wrongArgument.status
}

/// Refuses wrong arguments of a function that gives a `CFError`.
func refuse<Result>(_ error: ReceivedObject?, _ result: Result, _ function: String = #function) -> Result {
    error?.pointee = copied(refusalError(function))
    return result
}

/// The error of a function that refuses wrong arguments. Logs it.
func refusalError(_ function: String = #function) -> NSError {
    NSError(status: refusalStatus(function), message: wrongArgument.message)
}

// MARK: - What a function gives through pointers. Nothing is written but what it gives.

/// Passes on a place for an object, if the caller has one.
func receive<Object: AnyObject, Result>(
    _ caller: ReceivedObject?, _ call: (UnsafeMutablePointer<Object?>?) -> Result
) -> Result {
    guard let caller else { return call(nil) }
    return receiveObject(caller) { call($0) }
}

/// Passes on a place for an object.
func receiveObject<Object: AnyObject, Result>(
    _ caller: ReceivedObject, _ call: (UnsafeMutablePointer<Object?>) -> Result
) -> Result {
    var object: Object?
    let result = call(&object)
    if let object { caller.pointee = copied(object) }
    return result
}

/// Passes on a place for an error, if the caller has one.
func receiveError<Result>(
    _ caller: ReceivedObject?, _ call: (UnsafeMutablePointer<Unmanaged<NSError>?>?) -> Result
) -> Result {
    guard let caller else { return call(nil) }
    var error: Unmanaged<NSError>?
    let result = call(&error)
    if let error { caller.pointee = copied(error.takeRetainedValue()) }
    return result
}

/// Passes on a place for an error, if the caller has one.
func receiveError<Result>(
    _ caller: ReceivedObject?, _ call: (UnsafeMutablePointer<NSError?>?) -> Result
) -> Result {
    receive(caller, call)
}

/// Passes on a place for the value of an enumeration.
func receiveValue<Value: RawRepresentable, Result>(
    _ caller: UnsafeMutablePointer<Value.RawValue>, _ call: (UnsafeMutablePointer<Value>) -> Result
) -> Result where Value.RawValue == UInt32 {
    guard var value = Value(rawValue: 0) else { preconditionFailure("each enumeration has a zero") }
    let result = call(&value)
    caller.pointee = value.rawValue
    return result
}

/// Passes on a place with the value of an enumeration, if the caller has one.
func exchangeValue<Value: RawRepresentable>(
    _ caller: UnsafeMutablePointer<Value.RawValue>?, _ function: String = #function,
    _ call: (UnsafeMutablePointer<Value>?) -> OSStatus
) -> OSStatus where Value.RawValue == UInt32 {
    guard let caller else { return call(nil) }
    guard var value = Value(rawValue: caller.pointee) else { return refusalStatus(function) }
    let status = call(&value)
    caller.pointee = value.rawValue
    return status
}
