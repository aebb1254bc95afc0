// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A library that is loaded while the program runs, and stays.
///
/// A program links none of those that are found this way, so it starts where they are not installed.
package struct SharedLibrary: @unchecked Sendable {
    /// The library could not be loaded: with what the loader says of it.
    package struct MissingLibrary: Error, CustomStringConvertible {
        package let description: String
    }

    /// The library has no such function: it is older than what is needed.
    package struct MissingFunction: Error, CustomStringConvertible {
        package let description: String
    }

    /// When the functions that a library itself calls are looked up.
    package enum Binding: Sendable {
        /// While it is loaded.
        case now
        /// When each is first called: a large library of which little is used is there sooner.
        case lazy
    }

    private let name: String
    // Never closed; any thread may look functions up.
    private let handle: UnsafeMutableRawPointer

    /// Loads the library of that name from where the system keeps its own.
    package init(_ name: String, binding: Binding = .now) throws(MissingLibrary) {
        let mode = binding == .now ? RTLD_NOW : RTLD_LAZY
        guard let handle = dlopen(name, mode | RTLD_LOCAL) else {
            throw MissingLibrary(description: dlerror().map { String(cString: $0) } ?? "\(name) cannot be loaded")
        }
        self.name = name
        self.handle = handle
    }

    /// The function of that name, taken for one of the type that the caller asks for.
    package func function<F>(_ symbol: String) throws(MissingFunction) -> F {
        guard let address = address(of: symbol) else { throw missing(symbol) }
        return unsafeBitCast(address, to: F.self)
    }

    /// Where something of the library, or of a library that it needs, is in memory; nil if they have nothing of that name.
    package func address(of symbol: UnsafePointer<CChar>) -> UnsafeMutableRawPointer? {
        dlsym(handle, symbol)
    }

    /// The error of who needs a function that is not there.
    package func missing(_ symbol: String) -> MissingFunction {
        MissingFunction(description: "\(name) has no \(symbol)")
    }
}
