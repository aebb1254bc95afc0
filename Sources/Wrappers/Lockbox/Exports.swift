// SPDX-License-Identifier: Apache-2.0

// The modules that the original's header imports, and the modules that those import on Apple's platforms.

@_exported import Foundation
@_exported import Security
