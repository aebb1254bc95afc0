// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A library that is loaded while the program runs, and is never unloaded.
///
/// Programs do not link these libraries, so they start even if the libraries are not installed.
package struct SharedLibrary: @unchecked Sendable {
    /// The library could not be loaded, with the loader's message.
    package struct MissingLibrary: Error, CustomStringConvertible {
        package let description: String
    }

    /// The library lacks the function, because its version is too old.
    package struct MissingFunction: Error, CustomStringConvertible {
        package let description: String
    }

    /// When to resolve the functions that a library itself calls.
    package enum Binding: Sendable {
        /// When it is loaded.
        case now
        /// At each function's first call. A large library of which little is used loads faster.
        case lazy
    }

    private let name: String
    // Never closed. Any thread may look up functions.
    private let handle: UnsafeMutableRawPointer

    /// Loads the library of that name from the system's folders.
    package init(_ name: String, binding: Binding = .now) throws(MissingLibrary) {
        let mode = binding == .now ? RTLD_NOW : RTLD_LAZY
        guard let handle = dlopen(name, mode | RTLD_LOCAL) else {
            throw MissingLibrary(description: dlerror().map { String(cString: $0) } ?? "\(name) cannot be loaded")
        }
        self.name = name
        self.handle = handle
    }

    /// The function of that name, with the type that the caller expects.
    package func function<F>(_ symbol: String) throws(MissingFunction) -> F {
        guard let address = address(of: symbol) else { throw missing(symbol) }
        return unsafeBitCast(address, to: F.self)
    }

    /// The address of a symbol in the library or in a library that it needs; nil if there is none of that name.
    package func address(of symbol: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
        dlsym(handle, symbol)
    }

    /// The error for a missing function.
    package func missing(_ symbol: String) -> MissingFunction {
        MissingFunction(description: "\(name) has no \(symbol)")
    }
}
