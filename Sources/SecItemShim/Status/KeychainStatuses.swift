// The keychain and its items: the codes that the four item calls return most.

/// No keychain can be reached at the moment.
public let errSecNotAvailable: OSStatus = -25291

/// The keychain or item accepts no changes.
public let errSecReadOnly: OSStatus = -25292

/// The password, fingerprint or other proof was refused.
public let errSecAuthFailed: OSStatus = -25293

/// There is no keychain by that name.
public let errSecNoSuchKeychain: OSStatus = -25294

/// The keychain is damaged or is not a keychain.
public let errSecInvalidKeychain: OSStatus = -25295

/// A keychain by that name exists already.
public let errSecDuplicateKeychain: OSStatus = -25296

/// The callback has been registered before.
public let errSecDuplicateCallback: OSStatus = -25297

/// The callback is not usable.
public let errSecInvalidCallback: OSStatus = -25298

/// An item with the same identifying attributes is stored already.
public let errSecDuplicateItem: OSStatus = -25299

/// No stored item matches the query.
public let errSecItemNotFound: OSStatus = -25300

/// The buffer cannot hold the whole result.
public let errSecBufferTooSmall: OSStatus = -25301

/// The data exceeds what an item can hold.
public let errSecDataTooLarge: OSStatus = -25302

/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303

/// The item reference refers to nothing usable.
public let errSecInvalidItemRef: OSStatus = -25304

/// The search reference refers to nothing usable.
public let errSecInvalidSearchRef: OSStatus = -25305

/// There is no such class of keychain items.
public let errSecNoSuchClass: OSStatus = -25306

/// No default keychain has been chosen.
public let errSecNoDefaultKeychain: OSStatus = -25307

/// The user would have to be asked or to unlock the keychain, and that is not possible now.
public let errSecInteractionNotAllowed: OSStatus = -25308

/// This attribute accepts no changes.
public let errSecReadOnlyAttr: OSStatus = -25309

/// The keychain was written by an incompatible version.
public let errSecWrongSecVersion: OSStatus = -25310

/// Keys of this size are not accepted.
public let errSecKeySizeNotAllowed: OSStatus = -25311

/// No component can store items.
public let errSecNoStorageModule: OSStatus = -25312

/// No component can handle certificates.
public let errSecNoCertificateModule: OSStatus = -25313

/// No component can evaluate policies.
public let errSecNoPolicyModule: OSStatus = -25314

/// The user has to be asked before this can go on.
public let errSecInteractionRequired: OSStatus = -25315

/// The item's data cannot be read at the moment.
public let errSecDataNotAvailable: OSStatus = -25316

/// The item's data accepts no changes.
public let errSecDataNotModifiable: OSStatus = -25317

/// No complete chain of certificates could be built.
public let errSecCreateChainFailed: OSStatus = -25318

/// The preferences domain does not exist.
public let errSecInvalidPrefsDomain: OSStatus = -25319

/// The screen is off, so the user cannot be asked.
public let errSecInDarkWake: OSStatus = -25320
