// SPDX-License-Identifier: Apache-2.0

// The modules that the original's header imports.

@_exported import Foundation
@_exported import Security
