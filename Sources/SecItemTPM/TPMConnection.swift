// SPDX-License-Identifier: Apache-2.0

#if TPM
    import CTss2
    import Foundation
    import SecItemStore

    /// A connection to a TPM 2.0 for one task. The objects that it loads are removed at its end.
    ///
    /// A chip has space for about three objects. Without a resource manager, nobody else can use the chip until the
    /// connection ends, so each task has a separate one. Used by one thread.
    final class TPMConnection {
        /// The time limit of one command in milliseconds. Chips need seconds for some keys.
        private static let limit: Int32 = 60_000

        private var transport: OpaquePointer?
        private var context: OpaquePointer?
        private var loaded: [ESYS_TR] = []

        /// - Parameter address: The address of the chip in the format of the stack's loader: `device:/dev/tpmrm0`.
        init(_ address: String) throws(StoreError) {
            try check(Tss2_TctiLdr_Initialize(address, &transport), "reaching the TPM by \(address)")
            do throws(StoreError) {
                try check(Esys_Initialize(&context, transport, nil), "beginning with the TPM")
            } catch {
                Tss2_TctiLdr_Finalize(&transport)
                throw error
            }
            // Not every address supports limits; the kernel has its own for its device.
            _ = Esys_SetTimeout(context, Self.limit)
        }

        deinit {
            for handle in loaded.reversed() { _ = Esys_FlushContext(context, handle) }
            Esys_Finalize(&context)
            Tss2_TctiLdr_Finalize(&transport)
        }

        // MARK: What is loaded

        /// The key in the chip that wraps this library's keys.
        func parent(_ kind: WrappedObject.Parent) throws(StoreError) -> ESYS_TR {
            switch kind {
            case .persistent: try persistentParent()
            case .primary: try primaryParent()
            }
        }

        /// Whether the system has created a storage key. It needs no authorisation, while the owner's hierarchy may
        /// have a password.
        func hasPersistentParent() throws(StoreError) -> Bool {
            let handle = WrappedObject.Parent.persistentHandle
            var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
            defer { Esys_Free(answer) }
            try check(
                Esys_GetCapability(
                    context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, TPM2_CAP_HANDLES, handle, 1, nil, &answer),
                "asking the TPM for its storage key")
            guard let found = answer?.pointee.data.handles, found.count > 0, found.handle.0 == handle else {
                return false
            }
            return try isStorageKey(persistentParent())
        }

        /// Whether that key can wrap objects with an empty authorisation.
        private func isStorageKey(_ handle: ESYS_TR) throws(StoreError) -> Bool {
            var area: UnsafeMutablePointer<TPM2B_PUBLIC>?
            defer { Esys_Free(area) }
            try check(
                Esys_ReadPublic(context, handle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &area, nil, nil),
                "reading the TPM's storage key")
            let wanted = TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT | TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_USERWITHAUTH
            return (area?.pointee.publicArea.objectAttributes ?? 0) & wanted == wanted
        }

        private func persistentParent() throws(StoreError) -> ESYS_TR {
            var handle = ESYS_TR_NONE
            try check(
                Esys_TR_FromTPMPublic(
                    context, WrappedObject.Parent.persistentHandle, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle),
                "finding the TPM's storage key")
            return handle
        }

        /// The storage key derived from the owner's seed. It is the same each time, until the chip is reset.
        private func primaryParent() throws(StoreError) -> ESYS_TR {
            var handle = ESYS_TR_NONE
            var secret = TPM2B_SENSITIVE_CREATE()
            var template = ObjectTemplate.storageKey.area
            var (outside, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
            try check(
                Esys_CreatePrimary(
                    context, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &secret, &template,
                    &outside, &registers, &handle, nil, nil, nil, nil),
                "making the TPM's storage key")
            loaded.append(handle)
            return handle
        }

        /// The parts that an observer of the bus must not read or change.
        enum Guarded {
            case command
            case answer
            case both

            var attributes: TPMA_SESSION {
                switch self {
                case .command: TPMA_SESSION_DECRYPT
                case .answer: TPMA_SESSION_ENCRYPT
                case .both: TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT
                }
            }
        }

        /// A session with a key that only the parent can read. It authenticates each command, and encrypts its first
        /// parameter.
        func session(salting parent: ESYS_TR) throws(StoreError) -> ESYS_TR {
            var handle = ESYS_TR_NONE
            var cipher = TPMT_SYM_DEF()
            cipher.algorithm = TPM2_ALG_AES
            cipher.keyBits.aes = 128
            cipher.mode.aes = TPM2_ALG_CFB
            try check(
                Esys_StartAuthSession(
                    context, parent, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, nil, TPM2_SE_HMAC,
                    &cipher, TPM2_ALG_SHA256, &handle),
                "beginning a session with the TPM")
            loaded.append(handle)
            return handle
        }

        private func guarding(_ what: Guarded, _ session: ESYS_TR) throws(StoreError) {
            let all = TPMA_SESSION_CONTINUESESSION | TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT
            try check(
                Esys_TRSess_SetAttributes(context, session, TPMA_SESSION_CONTINUESESSION | what.attributes, all),
                "setting up a session with the TPM")
        }

        func load(_ object: WrappedObject, under parent: ESYS_TR, _ session: ESYS_TR) throws(StoreError) -> ESYS_TR {
            try guarding(.command, session)
            var (handle, wrapped, area) = (ESYS_TR_NONE, object.privateArea, object.publicArea)
            try check(
                Esys_Load(context, parent, session, ESYS_TR_NONE, ESYS_TR_NONE, &wrapped, &area, &handle),
                "loading what the TPM made")
            loaded.append(handle)
            return handle
        }

        // MARK: What is done

        /// Makes a key, or wraps the secret.
        func create(
            _ template: ObjectTemplate, holding secret: Secret?, under parent: ESYS_TR, _ kind: WrappedObject.Parent,
            _ session: ESYS_TR
        ) throws(StoreError) -> WrappedObject {
            try guarding(.both, session)
            var sensitive = TPM2B_SENSITIVE_CREATE()
            defer { withUnsafeMutableBytes(of: &sensitive) { $0.wipe() } }
            secret?.withUnsafeBytes { bytes in
                sensitive.sensitive.data.size = UInt16(bytes.count)
                withUnsafeMutableBytes(of: &sensitive.sensitive.data.buffer) { $0.copyMemory(from: bytes) }
            }
            var (area, outside, registers) = (template.area, TPM2B_DATA(), TPML_PCR_SELECTION())
            var wrapped: UnsafeMutablePointer<TPM2B_PRIVATE>?
            var made: UnsafeMutablePointer<TPM2B_PUBLIC>?
            defer { Esys_Free(wrapped); Esys_Free(made) }
            try check(
                Esys_Create(
                    context, parent, session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &area, &outside, &registers,
                    &wrapped, &made, nil, nil, nil),
                "making a key in the TPM")
            guard let wrapped, let made else { throw StoreError(.io, "the TPM returned nothing") }
            return WrappedObject(parent: kind, publicArea: made.pointee, privateArea: wrapped.pointee)
        }

        func sign(_ digest: [UInt8], with key: ESYS_TR, _ session: ESYS_TR) throws(StoreError) -> [UInt8] {
            try guarding(.command, session)
            var input = TPM2B_DIGEST()
            input.size = UInt16(digest.count)
            withUnsafeMutableBytes(of: &input.buffer) { $0.copyBytes(from: digest) }
            var scheme = TPMT_SIG_SCHEME()
            scheme.scheme = TPM2_ALG_ECDSA
            scheme.details.ecdsa.hashAlg = TPM2_ALG_SHA256
            // No proof that the chip computed the hash. Only restricted keys need one.
            var ticket = TPMT_TK_HASHCHECK()
            ticket.tag = TPM2_ST_HASHCHECK
            ticket.hierarchy = TPM2_RH_NULL
            var answer: UnsafeMutablePointer<TPMT_SIGNATURE>?
            defer { Esys_Free(answer) }
            try check(
                Esys_Sign(context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &input, &scheme, &ticket, &answer),
                "signing with the TPM")
            guard let signature = answer?.pointee.signature.ecdsa else {
                throw StoreError(.io, "the TPM returned nothing")
            }
            return try signature.signatureR.padded() + signature.signatureS.padded()
        }

        func agree(with point: [UInt8], _ key: ESYS_TR, _ session: ESYS_TR) throws(StoreError) -> Secret {
            try guarding(.both, session)
            var input = TPM2B_ECC_POINT()
            input.point.x = TPM2B_ECC_PARAMETER(point.dropFirst().prefix(32))
            input.point.y = TPM2B_ECC_PARAMETER(point.dropFirst(33))
            var answer: UnsafeMutablePointer<TPM2B_ECC_POINT>?
            defer { wipeAndFree(answer) }
            try check(
                Esys_ECDH_ZGen(context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &input, &answer),
                "agreeing on a secret with the TPM")
            guard let answer else { throw StoreError(.io, "the TPM returned nothing") }
            let size = Int(answer.pointee.point.x.size)
            guard size <= ObjectTemplate.coordinateSize else {
                throw StoreError(.io, "the TPM returned too many bytes")
            }
            return try Secret.make(count: ObjectTemplate.coordinateSize) { (target) throws(StoreError) in
                withUnsafeBytes(of: &answer.pointee.point.x.buffer) { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: target.suffix(size)).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
                }
            }
        }

        func unseal(_ object: ESYS_TR, _ session: ESYS_TR) throws(StoreError) -> Secret {
            try guarding(.answer, session)
            var answer: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
            defer { wipeAndFree(answer) }
            try check(
                Esys_Unseal(context, object, session, ESYS_TR_NONE, ESYS_TR_NONE, &answer),
                "opening what the TPM sealed")
            guard let answer else { throw StoreError(.io, "the TPM returned nothing") }
            let size = Int(answer.pointee.size)
            return try withUnsafeBytes(of: &answer.pointee.buffer) { (bytes) throws(StoreError) in
                guard size <= bytes.count else { throw StoreError(.io, "the TPM returned too many bytes") }
                return try Secret.make(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(size)))
            }
        }
    }

    /// Wipes and frees an answer that contains a secret.
    private func wipeAndFree<Answer>(_ answer: UnsafeMutablePointer<Answer>?) {
        UnsafeMutableRawBufferPointer(start: answer, count: answer == nil ? 0 : MemoryLayout<Answer>.size).wipe()
        Esys_Free(answer)
    }

    /// - Throws: The error for a code of the stack or of the chip.
    private func check(_ code: TSS2_RC, _ what: String) throws(StoreError) {
        if code == 0 { return }
        let message = "\(what) failed with code 0x\(String(code, radix: 16))"
        // The chip's own codes are in the lowest sixteen bits. Those of the first format also name a parameter, session
        // or handle.
        let isOfChip = code >> 16 == 0
        let isFormatOne = code & 0x80 != 0
        switch isFormatOne ? code & 0xbf : code {
        case TSS2_RC(SECITEM_TPM2_RC_INTEGRITY) where isOfChip, TSS2_RC(SECITEM_TPM2_RC_BINDING) where isOfChip:
            throw StoreError(
                .unavailable, message + ": it is damaged, or another TPM made it, or this one before it was reset")
        case TSS2_RC(SECITEM_TPM2_RC_POINT) where isOfChip:
            throw StoreError(.unrepresentable, message + ": it is not a point of the curve")
        case TSS2_RC(SECITEM_TPM2_RC_AUTH_FAIL) where isOfChip, TSS2_RC(SECITEM_TPM2_RC_BAD_AUTH) where isOfChip:
            throw StoreError(
                .unavailable,
                message + ": its owner's hierarchy has a password, and there is no storage key at 0x81000001")
        default: throw StoreError(.unavailable, message)
        }
    }

    extension TPM2B_ECC_PARAMETER {
        init(_ bytes: ArraySlice<UInt8>) {
            self.init()
            size = UInt16(bytes.count)
            withUnsafeMutableBytes(of: &buffer) { $0.copyBytes(from: bytes) }
        }

        /// The number with as many bytes as the curve has.
        func padded() throws(StoreError) -> [UInt8] {
            let count = Int(size)
            guard count <= ObjectTemplate.coordinateSize else { throw StoreError(.corrupt, "a number is too long") }
            let bytes = withUnsafeBytes(of: buffer) { Array($0.prefix(count)) }
            return [UInt8](repeating: 0, count: ObjectTemplate.coordinateSize - count) + bytes
        }
    }
#endif
