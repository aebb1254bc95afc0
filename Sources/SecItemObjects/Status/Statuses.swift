// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/statuses.tsv: change it there.

// MARK: - Success, wrong use, files and memory: the codes that any call may return.

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

// MARK: - The keychain and its items: the codes that the four item calls return most.

/// No keychain can be reached at the moment.
public let errSecNotAvailable: OSStatus = -25291

/// The keychain or item accepts no changes.
public let errSecReadOnly: OSStatus = -25292

/// The password, fingerprint or other proof was refused.
public let errSecAuthFailed: OSStatus = -25293

/// There is no keychain by that name.
public let errSecNoSuchKeychain: OSStatus = -25294

/// The keychain is damaged or is not a keychain.
public let errSecInvalidKeychain: OSStatus = -25295

/// A keychain by that name exists already.
public let errSecDuplicateKeychain: OSStatus = -25296

/// The callback has been registered before.
public let errSecDuplicateCallback: OSStatus = -25297

/// The callback is not usable.
public let errSecInvalidCallback: OSStatus = -25298

/// An item with the same identifying attributes is stored already.
public let errSecDuplicateItem: OSStatus = -25299

/// No stored item matches the query.
public let errSecItemNotFound: OSStatus = -25300

/// The buffer cannot hold the whole result.
public let errSecBufferTooSmall: OSStatus = -25301

/// The data exceeds what an item can hold.
public let errSecDataTooLarge: OSStatus = -25302

/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303

/// The item reference refers to nothing usable.
public let errSecInvalidItemRef: OSStatus = -25304

/// The search reference refers to nothing usable.
public let errSecInvalidSearchRef: OSStatus = -25305

/// There is no such class of keychain items.
public let errSecNoSuchClass: OSStatus = -25306

/// No default keychain has been chosen.
public let errSecNoDefaultKeychain: OSStatus = -25307

/// The user would have to be asked or to unlock the keychain, and that is not possible now.
public let errSecInteractionNotAllowed: OSStatus = -25308

/// This attribute accepts no changes.
public let errSecReadOnlyAttr: OSStatus = -25309

/// The keychain was written by an incompatible version.
public let errSecWrongSecVersion: OSStatus = -25310

/// Keys of this size are not accepted.
public let errSecKeySizeNotAllowed: OSStatus = -25311

/// No component can store items.
public let errSecNoStorageModule: OSStatus = -25312

/// No component can handle certificates.
public let errSecNoCertificateModule: OSStatus = -25313

/// No component can evaluate policies.
public let errSecNoPolicyModule: OSStatus = -25314

/// The user has to be asked before this can go on.
public let errSecInteractionRequired: OSStatus = -25315

/// The item's data cannot be read at the moment.
public let errSecDataNotAvailable: OSStatus = -25316

/// The item's data accepts no changes.
public let errSecDataNotModifiable: OSStatus = -25317

/// No complete chain of certificates could be built.
public let errSecCreateChainFailed: OSStatus = -25318

/// The preferences domain does not exist.
public let errSecInvalidPrefsDomain: OSStatus = -25319

/// The screen is off, so the user cannot be asked.
public let errSecInDarkWake: OSStatus = -25320

// MARK: - Access lists, trust settings, and what import and export of keys report.

/// The access control list is not in the simple form.
public let errSecACLNotSimple: OSStatus = -25240

/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241

/// A trust setting has an unacceptable value.
public let errSecInvalidTrustSetting: OSStatus = -25242

/// The item carries no access control.
public let errSecNoAccessForItem: OSStatus = -25243

/// The owner entry may not be changed in this way.
public let errSecInvalidOwnerEdit: OSStatus = -25244

/// Trust has not been evaluated, so there is no result.
public let errSecTrustNotAvailable: OSStatus = -25245

/// Data in this format cannot be imported or exported.
public let errSecUnsupportedFormat: OSStatus = -25256

/// The format of the data was not recognised.
public let errSecUnknownFormat: OSStatus = -25257

/// The key may leave the keychain in encrypted form only.
public let errSecKeyIsSensitive: OSStatus = -25258

/// The data holds more than one private key.
public let errSecMultiplePrivKeys: OSStatus = -25259

/// A passphrase is needed to go on.
public let errSecPassphraseRequired: OSStatus = -25260

/// The password reference refers to nothing usable.
public let errSecInvalidPasswordRef: OSStatus = -25261

/// The stored trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262

/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25263

/// The PKCS #12 integrity check failed, often because of a wrong password.
public let errSecPkcs12VerifyFailure: OSStatus = -25264

/// The certificate does not belong to any signer of the message.
public let errSecNotSigner: OSStatus = -26267

/// The data could not be decoded.
public let errSecDecode: OSStatus = -26275

// MARK: - The security service, its devices and its databases.

/// The service that this call needs is not running.
public let errSecServiceNotAvailable: OSStatus = -67585

/// The caller could not be identified well enough.
public let errSecInsufficientClientID: OSStatus = -67586

/// The device was reset during the operation.
public let errSecDeviceReset: OSStatus = -67587

/// The device stopped working.
public let errSecDeviceFailed: OSStatus = -67588

/// Adding an application to the access control list failed.
public let errSecAppleAddAppACLSubject: OSStatus = -67589

/// The public key lacks some of its parameters.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590

/// The stored code signature differs from the program's.
public let errSecAppleSignatureMismatch: OSStatus = -67591

/// The key's first valid date is unacceptable.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592

/// The key's last valid date is unacceptable.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593

/// A value could not be converted.
public let errSecConversionError: OSStatus = -67594

/// The handshake was pushed back to SSL version 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595

/// The storage allowance is used up.
public let errSecQuotaExceeded: OSStatus = -67596

/// The file exceeds the permitted size.
public let errSecFileTooBig: OSStatus = -67597

/// The database's key material is damaged.
public let errSecInvalidDatabaseBlob: OSStatus = -67598

/// The stored key is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67599

/// The database's key material is in an incompatible version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600

/// The stored key is in an incompatible version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601

// MARK: - What evaluating a certificate, or a chain of them, may find.

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

// MARK: - Revocation lists (CRL) and the online protocol (OCSP).

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

// MARK: - Certificates for mail (S/MIME) and for TLS.

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

// MARK: - The online revocation protocol (OCSP) and what depends on the network.

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

// MARK: - Code signing, signed resources, and other findings about a chain.

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

// MARK: - The certificate service of Apple's former online offering; never returned here.

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

// MARK: - Initialisation, modules, handles and queries of the older security architecture.

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

// MARK: - Keys, algorithms, and the data that goes through them.

/// The key is for another algorithm.
public let errSecAlgorithmMismatch: OSStatus = -67730

/// The key is not meant for this use.
public let errSecKeyUsageIncorrect: OSStatus = -67731

/// The key's encoded form is of the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732

/// The key's header contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733

/// Keys in this format are not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734

/// Keys of this size are not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735

/// The key usage mask is unacceptable.
public let errSecInvalidKeyUsageMask: OSStatus = -67736

/// The key usage mask is not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737

/// The key attribute mask is unacceptable.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738

/// The key attribute mask is not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739

/// The key's label is unacceptable.
public let errSecInvalidKeyLabel: OSStatus = -67740

/// The key's label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741

/// The key's format is wrong.
public let errSecInvalidKeyFormat: OSStatus = -67742

/// Several buffers at once are not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743

/// The list of input buffers is unacceptable.
public let errSecInvalidInputVector: OSStatus = -67744

/// The list of output buffers is unacceptable.
public let errSecInvalidOutputVector: OSStatus = -67745

/// The context is unacceptable.
public let errSecInvalidContext: OSStatus = -67746

/// The algorithm is unknown or unsuitable.
public let errSecInvalidAlgorithm: OSStatus = -67747

// MARK: - Attributes of a cryptographic context: one code for a wrong value, one for a missing value.

/// The context's key is unacceptable.
public let errSecInvalidAttributeKey: OSStatus = -67748

/// The context's key is missing.
public let errSecMissingAttributeKey: OSStatus = -67749

/// The context's initialisation vector is unacceptable.
public let errSecInvalidAttributeInitVector: OSStatus = -67750

/// The context's initialisation vector is missing.
public let errSecMissingAttributeInitVector: OSStatus = -67751

/// The context's salt is unacceptable.
public let errSecInvalidAttributeSalt: OSStatus = -67752

/// The context's salt is missing.
public let errSecMissingAttributeSalt: OSStatus = -67753

/// The context's padding is unacceptable.
public let errSecInvalidAttributePadding: OSStatus = -67754

/// The context's padding is missing.
public let errSecMissingAttributePadding: OSStatus = -67755

/// The context's random data is unacceptable.
public let errSecInvalidAttributeRandom: OSStatus = -67756

/// The context's random data is missing.
public let errSecMissingAttributeRandom: OSStatus = -67757

/// The context's seed is unacceptable.
public let errSecInvalidAttributeSeed: OSStatus = -67758

/// The context's seed is missing.
public let errSecMissingAttributeSeed: OSStatus = -67759

/// The context's passphrase is unacceptable.
public let errSecInvalidAttributePassphrase: OSStatus = -67760

/// The context's passphrase is missing.
public let errSecMissingAttributePassphrase: OSStatus = -67761

/// The context's key length is unacceptable.
public let errSecInvalidAttributeKeyLength: OSStatus = -67762

/// The context's key length is missing.
public let errSecMissingAttributeKeyLength: OSStatus = -67763

/// The context's block size is unacceptable.
public let errSecInvalidAttributeBlockSize: OSStatus = -67764

/// The context's block size is missing.
public let errSecMissingAttributeBlockSize: OSStatus = -67765

/// The context's output size is unacceptable.
public let errSecInvalidAttributeOutputSize: OSStatus = -67766

/// The context's output size is missing.
public let errSecMissingAttributeOutputSize: OSStatus = -67767

/// The context's number of rounds is unacceptable.
public let errSecInvalidAttributeRounds: OSStatus = -67768

/// The context's number of rounds is missing.
public let errSecMissingAttributeRounds: OSStatus = -67769

/// The context's algorithm parameters are unacceptable.
public let errSecInvalidAlgorithmParms: OSStatus = -67770

/// The context's algorithm parameters are missing.
public let errSecMissingAlgorithmParms: OSStatus = -67771

/// The context's label is unacceptable.
public let errSecInvalidAttributeLabel: OSStatus = -67772

/// The context's label is missing.
public let errSecMissingAttributeLabel: OSStatus = -67773

/// The context's key type is unacceptable.
public let errSecInvalidAttributeKeyType: OSStatus = -67774

/// The context's key type is missing.
public let errSecMissingAttributeKeyType: OSStatus = -67775

/// The context's mode is unacceptable.
public let errSecInvalidAttributeMode: OSStatus = -67776

/// The context's mode is missing.
public let errSecMissingAttributeMode: OSStatus = -67777

/// The context's number of effective bits is unacceptable.
public let errSecInvalidAttributeEffectiveBits: OSStatus = -67778

/// The context's number of effective bits is missing.
public let errSecMissingAttributeEffectiveBits: OSStatus = -67779

/// The context's start date is unacceptable.
public let errSecInvalidAttributeStartDate: OSStatus = -67780

/// The context's start date is missing.
public let errSecMissingAttributeStartDate: OSStatus = -67781

/// The context's end date is unacceptable.
public let errSecInvalidAttributeEndDate: OSStatus = -67782

/// The context's end date is missing.
public let errSecMissingAttributeEndDate: OSStatus = -67783

/// The context's version is unacceptable.
public let errSecInvalidAttributeVersion: OSStatus = -67784

/// The context's version is missing.
public let errSecMissingAttributeVersion: OSStatus = -67785

/// The context's prime is unacceptable.
public let errSecInvalidAttributePrime: OSStatus = -67786

/// The context's prime is missing.
public let errSecMissingAttributePrime: OSStatus = -67787

/// The context's base is unacceptable.
public let errSecInvalidAttributeBase: OSStatus = -67788

/// The context's base is missing.
public let errSecMissingAttributeBase: OSStatus = -67789

/// The context's subprime is unacceptable.
public let errSecInvalidAttributeSubprime: OSStatus = -67790

/// The context's subprime is missing.
public let errSecMissingAttributeSubprime: OSStatus = -67791

/// The context's iteration count is unacceptable.
public let errSecInvalidAttributeIterationCount: OSStatus = -67792

/// The context's iteration count is missing.
public let errSecMissingAttributeIterationCount: OSStatus = -67793

/// The context's database handle is unacceptable.
public let errSecInvalidAttributeDLDBHandle: OSStatus = -67794

/// The context's database handle is missing.
public let errSecMissingAttributeDLDBHandle: OSStatus = -67795

/// The context's access credentials are unacceptable.
public let errSecInvalidAttributeAccessCredentials: OSStatus = -67796

/// The context's access credentials are missing.
public let errSecMissingAttributeAccessCredentials: OSStatus = -67797

/// The context's public key format is unacceptable.
public let errSecInvalidAttributePublicKeyFormat: OSStatus = -67798

/// The context's public key format is missing.
public let errSecMissingAttributePublicKeyFormat: OSStatus = -67799

/// The context's private key format is unacceptable.
public let errSecInvalidAttributePrivateKeyFormat: OSStatus = -67800

/// The context's private key format is missing.
public let errSecMissingAttributePrivateKeyFormat: OSStatus = -67801

/// The context's symmetric key format is unacceptable.
public let errSecInvalidAttributeSymmetricKeyFormat: OSStatus = -67802

/// The context's symmetric key format is missing.
public let errSecMissingAttributeSymmetricKeyFormat: OSStatus = -67803

/// The context's wrapped key format is unacceptable.
public let errSecInvalidAttributeWrappedKeyFormat: OSStatus = -67804

/// The context's wrapped key format is missing.
public let errSecMissingAttributeWrappedKeyFormat: OSStatus = -67805

// MARK: - Staged operations, devices, logins, and the outcome of certificate requests.

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

// MARK: - Records and indexes of the older database interface.

/// The information about the bundle is malformed.
public let errSecInvalidBundleInfo: OSStatus = -67857

/// The index into the revocation list is out of range.
public let errSecInvalidCRLIndex: OSStatus = -67858

/// The fields hold no values.
public let errSecNoFieldValues: OSStatus = -67859

/// The format of the field is not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67860

/// The index information is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67861

/// The locality is not supported.
public let errSecUnsupportedLocality: OSStatus = -67862

/// So many attributes are not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67863

/// So many indexes are not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67864

/// So many record types are not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865

/// A field is given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866

/// The formats of the fields do not fit together.
public let errSecIncompatibleFieldFormat: OSStatus = -67867

/// The parsing module is unacceptable.
public let errSecInvalidParsingModule: OSStatus = -67868

/// The database is locked.
public let errSecDatabaseLocked: OSStatus = -67869

/// The data store is open.
public let errSecDatastoreIsOpen: OSStatus = -67870

/// A required value was not given.
public let errSecMissingValue: OSStatus = -67871

/// The limits of the query are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67872

/// So many selection conditions are not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873

/// The operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67874

/// The location of the database is unacceptable.
public let errSecInvalidDBLocation: OSStatus = -67875

/// The kind of access asked for is unknown.
public let errSecInvalidAccessRequest: OSStatus = -67876

/// The index information is malformed.
public let errSecInvalidIndexInfo: OSStatus = -67877

/// The new owner is unacceptable.
public let errSecInvalidNewOwner: OSStatus = -67878

/// The mode of change is unknown.
public let errSecInvalidModifyMode: OSStatus = -67879

/// The certificate lacks an extension that the purpose requires.
public let errSecMissingRequiredExtension: OSStatus = -67880

/// The extended key usage has to be critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881

// MARK: - Timestamps of signatures, and the authorities that give them.

/// The signature has no timestamp.
public let errSecTimestampMissing: OSStatus = -67882

/// The timestamp is wrong.
public let errSecTimestampInvalid: OSStatus = -67883

/// The timestamp comes from an untrusted authority.
public let errSecTimestampNotTrusted: OSStatus = -67884

/// The timestamp authority cannot be reached.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885

/// The timestamp authority does not know the algorithm.
public let errSecTimestampBadAlg: OSStatus = -67886

/// The timestamp authority does not accept such a request.
public let errSecTimestampBadRequest: OSStatus = -67887

/// The timestamp authority could not read the data.
public let errSecTimestampBadDataFormat: OSStatus = -67888

/// The timestamp authority has no source of time.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889

/// The timestamp authority does not offer the policy asked for.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890

/// The timestamp authority does not offer the extension asked for.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891

/// The timestamp authority cannot give the additional information.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892

/// The timestamp authority had an internal failure.
public let errSecTimestampSystemFailure: OSStatus = -67893

/// The signature does not say when it was made.
public let errSecSigningTimeMissing: OSStatus = -67894

/// The timestamp request was refused.
public let errSecTimestampRejection: OSStatus = -67895

/// The timestamp request is waiting.
public let errSecTimestampWaiting: OSStatus = -67896

/// The timestamp authority's certificate is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897

/// The timestamp authority's certificate has been revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898

// MARK: - Rules that newer systems hold certificates to.

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
