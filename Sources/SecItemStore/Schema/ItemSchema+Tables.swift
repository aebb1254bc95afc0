// SPDX-License-Identifier: Apache-2.0

// Each row is one attribute. `swift-format` must not change the alignment.

extension ItemSchema {
    // swift-format-ignore
    /// The attributes of every class.
    private static let common: [Row] = [
        // attribute                         kind     roles
        Row(.creationDate,                  .date,   [.addResult, .copyResult]),
        Row(.modificationDate,              .date,   [.addResult, .copyResult]),
        Row(.label,                         .blob,   [.plain, .indexed]),
        Row(.accessGroup,                   .string, [.plain, .primaryKey, .indexed]),
        Row(.accessible,                    .string, [.plain]),
        Row(.synchronizable,                .number, [.plain, .primaryKey, .required]),
        Row(.tombstone,                     .number, [.required, .settable, .copyResult]),
        Row(.sha1,                          .sha1,   []),
        Row(.syncViewHint,                  .string, [.key]),
        Row(.tokenID,                       .string, [.key]),
        Row(.multiUser,                     .uuid,   [.primaryKey, .required, .copyResult]),
        Row(.uuid,                          .string, []),
        Row(.sysBound,                      .number, [.plain]),
        Row(.pcsPlaintextServiceIdentifier, .number, [.plain]),
        Row(.pcsPlaintextPublicKey,         .blob,   [.plain]),
        Row(.pcsPlaintextPublicIdentity,    .blob,   [.plain]),
        Row(.appClipItem,                   .number, []),
        Row(.sharingGroup,                  .string, [.key]),
        Row(.accessControl,                 .data,   []),
    ]

    // swift-format-ignore
    /// The attributes of generic passwords.
    static let genericPassword = ItemSchema(.genericPassword, defaultAccessible: .whenUnlocked, rows: [
        Row(.description,   .blob,   [.plain]),
        Row(.comment,       .blob,   [.plain]),
        Row(.creator,       .number, [.plain]),
        Row(.type,          .number, [.plain]),
        Row(.scriptCode,    .number, [.plain]),
        Row(.alias,         .blob,   [.plain]),
        Row(.isInvisible,   .number, [.plain]),
        Row(.isNegative,    .number, [.plain]),
        Row(.hasCustomIcon, .number, [.plain]),
        Row(.protected,     .blob,   [.plain]),
        Row(.account,       .blob,   [.filledKey]),
        Row(.service,       .blob,   [.filledKey]),
        Row(.generic,       .blob,   [.plain, .indexed]),
    ] + common)

    // swift-format-ignore
    /// The attributes of internet passwords.
    static let internetPassword = ItemSchema(.internetPassword, defaultAccessible: .whenUnlocked, rows: [
        Row(.description,         .blob,   [.plain]),
        Row(.comment,             .blob,   [.plain]),
        Row(.creator,             .number, [.plain]),
        Row(.type,                .number, [.plain]),
        Row(.scriptCode,          .number, [.plain]),
        Row(.alias,               .blob,   [.plain, .indexed]),
        Row(.isInvisible,         .number, [.plain]),
        Row(.isNegative,          .number, [.plain]),
        Row(.hasCustomIcon,       .number, [.plain]),
        Row(.protected,           .blob,   [.plain]),
        Row(.account,             .blob,   [.filledKey]),
        Row(.securityDomain,      .blob,   [.filledKey]),
        Row(.server,              .blob,   [.filledKey]),
        Row(.protocol,            .number, [.filledKey]),
        Row(.authenticationType,  .blob,   [.filledKey]),
        Row(.port,                .number, [.filledKey]),
        Row(.path,                .blob,   [.filledKey]),
        Row(.extraNotes,          .data,   [.settable, .secret]),
        Row(.extraHistory,        .data,   [.settable, .secret]),
        Row(.extraClientDefined0, .data,   [.settable, .secret]),
        Row(.extraClientDefined1, .data,   [.settable, .secret]),
        Row(.extraClientDefined2, .data,   [.settable, .secret]),
        Row(.extraClientDefined3, .data,   [.settable, .secret]),
    ] + common)

    // swift-format-ignore
    /// The attributes of certificates.
    static let certificate = ItemSchema(.certificate, defaultAccessible: .always, rows: [
        Row(.certificateType,     .number, [.filledKey]),
        Row(.certificateEncoding, .number, [.plain]),
        Row(.alias,               .blob,   [.plain, .indexed]),
        Row(.subject,             .data,   [.plain, .indexed]),
        Row(.issuer,              .data,   [.filledKey]),
        Row(.serialNumber,        .data,   [.filledKey]),
        Row(.subjectKeyID,        .data,   [.plain, .indexed]),
        Row(.publicKeyHash,       .data,   [.plain, .indexed]),
    ] + common)

    // swift-format-ignore
    /// The attributes of keys.
    static let key = ItemSchema(.key, defaultAccessible: .whenUnlocked, rows: [
        Row(.keyClass,            .number, [.filledKey]),
        Row(.alias,               .blob,   [.plain, .indexed]),
        Row(.isPermanent,         .number, [.plain]),
        Row(.isPrivate,           .number, [.plain]),
        Row(.isModifiable,        .number, [.plain]),
        Row(.applicationLabel,    .data,   [.filledKey]),
        Row(.applicationTag,      .blob,   [.filledKey]),
        Row(.keyCreator,          .number, [.filledKey]),
        Row(.keyType,             .number, [.filledKey]),
        Row(.keySizeInBits,       .number, [.filledKey]),
        Row(.effectiveKeySize,    .number, [.filledKey]),
        Row(.startDate,           .date,   [.filledKey]),
        Row(.endDate,             .date,   [.filledKey]),
        Row(.isSensitive,         .number, [.plain]),
        Row(.wasAlwaysSensitive,  .number, [.plain]),
        Row(.isExtractable,       .number, [.plain]),
        Row(.wasNeverExtractable, .number, [.plain]),
        Row(.canEncrypt,          .number, [.plain]),
        Row(.canDecrypt,          .number, [.plain]),
        Row(.canDerive,           .number, [.plain]),
        Row(.canSign,             .number, [.plain]),
        Row(.canVerify,           .number, [.plain]),
        Row(.canSignRecover,      .number, [.plain]),
        Row(.canVerifyRecover,    .number, [.plain]),
        Row(.canWrap,             .number, [.plain]),
        Row(.canUnwrap,           .number, [.plain]),
    ] + common)

    /// The attributes that a query for identities may name: those of the certificate, then those of the key.
    static let identity = ItemSchema(
        .identity,
        defaultAccessible: .whenUnlocked,
        rows: certificate.rows + key.rows.filter { certificate[$0.attribute] == nil }
    )
}
