// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client's class that can be archived.
package final class ExtraBadge: NSObject, NSSecureCoding {
    package let number: Int

    package init(number: Int) {
        self.number = number
    }

    package init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
    }

    package static var supportsSecureCoding: Bool { true }

    package func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
    }
}
