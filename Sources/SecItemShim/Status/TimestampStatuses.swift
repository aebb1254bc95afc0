// Timestamps of signatures, and the authorities that give them.

/// The signature has no timestamp.
public let errSecTimestampMissing: OSStatus = -67882

/// The timestamp is wrong.
public let errSecTimestampInvalid: OSStatus = -67883

/// The timestamp comes from an untrusted authority.
public let errSecTimestampNotTrusted: OSStatus = -67884

/// The timestamp authority cannot be reached.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885

/// The timestamp authority does not know the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67886

/// The timestamp authority does not accept such a request.
public let errSecTimestampBadRequest: OSStatus = -67887

/// The timestamp authority could not read the data.
public let errSecTimestampBadDataFormat: OSStatus = -67888

/// The timestamp authority has no source of time.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889

/// The timestamp authority does not offer the policy asked for.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890

/// The timestamp authority does not offer the extension asked for.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891

/// The timestamp authority cannot give the additional information.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892

/// The timestamp authority had an internal failure.
public let errSecTimestampSystemFailure: OSStatus = -67893

/// The signature does not say when it was made.
public let errSecSigningTimeMissing: OSStatus = -67894

/// The timestamp request was refused.
public let errSecTimestampRejection: OSStatus = -67895

/// The timestamp request is waiting.
public let errSecTimestampWaiting: OSStatus = -67896

/// The timestamp authority's certificate is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897

/// The timestamp authority's certificate has been revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898
