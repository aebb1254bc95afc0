// SPDX-License-Identifier: Apache-2.0

// swift-crypto has CryptoKit's interface with another implementation.
@_exported import Crypto
