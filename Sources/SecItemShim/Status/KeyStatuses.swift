// Keys, algorithms, and the data that goes through them.

/// The key is for another algorithm.
public let errSecAlgorithmMismatch: OSStatus = -67730

/// The key is not meant for this use.
public let errSecKeyUsageIncorrect: OSStatus = -67731

/// The key's encoded form is of the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732

/// The key's header contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733

/// Keys in this format are not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734

/// Keys of this size are not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735

/// The key usage mask is unacceptable.
public let errSecInvalidKeyUsageMask: OSStatus = -67736

/// The key usage mask is not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737

/// The key attribute mask is unacceptable.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738

/// The key attribute mask is not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739

/// The key's label is unacceptable.
public let errSecInvalidKeyLabel: OSStatus = -67740

/// The key's label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741

/// The key's format is wrong.
public let errSecInvalidKeyFormat: OSStatus = -67742

/// Several buffers at once are not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743

/// The list of input buffers is unacceptable.
public let errSecInvalidInputVector: OSStatus = -67744

/// The list of output buffers is unacceptable.
public let errSecInvalidOutputVector: OSStatus = -67745

/// The context is unacceptable.
public let errSecInvalidContext: OSStatus = -67746

/// The algorithm is unknown or unsuitable.
public let errSecInvalidAlgorithm: OSStatus = -67747
