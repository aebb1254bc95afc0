// SPDX-License-Identifier: Apache-2.0

import Foundation

/// OpenSSL's verifier, used as in a C program: read the certificates, collect them, verify them with the name, free
/// them.
struct Verifier {
    private typealias Object = OpaquePointer
    private typealias Read =
        @convention(c) (UnsafeMutablePointer<Object?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, CLong) -> Object?
    private typealias New = @convention(c) () -> Object?
    private typealias Free = @convention(c) (Object?) -> Void
    private typealias Join = @convention(c) (Object, Object) -> CInt
    private typealias Begin = @convention(c) (Object, Object, Object, Object) -> CInt
    private typealias Ask = @convention(c) (Object) -> CInt
    private typealias Part = @convention(c) (Object) -> Object?
    private typealias Name = @convention(c) (Object, UnsafePointer<CChar>, Int) -> CInt
    private typealias Purpose = @convention(c) (Object, UnsafePointer<CChar>) -> CInt
    private typealias Level = @convention(c) (Object, CInt) -> Void

    private let read: Read
    private let newStore: New
    private let newContext: New
    private let newList: New
    private let freeCertificate: Free
    private let freeStore: Free
    private let freeContext: Free
    private let freeList: Free
    private let addAnchor: Join
    private let append: Join
    private let begin: Begin
    private let verifyContext: Ask
    private let parameters: Part
    private let setHost: Name
    private let setPurpose: Purpose
    private let setLevel: Level

    init() throws {
        let library = try require(dlopen("libcrypto.so.3", RTLD_NOW))
        func function<F>(_ name: String) throws -> F {
            unsafeBitCast(try require(dlsym(library, name), name), to: F.self)
        }
        read = try function("d2i_X509")
        newStore = try function("X509_STORE_new")
        newContext = try function("X509_STORE_CTX_new")
        newList = try function("OPENSSL_sk_new_null")
        freeCertificate = try function("X509_free")
        freeStore = try function("X509_STORE_free")
        freeContext = try function("X509_STORE_CTX_free")
        freeList = try function("OPENSSL_sk_free")
        addAnchor = try function("X509_STORE_add_cert")
        append = try function("OPENSSL_sk_push")
        begin = try function("X509_STORE_CTX_init")
        verifyContext = try function("X509_verify_cert")
        parameters = try function("X509_STORE_CTX_get0_param")
        setHost = try function("X509_VERIFY_PARAM_set1_host")
        setPurpose = try function("X509_STORE_CTX_set_default")
        setLevel = try function("X509_VERIFY_PARAM_set_auth_level")
    }

    func verify(_ leaf: Data, _ middle: Data, _ root: Data) throws {
        let (leaf, middle, root) = try (certificate(leaf), certificate(middle), certificate(root))
        let (store, context, list) = try (require(newStore()), require(newContext()), require(newList()))
        defer {
            freeContext(context)
            freeList(list)
            freeStore(store)
            for certificate in [leaf, middle, root] { freeCertificate(certificate) }
        }
        guard addAnchor(store, root) == 1, append(list, middle) == 1, begin(context, store, leaf, list) == 1,
            setPurpose(context, "ssl_server") == 1, let parameters = parameters(context),
            setHost(parameters, "host.example.org", 16) == 1
        else { throw Failure(what: "verifier") }
        setLevel(parameters, 2)
        guard verifyContext(context) == 1 else { throw Failure(what: "not verified") }
    }

    private func certificate(_ bytes: Data) throws -> Object {
        try bytes.withUnsafeBytes { buffer in
            var start = buffer.bindMemory(to: UInt8.self).baseAddress
            return try require(read(nil, &start, buffer.count))
        }
    }
}
