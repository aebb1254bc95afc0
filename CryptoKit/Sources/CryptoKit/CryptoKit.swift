// SPDX-License-Identifier: Apache-2.0

// swift-crypto is CryptoKit's interface over another implementation.
@_exported import Crypto
