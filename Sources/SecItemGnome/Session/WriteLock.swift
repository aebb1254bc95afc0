import Foundation
import SecItemStore
import Synchronization

/// Keeps the writes of all programs that use this store apart: the Secret Service itself has no unique index, so a look
/// before each new item is only worth something while nobody else adds.
///
/// A lock on a file (`flock`), which the kernel takes back when its holder dies.
final class WriteLock: Sendable {
    private let folder: String
    private let timeLimit: Double
    private let gate = Mutex(())

    /// - Parameters:
    ///   - environment: Where `XDG_RUNTIME_DIR` is looked up.
    ///   - seconds: How long to wait for others.
    init(environment: [String: String], timeLimit seconds: Double) {
        if let runtime = environment["XDG_RUNTIME_DIR"], !runtime.isEmpty {
            folder = runtime + "/secitem"
        } else {
            folder = "/tmp/secitem-\(getuid())"
        }
        timeLimit = seconds
    }

    /// Runs `body` while no other thread or process is inside.
    ///
    /// - Throws: `StoreError` with `.io` when the lock cannot be had, or not in time; else what `body` throws.
    func withLock<Result: Sendable>(_ body: () throws -> Result) throws -> Result {
        let outcome: Swift.Result<Result, any Error> = gate.withLock { _ in
            Swift.Result {
                let descriptor = try acquire()
                defer { close(descriptor) }
                return try body()
            }
        }
        return try outcome.get()
    }

    private func acquire() throws -> CInt {
        try makeFolder()
        let path = folder + "/secret-service.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot open \(path)") }
        let start = ContinuousClock.now
        var pause: UInt32 = 500
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now - start < .seconds(timeLimit) else {
                let error = failure("another program holds \(path)")
                close(descriptor)
                throw error
            }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
        return descriptor
    }

    /// Makes the folder, and refuses one that is not ours alone.
    private func makeFolder() throws {
        if mkdir(folder, 0o700) != 0 && errno != EEXIST { throw failure("cannot make \(folder)") }
        var status = stat()
        guard lstat(folder, &status) == 0 else { throw failure("cannot read \(folder)") }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            throw StoreError(.io, "\(folder) is not a folder of this user alone")
        }
    }

    private func failure(_ message: String) -> StoreError {
        StoreError(.io, "\(message): \(String(cString: strerror(errno)))")
    }
}
