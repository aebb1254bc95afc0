// SPDX-License-Identifier: Apache-2.0

// The module that the original's header imports, and the modules that it imports on Apple's platforms.

@_exported import Foundation
@_exported import Security
