// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A fork while another thread makes types.
///
/// Swift makes a generic type, and finds out whether it conforms to a protocol, under locks of its runtime. A child that is
/// forked while another thread holds such a lock can never make a type that is new to the process.
enum NewTypesProbe {
    /// The store is in use, so that all objects that stop for a fork exist.
    static func fork() {
        guard add("account") == errSecSuccess else { return say("nothing added") }
        let begun = DispatchSemaphore(value: 0)
        Thread.detachNewThread { makeTypes(First.self, begun) }
        Thread.detachNewThread { makeTypes(Second.self, begun) }
        Thread.detachNewThread { makeTypes(Third.self, begun) }
        for _ in 0..<3 { begun.wait() }
        say(FirstCallProbe.childEnd { true })
    }

    private static func makeTypes<Inner>(_: Inner.Type, _ begun: DispatchSemaphore) {
        begun.signal()
        ask(Layer<Inner>(), 400)
    }

    /// Asks for each protocol anew, because a type is not known to conform to it until somebody has asked.
    private static func ask<Inner>(_ value: Layer<Inner>, _ depth: Int) {
        guard depth > 0, isMarked(value) else { return }
        ask(Layer<Layer<Inner>>(), depth - 1)
    }

    /// Not inlined, so that the cast happens when the program runs.
    @inline(never) private static func isMarked(_ value: Any) -> Bool {
        value is any A && value is any B && value is any C && value is any D
    }

    private protocol A {}
    private protocol B {}
    private protocol C {}
    private protocol D {}
    private struct Layer<Inner>: A, B, C, D {}
    private enum First {}
    private enum Second {}
    private enum Third {}
}
