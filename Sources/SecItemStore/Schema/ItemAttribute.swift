// SPDX-License-Identifier: Apache-2.0

/// The name of one attribute of an item: a four-letter code, as in Apple's `kSecAttr…` constants.
///
/// The ``ItemSchema`` of a class says what the attribute means there. One code can mean different things in two
/// classes: `type` is a number that the client chooses in passwords, and the algorithm in keys.
public struct ItemAttribute: Hashable, Sendable, CustomStringConvertible {
    /// The code as one number, most significant byte first. It never changes, so stores may save it.
    public let fourCharCode: UInt32

    /// The four-letter code, for example `acct`.
    public var code: String {
        let bytes = [24, 16, 8, 0].map { shift in UInt8(truncatingIfNeeded: fourCharCode >> UInt32(shift)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    public var description: String { code }

    /// The attribute with that code, or nil if the text is not four ASCII characters.
    public init?(code: String) {
        let bytes = code.utf8
        guard bytes.count == 4, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        fourCharCode = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The attribute with that packed code, as ``fourCharCode`` gives it.
    public init(fourCharCode: UInt32) {
        self.fourCharCode = fourCharCode
    }

    private init(_ code: StaticString) {
        fourCharCode = code.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }
}

extension ItemAttribute {
    // MARK: Every class
    /// The conditions that must be fulfilled before the secrets are released: see ``ItemRecord/constraints``.
    public static let accessControl = ItemAttribute("accc")
    public static let accessGroup = ItemAttribute("agrp")
    public static let accessible = ItemAttribute("pdmn")
    public static let alias = ItemAttribute("alis")
    public static let appClipItem = ItemAttribute("clip")
    public static let creationDate = ItemAttribute("cdat")
    public static let label = ItemAttribute("labl")
    public static let modificationDate = ItemAttribute("mdat")
    public static let multiUser = ItemAttribute("musr")
    public static let pcsPlaintextPublicIdentity = ItemAttribute("pcsi")
    public static let pcsPlaintextPublicKey = ItemAttribute("pcsk")
    public static let pcsPlaintextServiceIdentifier = ItemAttribute("pcss")
    public static let sha1 = ItemAttribute("sha1")
    public static let sharingGroup = ItemAttribute("ggrp")
    public static let synchronizable = ItemAttribute("sync")
    public static let syncViewHint = ItemAttribute("vwht")
    public static let sysBound = ItemAttribute("sysb")
    public static let tokenID = ItemAttribute("tkid")
    public static let tombstone = ItemAttribute("tomb")
    public static let uuid = ItemAttribute("UUID")
    /// The secret itself (`kSecValueData`).
    public static let valueData = ItemAttribute("data")

    // MARK: Passwords
    public static let account = ItemAttribute("acct")
    public static let comment = ItemAttribute("icmt")
    public static let creator = ItemAttribute("crtr")
    public static let description = ItemAttribute("desc")
    public static let generic = ItemAttribute("gena")
    public static let hasCustomIcon = ItemAttribute("cusi")
    public static let isInvisible = ItemAttribute("invi")
    public static let isNegative = ItemAttribute("nega")
    public static let protected = ItemAttribute("prot")
    public static let scriptCode = ItemAttribute("scrp")
    public static let service = ItemAttribute("svce")
    public static let type = ItemAttribute("type")

    // MARK: Internet passwords
    public static let authenticationType = ItemAttribute("atyp")
    public static let path = ItemAttribute("path")
    public static let port = ItemAttribute("port")
    public static let `protocol` = ItemAttribute("ptcl")
    public static let securityDomain = ItemAttribute("sdmn")
    public static let server = ItemAttribute("srvr")
    public static let extraClientDefined0 = ItemAttribute("bin0")
    public static let extraClientDefined1 = ItemAttribute("bin1")
    public static let extraClientDefined2 = ItemAttribute("bin2")
    public static let extraClientDefined3 = ItemAttribute("bin3")
    public static let extraHistory = ItemAttribute("bini")
    public static let extraNotes = ItemAttribute("binn")

    // MARK: Certificates
    public static let certificateEncoding = ItemAttribute("cenc")
    public static let certificateType = ItemAttribute("ctyp")
    public static let issuer = ItemAttribute("issr")
    public static let publicKeyHash = ItemAttribute("pkhh")
    public static let serialNumber = ItemAttribute("slnr")
    public static let subject = ItemAttribute("subj")
    public static let subjectKeyID = ItemAttribute("skid")

    // MARK: Keys
    public static let applicationLabel = ItemAttribute("klbl")
    public static let applicationTag = ItemAttribute("atag")
    public static let canDecrypt = ItemAttribute("decr")
    public static let canDerive = ItemAttribute("drve")
    public static let canEncrypt = ItemAttribute("encr")
    public static let canSign = ItemAttribute("sign")
    public static let canSignRecover = ItemAttribute("snrc")
    public static let canUnwrap = ItemAttribute("unwp")
    public static let canVerify = ItemAttribute("vrfy")
    public static let canVerifyRecover = ItemAttribute("vyrc")
    public static let canWrap = ItemAttribute("wrap")
    public static let effectiveKeySize = ItemAttribute("esiz")
    public static let endDate = ItemAttribute("edat")
    public static let isExtractable = ItemAttribute("extr")
    public static let isModifiable = ItemAttribute("modi")
    public static let isPermanent = ItemAttribute("perm")
    public static let isPrivate = ItemAttribute("priv")
    public static let isSensitive = ItemAttribute("sens")
    public static let keyClass = ItemAttribute("kcls")
    public static let keyCreator = ItemAttribute("crtr")
    public static let keySizeInBits = ItemAttribute("bsiz")
    public static let keyType = ItemAttribute("type")
    public static let startDate = ItemAttribute("sdat")
    public static let wasAlwaysSensitive = ItemAttribute("asen")
    public static let wasNeverExtractable = ItemAttribute("next")
}
