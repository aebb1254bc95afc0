// SPDX-License-Identifier: Apache-2.0

// On Apple's platforms this module brings Foundation along, and Foundation the keychain.

@_exported import Security
