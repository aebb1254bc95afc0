// Staged operations, devices, logins, and the outcome of certificate requests.

/// A staged operation is under way.
public let errSecStagedOperationInProgress: OSStatus = -67806

/// The staged operation has not been started.
public let errSecStagedOperationNotStarted: OSStatus = -67807

/// The signature or code was found wrong.
public let errSecVerifyFailed: OSStatus = -67808

/// The size of the result cannot be told.
public let errSecQuerySizeUnknown: OSStatus = -67809

/// The block size does not fit the algorithm.
public let errSecBlockSizeMismatch: OSStatus = -67810

/// The public key contradicts itself.
public let errSecPublicKeyInconsistent: OSStatus = -67811

/// The device could not be verified.
public let errSecDeviceVerifyFailed: OSStatus = -67812

/// The login name is unacceptable.
public let errSecInvalidLoginName: OSStatus = -67813

/// There is a login already.
public let errSecAlreadyLoggedIn: OSStatus = -67814

/// The digest algorithm is unknown or unsuitable.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815

/// The group of revocation lists is unacceptable.
public let errSecInvalidCRLGroup: OSStatus = -67816

/// The certificate cannot be used for this operation.
public let errSecCertificateCannotOperate: OSStatus = -67817

/// The certificate is past its last day.
public let errSecCertificateExpired: OSStatus = -67818

/// The certificate's first day lies ahead.
public let errSecCertificateNotValidYet: OSStatus = -67819

/// The certificate has been revoked.
public let errSecCertificateRevoked: OSStatus = -67820

/// The certificate has been suspended.
public let errSecCertificateSuspended: OSStatus = -67821

/// The credentials do not suffice.
public let errSecInsufficientCredentials: OSStatus = -67822

/// The action is unknown or unsuitable.
public let errSecInvalidAction: OSStatus = -67823

/// The authority is unacceptable.
public let errSecInvalidAuthority: OSStatus = -67824

/// The action could not be verified.
public let errSecVerifyActionFailed: OSStatus = -67825

/// The certificate authority is unacceptable.
public let errSecInvalidCertAuthority: OSStatus = -67826

/// The authority of the revocation list is unacceptable.
public let errSecInvalidCRLAuthority: OSStatus = -67827

/// The encoding of the revocation list is wrong.
public let errSecInvalidCRLEncoding: OSStatus = -67828

/// The type of the revocation list is unknown.
public let errSecInvalidCRLType: OSStatus = -67829

/// The revocation list is malformed.
public let errSecInvalidCRL: OSStatus = -67830

/// The type of the form is unknown.
public let errSecInvalidFormType: OSStatus = -67831

/// The ID is unknown.
public let errSecInvalidID: OSStatus = -67832

/// The identifier is malformed.
public let errSecInvalidIdentifier: OSStatus = -67833

/// The index is out of range.
public let errSecInvalidIndex: OSStatus = -67834

/// The policy identifiers are unacceptable.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835

/// The time is not written in the expected form.
public let errSecInvalidTimeString: OSStatus = -67836

/// The reason is unknown.
public let errSecInvalidReason: OSStatus = -67837

/// The inputs of the request are unacceptable.
public let errSecInvalidRequestInputs: OSStatus = -67838

/// The list of response buffers is unacceptable.
public let errSecInvalidResponseVector: OSStatus = -67839

/// The rule for when to stop is unknown.
public let errSecInvalidStopOnPolicy: OSStatus = -67840

/// The tuple is malformed.
public let errSecInvalidTuple: OSStatus = -67841

/// Several values at once are not supported.
public let errSecMultipleValuesUnsupported: OSStatus = -67842

/// The certificate, or its chain, is not trusted.
public let errSecNotTrusted: OSStatus = -67843

/// No default authority has been chosen.
public let errSecNoDefaultAuthority: OSStatus = -67844

/// The form was refused.
public let errSecRejectedForm: OSStatus = -67845

/// The request was lost on the way.
public let errSecRequestLost: OSStatus = -67846

/// The request was refused.
public let errSecRequestRejected: OSStatus = -67847

/// Addresses of this type are not supported.
public let errSecUnsupportedAddressType: OSStatus = -67848

/// The service is not supported.
public let errSecUnsupportedService: OSStatus = -67849

/// The group of tuples is unacceptable.
public let errSecInvalidTupleGroup: OSStatus = -67850

/// The initial access control lists are unacceptable.
public let errSecInvalidBaseACLs: OSStatus = -67851

/// The credentials of the tuple are unacceptable.
public let errSecInvalidTupleCredentials: OSStatus = -67852

/// The encoding is wrong.
public let errSecInvalidEncoding: OSStatus = -67853

/// The period of validity is unacceptable.
public let errSecInvalidValidityPeriod: OSStatus = -67854

/// The requester is unknown or not permitted.
public let errSecInvalidRequestor: OSStatus = -67855

/// The description of the request is unacceptable.
public let errSecRequestDescriptor: OSStatus = -67856
