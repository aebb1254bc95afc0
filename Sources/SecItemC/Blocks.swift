// SPDX-License-Identifier: Apache-2.0

// Functions that take a block. Blocks and queues of programs in C are plain pointers here: Swift's Dispatch makes no
// DispatchQueue of them.

import CSecItem
import Foundation
import SecItemShim

private typealias KeysBlock = @convention(block) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Void
private typealias TrustBlock = @convention(block) (UnsafeRawPointer?, UInt32) -> Void
private typealias TrustWithErrorBlock = @convention(block) (UnsafeRawPointer?, Bool, UnsafeRawPointer?) -> Void
private typealias ErrorBlock = @convention(block) (UnsafeRawPointer?) -> Void
private typealias CredentialsBlock = @convention(block) (UnsafeRawPointer?, UnsafeRawPointer?) -> Void

/// A copy of a caller's block, because the caller's own ends with the function that wrote it.
private final class BlockOfC: @unchecked Sendable {
    /// Cast it where it is called: without Objective-C, generic code in Swift cannot retain a block.
    let copy: UnsafeMutableRawPointer

    init?(_ block: UnsafeRawPointer?) {
        guard let block, let copy = copyBlock(block) else { return nil }
        self.copy = copy
    }

    deinit { releaseBlock(copy) }
}

/// A caller's queue, which lives at least as long.
private final class QueueOfC: @unchecked Sendable {
    private let queue: UnsafeMutableRawPointer

    private final class Work {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    init?(_ queue: UnsafeMutableRawPointer?) {
        guard let queue else { return nil }
        retainQueue(queue)
        self.queue = queue
    }

    deinit { releaseQueue(queue) }

    func async(_ work: @escaping @Sendable () -> Void) {
        callOnQueue(queue, Unmanaged.passRetained(Work(work)).toOpaque()) { context in
            context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run() }
        }
    }
}

// MARK: - Keys

/// `SecKeyGeneratePairAsync` for programs in C. Without a queue, nobody can be told about anything.
@_cdecl("SecKeyGeneratePairAsync")
public func cSecKeyGeneratePairAsync(
    _ parameters: UnsafeRawPointer?, _ deliveryQueue: UnsafeMutableRawPointer?, _ result: UnsafeRawPointer?
) {
    guard let queue = QueueOfC(deliveryQueue), let block = BlockOfC(result) else { return }
    let deliver: @Sendable (SecKey?, SecKey?, CFError?) -> Void = { publicKey, privateKey, error in
        queue.async {
            consume(copied(publicKey)) { publicKey in
                consume(copied(privateKey)) { privateKey in
                    consume(copied(error)) { unsafeBitCast(block.copy, to: KeysBlock.self)(publicKey, privateKey, $0) }
                }
            }
        }
    }
    guard let parameters = argument(parameters, NSDictionary.self) else { return deliver(nil, nil, refusalError()) }
    SecKeyGeneratePairAsync(parameters, DispatchQueue.global(), deliver)
}

// MARK: - Trust

/// `SecTrustEvaluateAsyncWithError` for programs in C.
@_cdecl("SecTrustEvaluateAsyncWithError")
public func cSecTrustEvaluateAsyncWithError(
    _ trust: UnsafeRawPointer?, _ queue: UnsafeMutableRawPointer?, _ result: UnsafeRawPointer?
) -> OSStatus {
    guard let reference = RetainedReference(trust), let trust = argument(trust, SecTrust.self),
        let queue = QueueOfC(queue), let block = BlockOfC(result)
    else { return refusalStatus() }
    queue.async {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        consume(copied(error)) { error in
            reference.lend { unsafeBitCast(block.copy, to: TrustWithErrorBlock.self)($0, isTrusted, error) }
        }
    }
    return errSecSuccess
}

/// `SecTrustEvaluateAsync` for programs in C.
@_cdecl("SecTrustEvaluateAsync")
public func cSecTrustEvaluateAsync(
    _ trust: UnsafeRawPointer?, _ queue: UnsafeMutableRawPointer?, _ result: UnsafeRawPointer?
) -> OSStatus {
    guard let reference = RetainedReference(trust), let trust = argument(trust, SecTrust.self),
        let block = BlockOfC(result)
    else { return refusalStatus() }
    let evaluate: @Sendable () -> Void = {
        var outcome = SecTrustResultType.invalid
        SecTrustEvaluate(trust, &outcome)
        reference.lend { unsafeBitCast(block.copy, to: TrustBlock.self)($0, outcome.rawValue) }
    }
    if let queue = QueueOfC(queue) { queue.async(evaluate) } else { DispatchQueue.main.async(execute: evaluate) }
    return errSecSuccess
}

/// The caller's own reference, kept for the block, which receives the same address.
private final class RetainedReference: @unchecked Sendable {
    private let object: AnyObject

    init?(_ pointer: UnsafeRawPointer?) {
        guard let pointer else { return nil }
        object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    }

    func lend(_ body: (UnsafeRawPointer) -> Void) {
        withExtendedLifetime(object) { body(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())) }
    }
}

// MARK: - Shared credentials

/// `SecAddSharedWebCredential` for programs in C.
@_cdecl("SecAddSharedWebCredential")
public func cSecAddSharedWebCredential(
    _ fqdn: UnsafeRawPointer?, _ account: UnsafeRawPointer?, _ password: UnsafeRawPointer?,
    _ completionHandler: UnsafeRawPointer?
) {
    guard let block = BlockOfC(completionHandler) else { return }
    let deliver: @Sendable (CFError?) -> Void = { error in
        consume(copied(error)) { unsafeBitCast(block.copy, to: ErrorBlock.self)($0) }
    }
    guard let fqdn = argument(fqdn, NSString.self), let account = argument(account, NSString.self),
        let password = optionalArgument(password, NSString.self)
    else { return DispatchQueue.global().async { deliver(refusalError()) } }
    SecAddSharedWebCredential(fqdn, account, password, deliver)
}

/// `SecRequestSharedWebCredential` for programs in C.
@_cdecl("SecRequestSharedWebCredential")
public func cSecRequestSharedWebCredential(
    _ fqdn: UnsafeRawPointer?, _ account: UnsafeRawPointer?, _ completionHandler: UnsafeRawPointer?
) {
    guard let block = BlockOfC(completionHandler) else { return }
    let deliver: @Sendable (CFArray?, CFError?) -> Void = { credentials, error in
        consume(copied(credentials)) { credentials in
            consume(copied(error)) { unsafeBitCast(block.copy, to: CredentialsBlock.self)(credentials, $0) }
        }
    }
    guard let fqdn = optionalArgument(fqdn, NSString.self), let account = optionalArgument(account, NSString.self)
    else { return DispatchQueue.global().async { deliver(nil, refusalError()) } }
    SecRequestSharedWebCredential(fqdn, account, deliver)
}
