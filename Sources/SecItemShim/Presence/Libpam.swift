// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The functions of PAM that authentication needs, loaded when they are first needed.
struct Libpam: Sendable {
    typealias Conversation =
        @convention(c) (
            CInt, UnsafePointer<UnsafeRawPointer?>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
            UnsafeMutableRawPointer?
        ) -> CInt
    typealias Start =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, UnsafePointer<CChar>?,
            UnsafeMutablePointer<OpaquePointer?>
        ) -> CInt
    typealias Words = @convention(c) (OpaquePointer?, CInt) -> UnsafePointer<CChar>?
    typealias Step = @convention(c) (OpaquePointer, CInt) -> CInt

    /// `pam_start_confdir`. Without a folder, it reads the machine's own rules.
    let start: Start
    let authenticate: Step
    let checkAccount: Step
    let end: Step
    private let words: Words

    /// Nil if PAM is not installed, or older than version 1.4.
    static let shared = Libpam()

    private init?() {
        do {
            let library = try SharedLibrary("libpam.so.0")
            start = try library.function("pam_start_confdir")
            authenticate = try library.function("pam_authenticate")
            checkAccount = try library.function("pam_acct_mgmt")
            end = try library.function("pam_end")
            words = try library.function("pam_strerror")
        } catch {
            return nil
        }
    }

    func text(of result: CInt) -> String { words(nil, result).map { String(cString: $0) } ?? "" }

    /// `struct pam_conv`.
    struct Talk {
        let conversation: Conversation
        let context: UnsafeMutableRawPointer
    }

    /// `struct pam_message`: a statement or question of PAM.
    struct Message {
        enum Style: CInt {
            case secretQuestion = 1
            case question = 2
            case error = 3
            case information = 4
        }

        let style: Style?
        let text: String

        init(_ address: UnsafeRawPointer) {
            style = Style(rawValue: address.load(as: CInt.self))
            let text = address.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafePointer<CChar>?.self)
            self.text = text.map { String(cString: $0) } ?? ""
        }
    }

    /// The size of `struct pam_response`. PAM frees the array and the texts in it.
    static let responseSize = 2 * MemoryLayout<Int>.size

    // The results of its functions, from <security/_pam_types.h>.
    static let success: CInt = 0
    static let conversationFailed: CInt = 19
    static let authenticationFailed: CInt = 7
    static let newPasswordNeeded: CInt = 12
    static let noMemory: CInt = 5
}
