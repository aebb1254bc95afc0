// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// A pipe through which another program sends a secret.
final class SecretPipe {
    // Portals send 64 bytes.
    private static let byteCounts = 16...4096

    private let reading: CInt
    private(set) var writing: CInt

    /// - Throws: ``SecretPortal/Failure/failed(_:)`` when there are no more file descriptors.
    init() throws(SecretPortal.Failure) {
        var ends: [CInt] = [-1, -1]
        // Closed in children from the start. A child with the writing end would keep the secret from ending.
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw .failed("a pipe cannot be created: error \(errno)")
        }
        reading = ends[0]
        writing = ends[1]
        // The portal expects a blocking end; the reader has a time limit.
        _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) & ~O_NONBLOCK)
    }

    deinit {
        closeWriting()
        close(reading)
    }

    /// Closes the writing end, so that the secret ends when the other program closes its copy.
    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Everything that was written, after its end. A part of a secret would be a different secret.
    func read(timeLimit seconds: Double) throws(SecretPortal.Failure) -> Secret {
        let limit = Self.byteCounts.upperBound + 1
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
        defer {
            buffer.wipe()
            buffer.deallocate()
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var count = 0
        while count < limit {
            let got = recv(reading, buffer.baseAddress.map { $0 + count }, limit - count, 0)
            if got == 0 { break }
            if got > 0 {
                count += got
            } else if errno == EAGAIN {
                let left = (end - clock.now) / .milliseconds(1)
                guard left > 0 else { throw .failed("it did not send all of it in time") }
                var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
                _ = poll(&waiting, 1, CInt(left.rounded(.up)))
            } else if errno != EINTR {
                throw .failed("reading it gives error \(errno)")
            }
        }
        guard Self.byteCounts.contains(count) else { throw .failed("it has \(count) bytes") }
        return Secret(copying: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
    }
}
