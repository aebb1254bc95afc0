// Rules that newer systems hold certificates to.

/// An authority in the chain does not permit the certificate's policy.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899

/// An authority in the chain does not permit the certificate's name.
public let errSecCertificateNameNotAllowed: OSStatus = -67900

/// The certificate is valid for longer than permitted.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901

/// An authority's certificate was used where an end entity's belongs.
public let errSecCertificateIsCA: OSStatus = -67902

/// The certificate has the same extension twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67903

/// The certificate lacks a qualified statement that the purpose requires.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904
