// Revocation lists (CRL) and the online protocol (OCSP).

/// The revocation list is past its last day.
public let errSecCRLExpired: OSStatus = -67613

/// The revocation list's first day lies ahead.
public let errSecCRLNotValidYet: OSStatus = -67614

/// No revocation list was found.
public let errSecCRLNotFound: OSStatus = -67615

/// The server of the revocation list does not answer.
public let errSecCRLServerDown: OSStatus = -67616

/// The address of the revocation list is malformed.
public let errSecCRLBadURI: OSStatus = -67617

/// The certificate has an extension that is not understood.
public let errSecUnknownCertExtension: OSStatus = -67618

/// The revocation list has an extension that is not understood.
public let errSecUnknownCRLExtension: OSStatus = -67619

/// The revocation list comes from an untrusted issuer.
public let errSecCRLNotTrusted: OSStatus = -67620

/// The revocation list does not satisfy the policy.
public let errSecCRLPolicyFailed: OSStatus = -67621

/// The distribution point of the revocation list does not fit.
public let errSecIDPFailure: OSStatus = -67622
