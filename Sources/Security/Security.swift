// SPDX-License-Identifier: Apache-2.0

// On Apple's platforms the two come together: keychain code casts to and from Foundation's types in every call.
@_exported import Foundation
@_exported import SecItemShim
