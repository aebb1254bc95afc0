// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// Memory for keys and secrets: one part of the address space, which is locked in memory and left out of core dumps as far as
/// the system allows.
///
/// It grows page by page. The system limits how much of it may be locked (`RLIMIT_MEMLOCK`); the rest may be written to swap
/// space, which ``report(_:)`` logs once. Where the arena is full or cannot be had, a block is in ordinary memory.
///
/// A block is wiped when it is released. What describes the blocks is in ordinary memory.
package enum SecretMemory {
    /// A block in use.
    package struct Block: @unchecked Sendable {
        package let bytes: UnsafeMutableRawBufferPointer
        fileprivate let isInArena: Bool

        /// Wipes the block and releases it. Call it once.
        package func deallocate() {
            bytes.wipe()
            if isInArena {
                SecretMemory.arena.withLock { $0?.takeBack(bytes) }
            } else {
                free(bytes.baseAddress)
            }
        }
    }

    private static let arena = LockedValue(Arena())

    /// A block of zeros, or nil if there is no memory.
    package static func allocate(_ count: Int) -> Block? {
        if let start = arena.withLock({ $0?.take(count) }) {
            return Block(bytes: UnsafeMutableRawBufferPointer(start: start, count: count), isInArena: true)
        }
        guard let start = calloc(max(count, 1), 1) else { return nil }
        lacking(ENOMEM)
        return Block(bytes: UnsafeMutableRawBufferPointer(start: start, count: count), isInArena: false)
    }

    // MARK: What the system does not give

    private static let shortage = Atomic<Int32>(0)
    private static let isReported = Atomic(false)

    /// Records why memory cannot be protected.
    fileprivate static func lacking(_ errorNumber: Int32) {
        shortage.store(errorNumber, ordering: .relaxed)
    }

    /// Logs, once in the life of the process, that secrets may be written to swap space or a core dump, if that is the
    /// case.
    ///
    /// Call it only where a log handler may be called, which may itself use a keychain.
    package static func report(_ logger: Logger) {
        let number = shortage.load(ordering: .relaxed)
        guard number != 0, !isReported.exchange(true, ordering: .relaxed) else { return }
        logger.notice(
            "Some keys and secrets are in memory that can be swapped out",
            metadata: [
                "reason": "\(String(cString: strerror(number)))",
                "remedy": "raise the limit of locked memory (ulimit -l, LimitMEMLOCK=), or encrypt the swap space",
            ])
    }
}

/// The address space of the blocks, and which parts of it are free.
private struct Arena {
    /// As much as there will ever be. Only what is used takes memory.
    private static let largest = 1 << 30
    private static let alignment = 16
    /// What stays ready for the next secrets when the last block is released.
    private static let kept = 1 << 20

    private let start: UnsafeMutableRawPointer
    private let byteCount: Int
    /// How many bytes from the start can be used, and are locked if possible: whole pages.
    private var ready = 0
    /// The free parts below `ready`, as offsets. No two of them meet.
    private var free: [Range<Int>] = []
    /// The process that locked the memory. A child does not inherit that.
    private var process = getpid()

    /// Nil if there is no address space.
    init?() {
        var byteCount = Self.largest
        while true {
            let start = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            if let start, start != MAP_FAILED {
                self.start = start
                self.byteCount = byteCount
                // From <linux/mman.h>: MADV_DONTDUMP.
                if madvise(start, byteCount, 16) != 0 { SecretMemory.lacking(errno) }
                return
            }
            byteCount /= 2
            if byteCount < Self.kept { return nil }
        }
    }

    private static func size(_ count: Int) -> Int? {
        let (sum, isTooMuch) = count.addingReportingOverflow(alignment - 1)
        return isTooMuch || sum > largest ? nil : max(sum / alignment, 1) * alignment
    }

    /// The first free part that is large enough; nil if there is none and the arena cannot grow.
    mutating func take(_ count: Int) -> UnsafeMutableRawPointer? {
        guard let size = Self.size(count) else { return nil }
        lockInChild()
        if let index = free.firstIndex(where: { $0.count >= size }) {
            let part = free[index]
            if part.count == size {
                free.remove(at: index)
            } else {
                free[index] = part.lowerBound + size..<part.upperBound
            }
            return start + part.lowerBound
        }
        let begin = free.last.flatMap { $0.upperBound == ready ? $0.lowerBound : nil } ?? ready
        guard grow(to: begin + size) else { return nil }
        return take(count)
    }

    /// Makes whole pages usable.
    private mutating func grow(to end: Int) -> Bool {
        let pageSize = Int(getpagesize())
        let newReady = (end + pageSize - 1) / pageSize * pageSize
        guard newReady <= byteCount, mprotect(start + ready, newReady - ready, PROT_READ | PROT_WRITE) == 0 else {
            return false
        }
        if mlock(start + ready, newReady - ready) != 0 { SecretMemory.lacking(errno) }
        putBack(ready..<newReady)
        ready = newReady
        return true
    }

    mutating func takeBack(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let address = bytes.baseAddress, let size = Self.size(bytes.count) else { return }
        let offset = address - start
        putBack(offset..<offset + size)
        shrink()
    }

    private mutating func putBack(_ part: Range<Int>) {
        // The first part behind this one, by halves.
        var index = free.startIndex, step = free.count
        while step > 0 {
            let half = step / 2
            if free[index + half].lowerBound < part.lowerBound {
                index += half + 1
                step -= half + 1
            } else {
                step = half
            }
        }
        let meetsNext = index < free.endIndex && free[index].lowerBound == part.upperBound
        if index > free.startIndex, free[index - 1].upperBound == part.lowerBound {
            free[index - 1] = free[index - 1].lowerBound..<(meetsNext ? free[index].upperBound : part.upperBound)
            if meetsNext { free.remove(at: index) }
        } else if meetsNext {
            free[index] = part.lowerBound..<free[index].upperBound
        } else {
            free.insert(part, at: index)
        }
    }

    /// Gives memory at the end back to the system, if there is much of it. It is zero already.
    private mutating func shrink() {
        guard let last = free.last, last.upperBound == ready, last.count > 2 * Self.kept else { return }
        let pageSize = Int(getpagesize())
        let end = (last.lowerBound + Self.kept + pageSize - 1) / pageSize * pageSize
        munlock(start + end, ready - end)
        guard madvise(start + end, ready - end, Int32(MADV_DONTNEED)) == 0,
            mprotect(start + end, ready - end, PROT_NONE) == 0
        else { return }
        free[free.endIndex - 1] = last.lowerBound..<end
        ready = end
    }

    private mutating func lockInChild() {
        guard process != getpid() else { return }
        process = getpid()
        if ready > 0, mlock(start, ready) != 0 { SecretMemory.lacking(errno) }
    }
}
