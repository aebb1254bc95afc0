// SPDX-License-Identifier: Apache-2.0

// On Apple's platforms, this module re-exports Foundation, which re-exports the keychain.

@_exported import Security
