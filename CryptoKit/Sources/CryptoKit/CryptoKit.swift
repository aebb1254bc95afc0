// swift-crypto is CryptoKit's interface over another implementation.
@_exported import Crypto
