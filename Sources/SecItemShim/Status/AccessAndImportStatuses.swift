// Access lists, trust settings, and what import and export of keys report.

/// The access control list is not in the simple form.
public let errSecACLNotSimple: OSStatus = -25240

/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241

/// A trust setting has an unacceptable value.
public let errSecInvalidTrustSetting: OSStatus = -25242

/// The item carries no access control.
public let errSecNoAccessForItem: OSStatus = -25243

/// The owner entry may not be changed in this way.
public let errSecInvalidOwnerEdit: OSStatus = -25244

/// Trust has not been evaluated, so there is no result.
public let errSecTrustNotAvailable: OSStatus = -25245

/// Data in this format cannot be imported or exported.
public let errSecUnsupportedFormat: OSStatus = -25256

/// The format of the data was not recognised.
public let errSecUnknownFormat: OSStatus = -25257

/// The key may leave the keychain in encrypted form only.
public let errSecKeyIsSensitive: OSStatus = -25258

/// The data holds more than one private key.
public let errSecMultiplePrivKeys: OSStatus = -25259

/// A passphrase is needed to go on.
public let errSecPassphraseRequired: OSStatus = -25260

/// The password reference refers to nothing usable.
public let errSecInvalidPasswordRef: OSStatus = -25261

/// The stored trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262

/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263

/// The PKCS #12 integrity check failed, often because of a wrong password.
public let errSecPkcs12VerifyFailure: OSStatus = -25264

/// The certificate does not belong to any signer of the message.
public let errSecNotSigner: OSStatus = -26267

/// The data could not be decoded.
public let errSecDecode: OSStatus = -26275
