// Certificates for mail (S/MIME) and for TLS.

/// The certificate does not carry the expected mail address.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623

/// The extended key usage does not permit S/MIME.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624

/// The key usage does not permit S/MIME.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625

/// For S/MIME the key usage has to be critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626

/// The certificate carries no mail address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627

/// For S/MIME the subject's alternative name has to be critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628

/// The extended key usage does not permit TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
