// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The terminal that the program was started from, for a question and a secret answer.
///
/// It reads the answer character by character, and turns off two of the terminal's signals: Ctrl-C and Ctrl-\ dismiss the
/// question and do not reach the application's signal handlers. Ctrl-Z stops the program; when it goes on, the question begins
/// again. The terminal gets its mode back after the answer, and if a signal ends or stops the process, or the program exits.
package final class Terminal {
    /// Why there is no answer.
    package enum End: Error {
        /// The user does not want to answer.
        case dismissed
        /// Nobody waits for the answer any more.
        case takenBack
        /// The terminal is gone, or another program is in its foreground by now.
        case lost
        /// The answer cannot be used, for example because it is longer than ``greatestAnswer``.
        case slip(PasswordSlip)
    }

    private let descriptor: CInt

    /// Nil if the program has no terminal, or is not in its foreground. The user then types for another program.
    init?() {
        descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        guard isInForeground else { return nil }
    }

    /// Whether the program has a terminal, and another program is in its foreground.
    static var isInBackground: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return tcgetpgrp(descriptor) != getpgrp()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    private var isInForeground: Bool { tcgetpgrp(descriptor) == getpgrp() }

    /// Waits until no other process of the job asks on the terminal.
    ///
    /// - Parameter isCancelled: Whether to stop waiting.
    /// - Throws: ``End/takenBack`` if the wait was cancelled.
    func turn(isCancelled: () -> Bool) throws(End) -> TerminalTurn {
        try TerminalTurn(on: descriptor, isCancelled: isCancelled)
    }

    /// Shows text, without characters that would control the terminal.
    ///
    /// - Parameter isCancelled: Whether to stop waiting for a terminal that takes no output, as after Ctrl-S. Called a few
    ///   times a second.
    func show(_ text: String, isCancelled: () -> Bool) throws(End) {
        let safe = text.unicodeScalars.filter { $0 == "\n" || !$0.properties.isTerminalControl }
        var bytes = Array(String(String.UnicodeScalarView(safe)).utf8)[...]
        while !bytes.isEmpty {
            guard isInForeground else { throw .lost }
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                if isCancelled() { throw .takenBack }
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, 100)
            } else if errno != EINTR {
                throw .lost
            }
        }
    }

    /// Shows text that nobody must see, and gives up if the terminal takes no output.
    func tell(_ text: String) {
        var count = 0
        try? show(text) {
            count += 1
            return count > 10
        }
    }

    /// The most bytes that an answer may have: PAM's own limit.
    static let greatestAnswer = 511

    /// Shows a question and reads a line. What is typed is hidden before the question is there, so that no fast answer shows.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - isShown: Whether the user sees what they type.
    ///   - isCancelled: Whether nobody waits for the answer any more. Called a few times a second.
    /// - Throws: Why there is no answer. A line that is too long is never cut.
    func line(_ question: String, isShown: Bool, isCancelled: () -> Bool) throws(End) -> Secret {
        guard isInForeground else { throw .lost }
        let hide = { (mode: inout termios) in
            mode.c_lflag &= ~tcflag_t(ICANON | IEXTEN | ECHO | ECHONL)
            mode.c_iflag |= tcflag_t(ICRNL)
            // Ctrl-S would stop the output, and with it this call.
            mode.c_iflag &= ~tcflag_t(IXON | IGNCR)
            // A program may have chosen to read several bytes at once.
            withUnsafeMutableBytes(of: &mode.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
                // They arrive as bytes. Ctrl-Z keeps its meaning.
                characters[Int(VINTR)] = 0
                characters[Int(VQUIT)] = 0
            }
        }
        defer { tell("\n") }
        return try TerminalRestoration.during(descriptor, isCancelled: isCancelled, hiding: hide) { () throws(End) in
            while true {
                let times = TerminalRestoration.timesContinued
                try show(question, isCancelled: isCancelled)
                if let answer = try answer(isShown: isShown, isCancelled, unless: times) { return answer }
                // Others have written on the terminal while the process was stopped, so the question comes again.
                TerminalRestoration.hideOnceMore()
            }
        }
    }

    /// - Parameter times: How often the process had gone on after a stop.
    /// - Returns: Nil if it has gone on once more.
    private func answer(isShown: Bool, _ isCancelled: () -> Bool, unless times: Int) throws(End) -> Secret? {
        // Neither swapped out nor dumped, and wiped afterwards.
        guard let block = SecretMemory.allocate(Self.greatestAnswer) else { throw .lost }
        defer { block.deallocate() }
        guard let count = try read(into: block.bytes, isShown: isShown, isCancelled, unless: times) else { return nil }
        return Secret(copying: UnsafeRawBufferPointer(rebasing: block.bytes[..<count]))
    }

    private func read(
        into buffer: UnsafeMutableRawBufferPointer, isShown: Bool, _ isCancelled: () -> Bool, unless times: Int
    ) throws(End) -> Int? {
        var count = 0
        var isTooLong = false
        while true {
            guard let byte = try byte(isCancelled, unless: times) else { return nil }
            switch byte {
            case Key.enter, Key.lineFeed:
                if isTooLong { throw .slip(.tooLong) }
                return count
            case Key.cancel, Key.quit: throw .dismissed
            // The end of input, if nothing was typed.
            case Key.end:
                if count == 0 { throw .dismissed }
                if isTooLong { throw .slip(.tooLong) }
                return count
            case Key.backspace, Key.delete: count = Self.withoutLastCharacter(buffer[..<count])
            case Key.eraseWord: count = Self.withoutLastWord(buffer[..<count])
            case Key.eraseLine: (count, isTooLong) = (0, false)
            default:
                guard count < buffer.count else {
                    isTooLong = true
                    continue
                }
                buffer[count] = byte
                count += 1
                if isShown, byte >= 0x20 { _ = withUnsafeBytes(of: byte) { write(descriptor, $0.baseAddress, 1) } }
            }
        }
    }

    private enum Key {
        static let cancel: UInt8 = 0x03
        static let end: UInt8 = 0x04
        static let backspace: UInt8 = 0x08
        static let lineFeed: UInt8 = 0x0a
        static let enter: UInt8 = 0x0d
        static let eraseLine: UInt8 = 0x15
        static let eraseWord: UInt8 = 0x17
        static let quit: UInt8 = 0x1c
        static let delete: UInt8 = 0x7f
    }

    /// How many bytes are left without the last character, in UTF-8.
    private static func withoutLastCharacter(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Int {
        var count = bytes.count
        while count > 0 {
            count -= 1
            if bytes[bytes.startIndex + count] & 0xc0 != 0x80 { break }
        }
        return count
    }

    /// How many bytes are left without the last word and the blanks after it.
    private static func withoutLastWord(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Int {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let end = bytes.lastIndex(where: { !isBlank($0) }) else { return 0 }
        let blank = bytes[...end].lastIndex(where: isBlank)
        return blank.map { $0 + 1 - bytes.startIndex } ?? 0
    }

    private func byte(_ isCancelled: () -> Bool, unless times: Int) throws(End) -> UInt8? {
        while true {
            if TerminalRestoration.timesContinued != times { return nil }
            if isCancelled() { throw .takenBack }
            guard isInForeground else { throw .lost }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, 100)
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            // A byte that comes after the process has gone on is for the question that comes again.
            if TerminalRestoration.timesContinued != times { return nil }
            var byte: UInt8 = 0
            let count = Foundation.read(descriptor, &byte, 1)
            if count == 1 { return byte }
            // Another thread of the program may have read it.
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            throw .lost
        }
    }
}

extension Unicode.Scalar.Properties {
    /// Whether a terminal may act on it instead of showing it.
    fileprivate var isTerminalControl: Bool { generalCategory == .control || generalCategory == .format }
}
