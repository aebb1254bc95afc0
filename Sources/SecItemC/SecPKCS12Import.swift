// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim

/// `SecPKCS12Import` for programs in C, which pass NULL where they have no options.
@_cdecl("SecPKCS12Import")
public func cSecPKCS12Import(
    _ pkcs12_data: UnsafeRawPointer?, _ options: UnsafeRawPointer?, _ items: ReceivedObject?
) -> OSStatus {
    guard let data = argument(pkcs12_data, NSData.self), let options = optionalArgument(options, NSDictionary.self),
        let items
    else { return refusalStatus() }
    return receiveObject(items) { SecPKCS12Import(data, options ?? [:], $0) }
}
