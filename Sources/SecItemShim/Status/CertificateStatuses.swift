// What evaluating a certificate, or a chain of them, may find.

/// The certificate is for another host.
public let errSecHostNameMismatch: OSStatus = -67602

/// The certificate has a critical extension that is not understood.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603

/// The certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67604

/// The basic constraints do not say whether this is an authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605

/// The authority key identifier does not fit.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606

/// The subject key identifier does not fit.
public let errSecInvalidSubjectKeyID: OSStatus = -67607

/// The policy does not permit this key usage.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608

/// The extended key usage does not fit the purpose.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609

/// The identifiers do not link the certificates of the chain.
public let errSecInvalidIDLinkage: OSStatus = -67610

/// The chain is longer than an authority in it permits.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611

/// The root, or anchor, certificate is unacceptable.
public let errSecInvalidRoot: OSStatus = -67612
