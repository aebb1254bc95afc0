// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemStore

/// The file system of a folder.
///
/// On a network file system, other machines do not see the locks and shared memory with which SQLite separates writers.
/// Two machines that write the same file would destroy it.
struct FileSystem: Sendable {
    /// The kernel's number for it (`statfs(2)`).
    let number: UInt32
    /// Its name in the table of mounts, read only if the number is not enough.
    let mountType: @Sendable () -> String?

    /// The file system of an open folder.
    init(ofFolder descriptor: Int32, path: String) throws(StoreError) {
        var status = stat()
        // More than `struct statfs` takes, whose first word is the number.
        var system = [Int](repeating: 0, count: 64)
        guard fstat(descriptor, &status) == 0, Self.fstatfs?(descriptor, &system) ?? 0 == 0 else {
            throw StoreError(openingFailed: path, errno: errno)
        }
        let device = UInt64(status.st_dev)
        self.init(number: UInt32(truncatingIfNeeded: system[0])) { MountTable.type(ofDevice: device) }
    }

    // <sys/statfs.h> is not among what Swift imports of the C library.
    private static let fstatfs = dlsym(nil, "fstatfs").map {
        unsafeBitCast($0, to: (@convention(c) (Int32, UnsafeMutableRawPointer) -> Int32).self)
    }

    init(number: UInt32, mountType: @escaping @Sendable () -> String?) {
        self.number = number
        self.mountType = mountType
    }

    /// The name of the network file system, or nil for a local one.
    var networkName: String? {
        for known in Self.networkNames where known.number == number { return known.name }
        guard number == Self.fuse, let type = mountType(), Self.isNetwork(fuse: type) else { return nil }
        return type
    }

    private static let fuse: UInt32 = 0x6573_5546

    // The numbers are from <linux/magic.h> or from the documentation of the file systems.
    private static let networkNames: [(number: UInt32, name: String)] = [
        (0x6969, "nfs"), (0x517b, "smb"), (0xff53_4d42, "cifs"), (0xfe53_4d42, "smb2"), (0x564c, "ncp"),
        (0x0102_1997, "9p"), (0x5346_414f, "afs"), (0x6b41_4653, "afs"), (0x7375_7245, "coda"), (0x00c3_6400, "ceph"),
        (0x0bd0_0bd0, "lustre"), (0x4750_4653, "gpfs"), (0x0116_1970, "gfs2"), (0x7461_636f, "ocfs2"),
        (0x1980_3023, "beegfs"), (0x2003_0528, "pvfs2"), (0xaad7_aaea, "panfs"), (0x786f_4256, "vboxsf"),
        (0xbacb_acbc, "vmhgfs"),
    ]

    /// FUSE programs that show a remote folder. Others (encrypted and merged folders, foreign disks) are local.
    private static func isNetwork(fuse type: String) -> Bool {
        let names = [
            "sshfs", "s3fs", "s3ql", "goofys", "mount-s3", "rclone", "gcsfuse", "blobfuse", "blobfuse2", "davfs",
            "curlftpfs", "glusterfs", "cephfs", "ceph-fuse", "juicefs", "seaweedfs", "moosefs", "mfs", "lizardfs",
            "onedriver", "google-drive-ocamlfuse", "gvfsd-fuse", "smbnetfs", "vmhgfs-fuse", "nfs", "obexfs",
        ]
        guard type.hasPrefix("fuse.") else { return false }
        return names.contains(String(type.dropFirst("fuse.".count)).lowercased())
    }

    // MARK: Tests

    /// The file system to assume, for tests, because not every machine can mount a network file system.
    @TaskLocal static var assumed: FileSystem?
}
