// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// What PAM's modules say to the user, and the user's answers.
final class TerminalConversation {
    private let terminal: Terminal
    private let request: PresenceRequest
    /// Why the conversation ended early.
    private(set) var end: Terminal.End?
    /// Whether the user was shown a question.
    private(set) var hasQuestion = false
    /// Whether the user has answered a question about who they are.
    private(set) var hasAnswer = false
    /// Whether the user was told something before PAM knew who they are.
    private(set) var hasStatement = false
    /// Whether the last thing that happened is an answer of the user's.
    private(set) var endsWithAnswer = false
    /// Whether PAM is still finding out who the user is.
    private var recognises = true

    init(_ terminal: Terminal, _ request: PresenceRequest) {
        self.terminal = terminal
        self.request = request
    }

    /// Forgets the questions and statements of the attempt before.
    func begin() {
        end = nil
        hasQuestion = false
        hasAnswer = false
        hasStatement = false
        endsWithAnswer = false
        recognises = true
    }

    /// What PAM says and asks from now on, about the account, does not show who the user is.
    func endRecognition() {
        recognises = false
    }

    /// The most messages that PAM sends at once.
    private static let greatestCount: CInt = 32

    /// The function that PAM calls. Its context is a conversation.
    static let answer: Libpam.Conversation = { count, messages, responses, context in
        guard let messages, let responses, let context, (1...greatestCount).contains(count) else {
            return Libpam.conversationFailed
        }
        let conversation = Unmanaged<TerminalConversation>.fromOpaque(context).takeUnretainedValue()
        guard let answers = Answers(Int(count)) else { return Libpam.noMemory }
        do throws(Terminal.End) {
            for index in 0..<Int(count) {
                guard let message = messages[index] else { continue }
                if let secret = try conversation.answer(to: Libpam.Message(message)) { answers.set(secret, at: index) }
            }
        } catch {
            conversation.end = error
            answers.free()
            return Libpam.conversationFailed
        }
        responses.pointee = answers.start
        return Libpam.success
    }

    private func answer(to message: Libpam.Message) throws(Terminal.End) -> Secret? {
        let request = request
        switch message.style {
        case .secretQuestion, .question:
            hasQuestion = true
            let answer = try terminal.line(message.text, isShown: message.style == .question) { request.isCancelled }
            // PAM takes texts of C, which end at their first zero byte: another password would count than the one typed.
            if answer.withUnsafeBytes({ $0.contains(0) }) { throw .slip(.zeroByte) }
            if recognises { (hasAnswer, endsWithAnswer) = (true, true) }
            return answer
        case .error, .information, nil:
            try terminal.show(message.text + "\n") { request.isCancelled }
            if recognises { (hasStatement, endsWithAnswer) = (true, false) }
            return nil
        }
    }

    /// An array of `struct pam_response`, which PAM frees.
    private struct Answers {
        let start: UnsafeMutableRawPointer
        private let count: Int

        init?(_ count: Int) {
            guard let start = calloc(count, Libpam.responseSize) else { return nil }
            self.start = start
            self.count = count
        }

        /// Stores an answer, in memory that PAM wipes and frees.
        func set(_ secret: Secret, at index: Int) {
            secret.withUnsafeBytes { bytes in
                guard let text = calloc(bytes.count + 1, 1) else { return }
                if let address = bytes.baseAddress { text.copyMemory(from: address, byteCount: bytes.count) }
                start.storeBytes(of: text, toByteOffset: index * Libpam.responseSize, as: UnsafeMutableRawPointer?.self)
            }
        }

        /// Wipes and frees answers that PAM does not get.
        func free() {
            for index in 0..<count {
                let place = start + index * Libpam.responseSize
                let text = place.load(as: UnsafeMutablePointer<CChar>?.self)
                guard let text else { continue }
                UnsafeMutableRawBufferPointer(start: text, count: strlen(text)).wipe()
                Foundation.free(text)
            }
            Foundation.free(start)
        }
    }
}
