// The certificate service of Apple's former online offering; never returned here.

/// The MobileMe request waits in the queue.
public let errSecMobileMeRequestQueued: OSStatus = -67657

/// The MobileMe request was sent on to another address.
public let errSecMobileMeRequestRedirected: OSStatus = -67658

/// The MobileMe server reported a failure.
public let errSecMobileMeServerError: OSStatus = -67659

/// The MobileMe server cannot be reached.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660

/// The MobileMe server has this entry already.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661

/// The service on the MobileMe server failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67662

/// An earlier MobileMe request is still waiting.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663

/// No MobileMe request is waiting.
public let errSecMobileMeNoRequestPending: OSStatus = -67664

/// MobileMe could not verify the signing request.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665

/// MobileMe found the request inconsistent.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666
