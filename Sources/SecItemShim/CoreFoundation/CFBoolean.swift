// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives a truth value as a `Bool`.
@discardableResult
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool {
    boolean?.boolValue ?? false
}
