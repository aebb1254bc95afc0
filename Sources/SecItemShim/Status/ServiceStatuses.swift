// The security service, its devices and its databases.

/// The service that this call needs is not running.
public let errSecServiceNotAvailable: OSStatus = -67585

/// The caller could not be identified well enough.
public let errSecInsufficientClientID: OSStatus = -67586

/// The device was reset during the operation.
public let errSecDeviceReset: OSStatus = -67587

/// The device stopped working.
public let errSecDeviceFailed: OSStatus = -67588

/// Adding an application to the access control list failed.
public let errSecAppleAddAppACLSubject: OSStatus = -67589

/// The public key lacks some of its parameters.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590

/// The stored code signature differs from the program's.
public let errSecAppleSignatureMismatch: OSStatus = -67591

/// The key's first valid date is unacceptable.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592

/// The key's last valid date is unacceptable.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593

/// A value could not be converted.
public let errSecConversionError: OSStatus = -67594

/// The handshake was pushed back to SSL version 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595

/// The storage allowance is used up.
public let errSecQuotaExceeded: OSStatus = -67596

/// The file exceeds the permitted size.
public let errSecFileTooBig: OSStatus = -67597

/// The database's key material is damaged.
public let errSecInvalidDatabaseBlob: OSStatus = -67598

/// The stored key is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67599

/// The database's key material is in an incompatible version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600

/// The stored key is in an incompatible version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
