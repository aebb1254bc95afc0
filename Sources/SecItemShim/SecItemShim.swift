// SPDX-License-Identifier: Apache-2.0

// Clients see one module: the objects of Apple's API belong to it as much as its calls.
@_exported import SecItemObjects
