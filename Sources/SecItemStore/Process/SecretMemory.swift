// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Synchronization

/// Memory for keys and secrets. It is never written to swap space or core dumps.
///
/// Small blocks share mappings of 64 KiB, which are divided into slabs of 4 KiB for blocks of one size. A larger block
/// has a separate mapping. A block is overwritten with zeros when it is released. The descriptions of the blocks are in
/// ordinary memory, so that wiping a mapping does not damage them.
///
/// The system limits how much memory a process may lock (`RLIMIT_MEMLOCK`). Beyond the limit, blocks are in memory that
/// may be swapped out; ``report(_:)`` logs this once.
package final class SecretMemory: ForkAware, @unchecked Sendable {
    /// The content of the memory in a forked child.
    package enum AfterFork: Sendable {
        /// The same as in the parent, for data that the child may continue to use.
        case kept
        /// Zeros, for data that one call needs while it calls no code outside the package. The child has no thread that
        /// continues that call, and nobody would ever wipe the data.
        case wiped
    }

    /// A block in use.
    package struct Block: @unchecked Sendable {
        package let bytes: UnsafeMutableRawBufferPointer
        fileprivate let home: Home
        fileprivate let memory: SecretMemory

        /// Wipes the block and releases it. Call it once.
        package func deallocate() { memory.takeBack(self) }
    }

    fileprivate enum Home {
        case slab(Slab)
        case mapping(Mapping)
        /// Memory of the C library, if no mapping is possible.
        case heap
    }

    private static let kept = SecretMemory(.kept)
    private static let wiped = SecretMemory(.wiped)

    /// Creates the objects of which a process has one, before a fork.
    static func prepare() {
        _ = (kept, wiped)
    }

    private static func memory(_ afterFork: AfterFork) -> SecretMemory {
        switch afterFork {
        case .kept: kept
        case .wiped: wiped
        }
    }

    private let afterFork: AfterFork
    private let lock = ForkableLock()
    // Guarded by `lock`.
    private var regions: [Region] = []
    private var mappings: [Mapping] = []
    /// The region that provides the next slabs.
    private var newest: Region?
    /// For each block size, the slabs with a free block.
    private var available = [[Slab]](repeating: [], count: Slab.blockSizes.count)

    private init(_ afterFork: AfterFork) {
        self.afterFork = afterFork
        ForkHandlers.register(self, stopping: .memory)
    }

    // MARK: Blocks

    /// A block of zeros, or nil if there is no memory.
    package static func allocate(_ count: Int, _ afterFork: AfterFork) -> Block? {
        memory(afterFork).allocate(count)
    }

    private func allocate(_ count: Int) -> Block? {
        if let block = lock.withLock({ count <= Slab.largestBlock ? allocateInSlab(count) : allocateMapping(count) }) {
            return block
        }
        guard let start = calloc(max(count, 1), 1) else { return nil }
        Self.lacking(ENOMEM)
        return Block(bytes: UnsafeMutableRawBufferPointer(start: start, count: count), home: .heap, memory: self)
    }

    private func takeBack(_ block: Block) {
        block.bytes.wipe()
        switch block.home {
        case .heap: free(block.bytes.baseAddress)
        case .mapping(let mapping):
            lock.withLock { forget(mapping) }
            mapping.unmap()
        case .slab(let slab): lock.withLock { takeBack(block, slab) }
        }
    }

    private func allocateMapping(_ count: Int) -> Block? {
        guard let mapping = Mapping(byteCount: count, afterFork) else { return nil }
        mapping.index = mappings.count
        mappings.append(mapping)
        mapping.lockInMemory(upTo: mapping.byteCount)
        let bytes = UnsafeMutableRawBufferPointer(start: mapping.start, count: count)
        return Block(bytes: bytes, home: .mapping(mapping), memory: self)
    }

    /// The last mapping takes its place in the list.
    private func forget(_ mapping: Mapping) {
        let last = mappings.removeLast()
        guard last !== mapping else { return }
        last.index = mapping.index
        mappings[mapping.index] = last
    }

    private func allocateInSlab(_ count: Int) -> Block? {
        let size = Slab.sizeIndex(for: count)
        guard let slab = available[size].last ?? newSlab(size) else { return nil }
        let start = slab.takeBlock()
        if slab.isFull { available[size].removeLast() }
        let bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
        return Block(bytes: bytes, home: .slab(slab), memory: self)
    }

    private func newSlab(_ size: Int) -> Slab? {
        if newest?.hasRoom != true {
            guard let region = Region(afterFork) else { return nil }
            regions.append(region)
            newest = region
        }
        guard let slab = newest?.newSlab(size) else { return nil }
        available[size].append(slab)
        return slab
    }

    private func takeBack(_ block: Block, _ slab: Slab) {
        if slab.isFull { available[slab.size].append(slab) }
        slab.putBack(block.bytes.baseAddress)
        let region = slab.region
        // One empty region may stay, for the next secret.
        guard region.usedBlocks == 0, region !== newest else { return }
        for size in available.indices { available[size].removeAll { $0.region === region } }
        regions.removeAll { $0 === region }
        region.mapping.unmap()
    }

    // MARK: What the system does not give

    // Without a lock, because it is written while one is held, and during a fork.
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

    // MARK: Forks

    package func willFork() {
        lock.lock()
        // A rehearsal for the child: Swift creates the types of a loop when it first runs.
        lockAgain(inChild: false)
    }

    package func didForkInParent() { lock.unlock() }

    package func didForkInChild() {
        lock.reset()
        lockAgain(inChild: true)
    }

    private func lockAgain(inChild: Bool) {
        for region in regions where inChild { region.mapping.lockAgain() }
        for mapping in mappings where inChild { mapping.lockAgain() }
    }
}

/// Pages of the process.
private final class Mapping {
    let start: UnsafeMutableRawPointer
    let byteCount: Int
    /// Its index in the list of mappings that hold one block. Guarded by that list's lock.
    var index = 0
    /// How many bytes from the start are locked in memory.
    private var lockedByteCount = 0

    /// Nil if the system provides no mapping.
    init?(byteCount: Int, _ afterFork: SecretMemory.AfterFork) {
        let pageSize = Int(getpagesize())
        let (sum, isTooMuch) = byteCount.addingReportingOverflow(pageSize - 1)
        guard !isTooMuch else { return nil }
        self.byteCount = sum / pageSize * pageSize
        let start = mmap(nil, self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, Int(bitPattern: start) != -1 else { return nil }
        self.start = start
        if madvise(start, self.byteCount, Self.dontDump) != 0 { SecretMemory.lacking(errno) }
        // Kernels before 4.14 do not support it. Then the child keeps bytes that none of its threads uses.
        if afterFork == .wiped { _ = madvise(start, self.byteCount, Self.wipeOnFork) }
    }

    // From <linux/mman.h>.
    private static let dontDump: Int32 = 16
    private static let wipeOnFork: Int32 = 18

    /// Locks the first bytes in memory, if the system allows it.
    func lockInMemory(upTo end: Int) {
        if mlock(start + lockedByteCount, end - lockedByteCount) != 0 { SecretMemory.lacking(errno) }
        lockedByteCount = end
    }

    /// Used in a forked child, which does not inherit locks in memory.
    func lockAgain() {
        if lockedByteCount > 0 && mlock(start, lockedByteCount) != 0 { SecretMemory.lacking(errno) }
    }

    func unmap() {
        munmap(start, byteCount)
    }
}

/// A mapping that is cut into slabs, from its start.
private final class Region {
    private static let slabCount = 16

    let mapping: Mapping
    var usedBlocks = 0
    private var cutSlabs = 0

    init?(_ afterFork: SecretMemory.AfterFork) {
        guard let mapping = Mapping(byteCount: Self.slabCount * Slab.byteCount, afterFork) else { return nil }
        self.mapping = mapping
    }

    var hasRoom: Bool { cutSlabs < Self.slabCount }

    /// The next slab. Only its own memory is locked now, not the whole region, because the limit may be low.
    func newSlab(_ size: Int) -> Slab {
        let slab = Slab(self, mapping.start + cutSlabs * Slab.byteCount, size)
        cutSlabs += 1
        mapping.lockInMemory(upTo: cutSlabs * Slab.byteCount)
        return slab
    }
}

/// Blocks of one size, side by side.
private final class Slab {
    static let byteCount = 4096
    static let blockSizes = [64, 128, 256, 512, 1024, 2048]
    static let largestBlock = 2048

    /// The index of the smallest block size that is sufficient.
    static func sizeIndex(for count: Int) -> Int {
        count <= 64 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount - 6
    }

    let region: Region
    let size: Int
    private let start: UnsafeMutableRawPointer
    /// A bit for each block.
    private var free: UInt64

    init(_ region: Region, _ start: UnsafeMutableRawPointer, _ size: Int) {
        self.region = region
        self.start = start
        self.size = size
        free = .max >> UInt64(64 - Self.byteCount / Self.blockSizes[size])
    }

    var isFull: Bool { free == 0 }

    /// A free block. The caller knows that there is one.
    func takeBlock() -> UnsafeMutableRawPointer {
        let number = free.trailingZeroBitCount
        free &= free - 1
        region.usedBlocks += 1
        return start + number << (size + 6)
    }

    func putBack(_ block: UnsafeMutableRawPointer?) {
        guard let block else { return }
        free |= 1 << UInt64((block - start) >> (size + 6))
        region.usedBlocks -= 1
    }
}
