// Initialisation, modules, handles and queries of the older security architecture.

/// The function was called before initialisation.
public let errSecNotInitialized: OSStatus = -67667

/// The handle does not permit this use.
public let errSecInvalidHandleUsage: OSStatus = -67668

/// What the reference points to was not found.
public let errSecPVCReferentNotFound: OSStatus = -67669

/// The function did not pass its integrity check.
public let errSecFunctionIntegrityFail: OSStatus = -67670

/// An internal failure occurred.
public let errSecInternalError: OSStatus = -67671

/// Memory ran out or is damaged.
public let errSecMemoryError: OSStatus = -67672

/// The data is malformed.
public let errSecInvalidData: OSStatus = -67673

/// The module directory service failed.
public let errSecMDSError: OSStatus = -67674

/// A pointer is not usable.
public let errSecInvalidPointer: OSStatus = -67675

/// The self-test failed.
public let errSecSelfCheckFailed: OSStatus = -67676

/// The function failed without a more precise reason.
public let errSecFunctionFailed: OSStatus = -67677

/// The module's manifest could not be verified.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678

/// The globally unique identifier is malformed.
public let errSecInvalidGUID: OSStatus = -67679

/// The handle is not usable.
public let errSecInvalidHandle: OSStatus = -67680

/// The list of databases is unacceptable.
public let errSecInvalidDBList: OSStatus = -67681

/// The pass-through identifier is unknown.
public let errSecInvalidPassthroughID: OSStatus = -67682

/// The network address is malformed.
public let errSecInvalidNetworkAddress: OSStatus = -67683

/// The revocation list has a signature already.
public let errSecCRLAlreadySigned: OSStatus = -67684

/// The number of fields is wrong.
public let errSecInvalidNumberOfFields: OSStatus = -67685

/// A check of authenticity did not succeed.
public let errSecVerificationFailure: OSStatus = -67686

/// The tag is not understood.
public let errSecUnknownTag: OSStatus = -67687

/// The signature does not fit the data.
public let errSecInvalidSignature: OSStatus = -67688

/// The name is unacceptable.
public let errSecInvalidName: OSStatus = -67689

/// The certificate reference refers to nothing usable.
public let errSecInvalidCertificateRef: OSStatus = -67690

/// The group of certificates is unacceptable.
public let errSecInvalidCertificateGroup: OSStatus = -67691

/// There is no such tag.
public let errSecTagNotFound: OSStatus = -67692

/// The query is malformed.
public let errSecInvalidQuery: OSStatus = -67693

/// A value is unacceptable.
public let errSecInvalidValue: OSStatus = -67694

/// The callback reported a failure.
public let errSecCallbackFailed: OSStatus = -67695

/// Removing from the access control list failed.
public let errSecACLDeleteFailed: OSStatus = -67696

/// Replacing in the access control list failed.
public let errSecACLReplaceFailed: OSStatus = -67697

/// Adding to the access control list failed.
public let errSecACLAddFailed: OSStatus = -67698

/// Changing the access control list failed.
public let errSecACLChangeFailed: OSStatus = -67699

/// The access credentials are unacceptable.
public let errSecInvalidAccessCredentials: OSStatus = -67700

/// The record is malformed.
public let errSecInvalidRecord: OSStatus = -67701

/// The access control list is malformed.
public let errSecInvalidACL: OSStatus = -67702

/// The sample value is unacceptable.
public let errSecInvalidSampleValue: OSStatus = -67703

/// The versions do not fit together.
public let errSecIncompatibleVersion: OSStatus = -67704

/// The privilege was refused.
public let errSecPrivilegeNotGranted: OSStatus = -67705

/// The scope is unacceptable.
public let errSecInvalidScope: OSStatus = -67706

/// The pointer check has been configured before.
public let errSecPVCAlreadyConfigured: OSStatus = -67707

/// The pointer check is unacceptable.
public let errSecInvalidPVC: OSStatus = -67708

/// The elective module manager could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67709

/// The elective module manager could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67710

/// The add-in could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67711

/// The key reference refers to nothing usable.
public let errSecInvalidKeyRef: OSStatus = -67712

/// The key hierarchy is unacceptable.
public let errSecInvalidKeyHierarchy: OSStatus = -67713

/// The add-in could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67714

/// There is no such library reference.
public let errSecLibraryReferenceNotFound: OSStatus = -67715

/// The add-in's table of functions is malformed.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716

/// The service mask is unacceptable.
public let errSecInvalidServiceMask: OSStatus = -67717

/// The module has not been loaded.
public let errSecModuleNotLoaded: OSStatus = -67718

/// The subservice identifier is unknown.
public let errSecInvalidSubServiceID: OSStatus = -67719

/// The context lacks the attribute.
public let errSecAttributeNotInContext: OSStatus = -67720

/// The module manager could not start.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721

/// There is no module manager.
public let errSecModuleManagerNotFound: OSStatus = -67722

/// No callback is registered for the event.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723

/// The input has the wrong length.
public let errSecInputLengthError: OSStatus = -67724

/// The output has the wrong length.
public let errSecOutputLengthError: OSStatus = -67725

/// The privilege is not known here.
public let errSecPrivilegeNotSupported: OSStatus = -67726

/// The device reported a failure.
public let errSecDeviceError: OSStatus = -67727

/// The handle is in use.
public let errSecAttachHandleBusy: OSStatus = -67728

/// A login is needed first.
public let errSecNotLoggedIn: OSStatus = -67729
