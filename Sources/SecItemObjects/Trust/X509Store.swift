// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The possible anchors of a chain, in OpenSSL's memory. It never changes, and any thread may use it.
final class X509Store: @unchecked Sendable {
    let anchors: [X509Certificate]
    let pointer: LibcryptoX509.Object
    private let library: LibcryptoX509

    /// - Returns: nil without memory.
    init?(_ library: LibcryptoX509, _ anchors: [X509Certificate]) {
        guard let pointer = library.newStore() else { return nil }
        self.library = library
        self.pointer = pointer
        self.anchors = anchors
        for anchor in anchors where library.addAnchor(pointer, anchor.pointer) != 1 {
            library.common.clearErrors()
            return nil
        }
    }

    deinit {
        library.freeStore(pointer)
    }
}

/// A list of certificates for OpenSSL to read.
final class X509List {
    let pointer: LibcryptoX509.Object
    private let certificates: [X509Certificate]
    private let library: LibcryptoX509

    init?(_ library: LibcryptoX509, _ certificates: [X509Certificate]) {
        guard let pointer = library.newList() else { return nil }
        self.library = library
        self.pointer = pointer
        self.certificates = certificates
        for certificate in certificates where library.append(pointer, certificate.pointer) <= 0 { return nil }
    }

    deinit {
        library.freeList(pointer)
    }
}
