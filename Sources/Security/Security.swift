@_exported import SecItemShim
