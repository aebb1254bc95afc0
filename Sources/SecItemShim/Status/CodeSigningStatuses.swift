// Code signing, signed resources, and other findings about a chain.

/// The code signing chain has the wrong number of certificates.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647

/// The code signing certificate has no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648

/// The path length in the code signing chain is wrong.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649

/// The code signing certificate has no extended key usage.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650

/// The code was signed with a certificate meant for development.
public let errSecCodeSigningDevelopment: OSStatus = -67651

/// The resource signing chain has the wrong number of certificates.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652

/// The extended key usage does not permit signing resources.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653

/// The trust settings forbid this certificate.
public let errSecTrustSettingDeny: OSStatus = -67654

/// The subject's name is missing or malformed.
public let errSecInvalidSubjectName: OSStatus = -67655

/// The certificate has a qualified statement that is not understood.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
