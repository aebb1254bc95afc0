// SPDX-License-Identifier: Apache-2.0

// What the original's header imports, and what that module brings on Apple's platforms.

@_exported import Foundation
@_exported import Security
