// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Forks while another thread looks certificates up by a rule for which the store has to examine them.
enum ForkInQueryProbe {
    private nonisolated(unsafe) static var query: CFDictionary = [:] as CFDictionary

    /// - Parameter bytes: A certificate, in base64.
    static func run(_ bytes: String) {
        // Ends the process if it hangs in a fork.
        alarm(200)
        guard let certificate = SecCertificateCreateWithData(nil, NSData(data: Data(base64Encoded: bytes) ?? Data())),
            SecItemAdd([kSecClass: kSecClassCertificate, kSecValueRef: certificate] as CFDictionary, nil) == 0
        else { return say("nothing added") }
        query =
            [
                kSecClass: kSecClassCertificate, kSecMatchSubjectContains: "leaf", kSecMatchValidOnDate: Date(),
                kSecReturnRef: true,
            ] as CFDictionary
        guard find() == 0 else { return say("nothing found") }
        Thread.detachNewThread { while find() == 0 {} }
        for _ in 0..<40 {
            usleep(.random(in: 0...10_000))
            let end = FirstCallProbe.childEnd { find() == 0 }
            guard end == "child 0" else { return say(end) }
        }
        say("done \(find())")
    }

    private static func find() -> OSStatus {
        var result: CFTypeRef?
        return SecItemCopyMatching(query, &result)
    }
}
