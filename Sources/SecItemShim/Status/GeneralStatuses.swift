// Success, wrong use, files and memory: the codes that any call may return.

/// The call succeeded.
public let errSecSuccess: OSStatus = 0

/// This operation or algorithm is not available here.
public let errSecUnimplemented: OSStatus = -4

/// There is no room left on the disk.
public let errSecDiskFull: OSStatus = -34

/// There is no room left on the disk.
///
/// An older spelling of ``errSecDiskFull``.
public let errSecDskFull: OSStatus = -34

/// Reading from or writing to storage failed.
public let errSecIO: OSStatus = -36

/// The file is open for writing elsewhere.
public let errSecOpWr: OSStatus = -49

/// An argument, or a value in the query, is not acceptable.
public let errSecParam: OSStatus = -50

/// Writing is not permitted.
public let errSecWrPerm: OSStatus = -61

/// Memory for the result could not be obtained.
public let errSecAllocate: OSStatus = -108

/// The user dismissed the request.
public let errSecUserCanceled: OSStatus = -128

/// The request is malformed.
public let errSecBadReq: OSStatus = -909

/// A part of the keychain service failed.
public let errSecInternalComponent: OSStatus = -2070

/// A Foundation object reported a failure without details.
public let errSecCoreFoundationUnknown: OSStatus = -4960

/// The application is not entitled to this access group or feature.
public let errSecMissingEntitlement: OSStatus = -34018

/// The application may not use this function.
public let errSecRestrictedAPI: OSStatus = -34020
