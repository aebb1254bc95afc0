// Attributes of a cryptographic context: one code for a wrong value, one for a missing value.

/// The context's key is unacceptable.
public let errSecInvalidAttributeKey: OSStatus = -67748

/// The context's key is missing.
public let errSecMissingAttributeKey: OSStatus = -67749

/// The context's initialisation vector is unacceptable.
public let errSecInvalidAttributeInitVector: OSStatus = -67750

/// The context's initialisation vector is missing.
public let errSecMissingAttributeInitVector: OSStatus = -67751

/// The context's salt is unacceptable.
public let errSecInvalidAttributeSalt: OSStatus = -67752

/// The context's salt is missing.
public let errSecMissingAttributeSalt: OSStatus = -67753

/// The context's padding is unacceptable.
public let errSecInvalidAttributePadding: OSStatus = -67754

/// The context's padding is missing.
public let errSecMissingAttributePadding: OSStatus = -67755

/// The context's random data is unacceptable.
public let errSecInvalidAttributeRandom: OSStatus = -67756

/// The context's random data is missing.
public let errSecMissingAttributeRandom: OSStatus = -67757

/// The context's seed is unacceptable.
public let errSecInvalidAttributeSeed: OSStatus = -67758

/// The context's seed is missing.
public let errSecMissingAttributeSeed: OSStatus = -67759

/// The context's passphrase is unacceptable.
public let errSecInvalidAttributePassphrase: OSStatus = -67760

/// The context's passphrase is missing.
public let errSecMissingAttributePassphrase: OSStatus = -67761

/// The context's key length is unacceptable.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762

/// The context's key length is missing.
public let errSecMissingAttributeKeyLength: OSStatus = -67763

/// The context's block size is unacceptable.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764

/// The context's block size is missing.
public let errSecMissingAttributeBlockSize: OSStatus = -67765

/// The context's output size is unacceptable.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766

/// The context's output size is missing.
public let errSecMissingAttributeOutputSize: OSStatus = -67767

/// The context's number of rounds is unacceptable.
public let errSecInvalidAttributeRounds: OSStatus = -67768

/// The context's number of rounds is missing.
public let errSecMissingAttributeRounds: OSStatus = -67769

/// The context's algorithm parameters are unacceptable.
public let errSecInvalidAlgorithmParms: OSStatus = -67770

/// The context's algorithm parameters are missing.
public let errSecMissingAlgorithmParms: OSStatus = -67771

/// The context's label is unacceptable.
public let errSecInvalidAttributeLabel: OSStatus = -67772

/// The context's label is missing.
public let errSecMissingAttributeLabel: OSStatus = -67773

/// The context's key type is unacceptable.
public let errSecInvalidAttributeKeyType: OSStatus = -67774

/// The context's key type is missing.
public let errSecMissingAttributeKeyType: OSStatus = -67775

/// The context's mode is unacceptable.
public let errSecInvalidAttributeMode: OSStatus = -67776

/// The context's mode is missing.
public let errSecMissingAttributeMode: OSStatus = -67777

/// The context's number of effective bits is unacceptable.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778

/// The context's number of effective bits is missing.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779

/// The context's start date is unacceptable.
public let errSecInvalidAttributeStartDate: OSStatus = -67780

/// The context's start date is missing.
public let errSecMissingAttributeStartDate: OSStatus = -67781

/// The context's end date is unacceptable.
public let errSecInvalidAttributeEndDate: OSStatus = -67782

/// The context's end date is missing.
public let errSecMissingAttributeEndDate: OSStatus = -67783

/// The context's version is unacceptable.
public let errSecInvalidAttributeVersion: OSStatus = -67784

/// The context's version is missing.
public let errSecMissingAttributeVersion: OSStatus = -67785

/// The context's prime is unacceptable.
public let errSecInvalidAttributePrime: OSStatus = -67786

/// The context's prime is missing.
public let errSecMissingAttributePrime: OSStatus = -67787

/// The context's base is unacceptable.
public let errSecInvalidAttributeBase: OSStatus = -67788

/// The context's base is missing.
public let errSecMissingAttributeBase: OSStatus = -67789

/// The context's subprime is unacceptable.
public let errSecInvalidAttributeSubprime: OSStatus = -67790

/// The context's subprime is missing.
public let errSecMissingAttributeSubprime: OSStatus = -67791

/// The context's iteration count is unacceptable.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792

/// The context's iteration count is missing.
public let errSecMissingAttributeIterationCount: OSStatus = -67793

/// The context's database handle is unacceptable.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794

/// The context's database handle is missing.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795

/// The context's access credentials are unacceptable.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796

/// The context's access credentials are missing.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797

/// The context's public key format is unacceptable.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798

/// The context's public key format is missing.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799

/// The context's private key format is unacceptable.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800

/// The context's private key format is missing.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801

/// The context's symmetric key format is unacceptable.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802

/// The context's symmetric key format is missing.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803

/// The context's wrapped key format is unacceptable.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804

/// The context's wrapped key format is missing.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805
