// The online revocation protocol (OCSP) and what depends on the network.

/// The OCSP response is malformed.
public let errSecOCSPBadResponse: OSStatus = -67630

/// The OCSP request is malformed.
public let errSecOCSPBadRequest: OSStatus = -67631

/// No OCSP service can be reached.
public let errSecOCSPUnavailable: OSStatus = -67632

/// The OCSP responder does not know the certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633

/// The data ended.
public let errSecEndOfData: OSStatus = -67634

/// Not every certificate could be checked for revocation.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635

/// The network could not be used.
public let errSecNetworkFailure: OSStatus = -67636

/// The OCSP response does not lead back to a trusted anchor.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637

/// The record was changed by someone else in the meantime.
public let errSecRecordModified: OSStatus = -67638

/// The signature of the OCSP response is wrong.
public let errSecOCSPSignatureError: OSStatus = -67639

/// The OCSP response names no signer.
public let errSecOCSPNoSigner: OSStatus = -67640

/// The OCSP responder found the request malformed.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641

/// The OCSP responder had an internal failure.
public let errSecOCSPResponderInternalError: OSStatus = -67642

/// The OCSP responder is busy and asks for another try later.
public let errSecOCSPResponderTryLater: OSStatus = -67643

/// The OCSP responder wants signed requests.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644

/// The OCSP responder refused to serve this request.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645

/// The OCSP response does not repeat the nonce of the request.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
