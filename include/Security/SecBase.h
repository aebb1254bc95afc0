#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// The types, the statuses, and their sentences.

#pragma once

#include <CoreFoundation/CFBase.h>
#include <CoreFoundation/CFArray.h>
#include <CoreFoundation/CFData.h>
#include <CoreFoundation/CFDate.h>
#include <CoreFoundation/CFDictionary.h>
#include <CoreFoundation/CFError.h>
#include <CoreFoundation/CFNumber.h>
#include <CoreFoundation/CFSet.h>
#include <CoreFoundation/CFString.h>
#include <CoreFoundation/CFURL.h>
#include <CoreFoundation/CFUUID.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__BLOCKS__)
// The rest of Core Foundation, whose headers need blocks.
#include <CoreFoundation/CoreFoundation.h>
#include <dispatch/dispatch.h>
#endif

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

/// The conditions under which an item can be used.
typedef struct __SecAccessControl *SecAccessControlRef;

/// A key.
typedef struct __SecKey *SecKeyRef;

/// A certificate.
typedef struct __SecCertificate *SecCertificateRef;

/// A certificate and its private key.
typedef struct __SecIdentity *SecIdentityRef;

/// An evaluation of trust.
typedef struct __SecTrust *SecTrustRef;

/// What a trust evaluation demands.
typedef struct __SecPolicy *SecPolicyRef;

/// A process.
typedef struct __SecTask *SecTaskRef;

/// The access object of a macOS file keychain. Nothing makes one here.
typedef struct __SecAccess *SecAccessRef;

/// A macOS file keychain. Nothing makes one here.
typedef struct __SecKeychain *SecKeychainRef;

// MARK: - Statuses

CF_ENUM(OSStatus) {
    // Success, wrong use, files and memory: the codes that any call may return.
    /// The call succeeded.
    errSecSuccess = 0,
    /// This operation or algorithm is not available here.
    errSecUnimplemented = -4,
    /// There is no room left on the disk.
    errSecDiskFull = -34,
    /// There is no room left on the disk.
    errSecDskFull = -34,
    /// Reading from or writing to storage failed.
    errSecIO = -36,
    /// The file is open for writing elsewhere.
    errSecOpWr = -49,
    /// An argument, or a value in the query, is not acceptable.
    errSecParam = -50,
    /// Writing is not permitted.
    errSecWrPerm = -61,
    /// Memory for the result could not be obtained.
    errSecAllocate = -108,
    /// The user dismissed the request.
    errSecUserCanceled = -128,
    /// The request is malformed.
    errSecBadReq = -909,
    /// A part of the keychain service failed.
    errSecInternalComponent = -2070,
    /// A Foundation object reported a failure without details.
    errSecCoreFoundationUnknown = -4960,
    /// The application is not entitled to this access group or feature.
    errSecMissingEntitlement = -34018,
    /// The application may not use this function.
    errSecRestrictedAPI = -34020,
    // The keychain and its items: the codes that the four item calls return most.
    /// No keychain can be reached at the moment.
    errSecNotAvailable = -25291,
    /// The keychain or item accepts no changes.
    errSecReadOnly = -25292,
    /// The password, fingerprint or other proof was refused.
    errSecAuthFailed = -25293,
    /// There is no keychain by that name.
    errSecNoSuchKeychain = -25294,
    /// The keychain is damaged or is not a keychain.
    errSecInvalidKeychain = -25295,
    /// A keychain by that name exists already.
    errSecDuplicateKeychain = -25296,
    /// The callback has been registered before.
    errSecDuplicateCallback = -25297,
    /// The callback is not usable.
    errSecInvalidCallback = -25298,
    /// An item with the same identifying attributes is stored already.
    errSecDuplicateItem = -25299,
    /// No stored item matches the query.
    errSecItemNotFound = -25300,
    /// The buffer cannot hold the whole result.
    errSecBufferTooSmall = -25301,
    /// The data exceeds what an item can hold.
    errSecDataTooLarge = -25302,
    /// Items of this class have no such attribute.
    errSecNoSuchAttr = -25303,
    /// The item reference refers to nothing usable.
    errSecInvalidItemRef = -25304,
    /// The search reference refers to nothing usable.
    errSecInvalidSearchRef = -25305,
    /// There is no such class of keychain items.
    errSecNoSuchClass = -25306,
    /// No default keychain has been chosen.
    errSecNoDefaultKeychain = -25307,
    /// The user would have to be asked or to unlock the keychain, and that is not possible now.
    errSecInteractionNotAllowed = -25308,
    /// This attribute accepts no changes.
    errSecReadOnlyAttr = -25309,
    /// The keychain was written by an incompatible version.
    errSecWrongSecVersion = -25310,
    /// Keys of this size are not accepted.
    errSecKeySizeNotAllowed = -25311,
    /// No component can store items.
    errSecNoStorageModule = -25312,
    /// No component can handle certificates.
    errSecNoCertificateModule = -25313,
    /// No component can evaluate policies.
    errSecNoPolicyModule = -25314,
    /// The user has to be asked before this can go on.
    errSecInteractionRequired = -25315,
    /// The item's data cannot be read at the moment.
    errSecDataNotAvailable = -25316,
    /// The item's data accepts no changes.
    errSecDataNotModifiable = -25317,
    /// No complete chain of certificates could be built.
    errSecCreateChainFailed = -25318,
    /// The preferences domain does not exist.
    errSecInvalidPrefsDomain = -25319,
    /// The screen is off, so the user cannot be asked.
    errSecInDarkWake = -25320,
    // Access lists, trust settings, and what import and export of keys report.
    /// The access control list is not in the simple form.
    errSecACLNotSimple = -25240,
    /// There is no such policy.
    errSecPolicyNotFound = -25241,
    /// A trust setting has an unacceptable value.
    errSecInvalidTrustSetting = -25242,
    /// The item carries no access control.
    errSecNoAccessForItem = -25243,
    /// The owner entry may not be changed in this way.
    errSecInvalidOwnerEdit = -25244,
    /// Trust has not been evaluated, so there is no result.
    errSecTrustNotAvailable = -25245,
    /// Data in this format cannot be imported or exported.
    errSecUnsupportedFormat = -25256,
    /// The format of the data was not recognised.
    errSecUnknownFormat = -25257,
    /// The key may leave the keychain in encrypted form only.
    errSecKeyIsSensitive = -25258,
    /// The data holds more than one private key.
    errSecMultiplePrivKeys = -25259,
    /// A passphrase is needed to go on.
    errSecPassphraseRequired = -25260,
    /// The password reference refers to nothing usable.
    errSecInvalidPasswordRef = -25261,
    /// The stored trust settings are damaged.
    errSecInvalidTrustSettings = -25262,
    /// There are no trust settings.
    errSecNoTrustSettings = -25263,
    /// The PKCS #12 integrity check failed, often because of a wrong password.
    errSecPkcs12VerifyFailure = -25264,
    /// The certificate does not belong to any signer of the message.
    errSecNotSigner = -26267,
    /// The data could not be decoded.
    errSecDecode = -26275,
    // The security service, its devices and its databases.
    /// The service that this call needs is not running.
    errSecServiceNotAvailable = -67585,
    /// The caller could not be identified well enough.
    errSecInsufficientClientID = -67586,
    /// The device was reset during the operation.
    errSecDeviceReset = -67587,
    /// The device stopped working.
    errSecDeviceFailed = -67588,
    /// Adding an application to the access control list failed.
    errSecAppleAddAppACLSubject = -67589,
    /// The public key lacks some of its parameters.
    errSecApplePublicKeyIncomplete = -67590,
    /// The stored code signature differs from the program's.
    errSecAppleSignatureMismatch = -67591,
    /// The key's first valid date is unacceptable.
    errSecAppleInvalidKeyStartDate = -67592,
    /// The key's last valid date is unacceptable.
    errSecAppleInvalidKeyEndDate = -67593,
    /// A value could not be converted.
    errSecConversionError = -67594,
    /// The handshake was pushed back to SSL version 2.
    errSecAppleSSLv2Rollback = -67595,
    /// The storage allowance is used up.
    errSecQuotaExceeded = -67596,
    /// The file exceeds the permitted size.
    errSecFileTooBig = -67597,
    /// The database's key material is damaged.
    errSecInvalidDatabaseBlob = -67598,
    /// The stored key is damaged.
    errSecInvalidKeyBlob = -67599,
    /// The database's key material is in an incompatible version.
    errSecIncompatibleDatabaseBlob = -67600,
    /// The stored key is in an incompatible version.
    errSecIncompatibleKeyBlob = -67601,
    // What evaluating a certificate, or a chain of them, may find.
    /// The certificate is for another host.
    errSecHostNameMismatch = -67602,
    /// The certificate has a critical extension that is not understood.
    errSecUnknownCriticalExtensionFlag = -67603,
    /// The certificate has no basic constraints.
    errSecNoBasicConstraints = -67604,
    /// The basic constraints do not say whether this is an authority.
    errSecNoBasicConstraintsCA = -67605,
    /// The authority key identifier does not fit.
    errSecInvalidAuthorityKeyID = -67606,
    /// The subject key identifier does not fit.
    errSecInvalidSubjectKeyID = -67607,
    /// The policy does not permit this key usage.
    errSecInvalidKeyUsageForPolicy = -67608,
    /// The extended key usage does not fit the purpose.
    errSecInvalidExtendedKeyUsage = -67609,
    /// The identifiers do not link the certificates of the chain.
    errSecInvalidIDLinkage = -67610,
    /// The chain is longer than an authority in it permits.
    errSecPathLengthConstraintExceeded = -67611,
    /// The root, or anchor, certificate is unacceptable.
    errSecInvalidRoot = -67612,
    // Revocation lists (CRL) and the online protocol (OCSP).
    /// The revocation list is past its last day.
    errSecCRLExpired = -67613,
    /// The revocation list's first day lies ahead.
    errSecCRLNotValidYet = -67614,
    /// No revocation list was found.
    errSecCRLNotFound = -67615,
    /// The server of the revocation list does not answer.
    errSecCRLServerDown = -67616,
    /// The address of the revocation list is malformed.
    errSecCRLBadURI = -67617,
    /// The certificate has an extension that is not understood.
    errSecUnknownCertExtension = -67618,
    /// The revocation list has an extension that is not understood.
    errSecUnknownCRLExtension = -67619,
    /// The revocation list comes from an untrusted issuer.
    errSecCRLNotTrusted = -67620,
    /// The revocation list does not satisfy the policy.
    errSecCRLPolicyFailed = -67621,
    /// The distribution point of the revocation list does not fit.
    errSecIDPFailure = -67622,
    // Certificates for mail (S/MIME) and for TLS.
    /// The certificate does not carry the expected mail address.
    errSecSMIMEEmailAddressesNotFound = -67623,
    /// The extended key usage does not permit S/MIME.
    errSecSMIMEBadExtendedKeyUsage = -67624,
    /// The key usage does not permit S/MIME.
    errSecSMIMEBadKeyUsage = -67625,
    /// For S/MIME the key usage has to be critical.
    errSecSMIMEKeyUsageNotCritical = -67626,
    /// The certificate carries no mail address.
    errSecSMIMENoEmailAddress = -67627,
    /// For S/MIME the subject's alternative name has to be critical.
    errSecSMIMESubjAltNameNotCritical = -67628,
    /// The extended key usage does not permit TLS.
    errSecSSLBadExtendedKeyUsage = -67629,
    // The online revocation protocol (OCSP) and what depends on the network.
    /// The OCSP response is malformed.
    errSecOCSPBadResponse = -67630,
    /// The OCSP request is malformed.
    errSecOCSPBadRequest = -67631,
    /// No OCSP service can be reached.
    errSecOCSPUnavailable = -67632,
    /// The OCSP responder does not know the certificate.
    errSecOCSPStatusUnrecognized = -67633,
    /// The data ended.
    errSecEndOfData = -67634,
    /// Not every certificate could be checked for revocation.
    errSecIncompleteCertRevocationCheck = -67635,
    /// The network could not be used.
    errSecNetworkFailure = -67636,
    /// The OCSP response does not lead back to a trusted anchor.
    errSecOCSPNotTrustedToAnchor = -67637,
    /// The record was changed by someone else in the meantime.
    errSecRecordModified = -67638,
    /// The signature of the OCSP response is wrong.
    errSecOCSPSignatureError = -67639,
    /// The OCSP response names no signer.
    errSecOCSPNoSigner = -67640,
    /// The OCSP responder found the request malformed.
    errSecOCSPResponderMalformedReq = -67641,
    /// The OCSP responder had an internal failure.
    errSecOCSPResponderInternalError = -67642,
    /// The OCSP responder is busy and asks for another try later.
    errSecOCSPResponderTryLater = -67643,
    /// The OCSP responder wants signed requests.
    errSecOCSPResponderSignatureRequired = -67644,
    /// The OCSP responder refused to serve this request.
    errSecOCSPResponderUnauthorized = -67645,
    /// The OCSP response does not repeat the nonce of the request.
    errSecOCSPResponseNonceMismatch = -67646,
    // Code signing, signed resources, and other findings about a chain.
    /// The code signing chain has the wrong number of certificates.
    errSecCodeSigningBadCertChainLength = -67647,
    /// The code signing certificate has no basic constraints.
    errSecCodeSigningNoBasicConstraints = -67648,
    /// The path length in the code signing chain is wrong.
    errSecCodeSigningBadPathLengthConstraint = -67649,
    /// The code signing certificate has no extended key usage.
    errSecCodeSigningNoExtendedKeyUsage = -67650,
    /// The code was signed with a certificate meant for development.
    errSecCodeSigningDevelopment = -67651,
    /// The resource signing chain has the wrong number of certificates.
    errSecResourceSignBadCertChainLength = -67652,
    /// The extended key usage does not permit signing resources.
    errSecResourceSignBadExtKeyUsage = -67653,
    /// The trust settings forbid this certificate.
    errSecTrustSettingDeny = -67654,
    /// The subject's name is missing or malformed.
    errSecInvalidSubjectName = -67655,
    /// The certificate has a qualified statement that is not understood.
    errSecUnknownQualifiedCertStatement = -67656,
    // The certificate service of Apple's former online offering; never returned here.
    /// The MobileMe request waits in the queue.
    errSecMobileMeRequestQueued = -67657,
    /// The MobileMe request was sent on to another address.
    errSecMobileMeRequestRedirected = -67658,
    /// The MobileMe server reported a failure.
    errSecMobileMeServerError = -67659,
    /// The MobileMe server cannot be reached.
    errSecMobileMeServerNotAvailable = -67660,
    /// The MobileMe server has this entry already.
    errSecMobileMeServerAlreadyExists = -67661,
    /// The service on the MobileMe server failed.
    errSecMobileMeServerServiceErr = -67662,
    /// An earlier MobileMe request is still waiting.
    errSecMobileMeRequestAlreadyPending = -67663,
    /// No MobileMe request is waiting.
    errSecMobileMeNoRequestPending = -67664,
    /// MobileMe could not verify the signing request.
    errSecMobileMeCSRVerifyFailure = -67665,
    /// MobileMe found the request inconsistent.
    errSecMobileMeFailedConsistencyCheck = -67666,
    // Initialisation, modules, handles and queries of the older security architecture.
    /// The function was called before initialisation.
    errSecNotInitialized = -67667,
    /// The handle does not permit this use.
    errSecInvalidHandleUsage = -67668,
    /// What the reference points to was not found.
    errSecPVCReferentNotFound = -67669,
    /// The function did not pass its integrity check.
    errSecFunctionIntegrityFail = -67670,
    /// An internal failure occurred.
    errSecInternalError = -67671,
    /// Memory ran out or is damaged.
    errSecMemoryError = -67672,
    /// The data is malformed.
    errSecInvalidData = -67673,
    /// The module directory service failed.
    errSecMDSError = -67674,
    /// A pointer is not usable.
    errSecInvalidPointer = -67675,
    /// The self-test failed.
    errSecSelfCheckFailed = -67676,
    /// The function failed without a more precise reason.
    errSecFunctionFailed = -67677,
    /// The module's manifest could not be verified.
    errSecModuleManifestVerifyFailed = -67678,
    /// The globally unique identifier is malformed.
    errSecInvalidGUID = -67679,
    /// The handle is not usable.
    errSecInvalidHandle = -67680,
    /// The list of databases is unacceptable.
    errSecInvalidDBList = -67681,
    /// The pass-through identifier is unknown.
    errSecInvalidPassthroughID = -67682,
    /// The network address is malformed.
    errSecInvalidNetworkAddress = -67683,
    /// The revocation list has a signature already.
    errSecCRLAlreadySigned = -67684,
    /// The number of fields is wrong.
    errSecInvalidNumberOfFields = -67685,
    /// A check of authenticity did not succeed.
    errSecVerificationFailure = -67686,
    /// The tag is not understood.
    errSecUnknownTag = -67687,
    /// The signature does not fit the data.
    errSecInvalidSignature = -67688,
    /// The name is unacceptable.
    errSecInvalidName = -67689,
    /// The certificate reference refers to nothing usable.
    errSecInvalidCertificateRef = -67690,
    /// The group of certificates is unacceptable.
    errSecInvalidCertificateGroup = -67691,
    /// There is no such tag.
    errSecTagNotFound = -67692,
    /// The query is malformed.
    errSecInvalidQuery = -67693,
    /// A value is unacceptable.
    errSecInvalidValue = -67694,
    /// The callback reported a failure.
    errSecCallbackFailed = -67695,
    /// Removing from the access control list failed.
    errSecACLDeleteFailed = -67696,
    /// Replacing in the access control list failed.
    errSecACLReplaceFailed = -67697,
    /// Adding to the access control list failed.
    errSecACLAddFailed = -67698,
    /// Changing the access control list failed.
    errSecACLChangeFailed = -67699,
    /// The access credentials are unacceptable.
    errSecInvalidAccessCredentials = -67700,
    /// The record is malformed.
    errSecInvalidRecord = -67701,
    /// The access control list is malformed.
    errSecInvalidACL = -67702,
    /// The sample value is unacceptable.
    errSecInvalidSampleValue = -67703,
    /// The versions do not fit together.
    errSecIncompatibleVersion = -67704,
    /// The privilege was refused.
    errSecPrivilegeNotGranted = -67705,
    /// The scope is unacceptable.
    errSecInvalidScope = -67706,
    /// The pointer check has been configured before.
    errSecPVCAlreadyConfigured = -67707,
    /// The pointer check is unacceptable.
    errSecInvalidPVC = -67708,
    /// The elective module manager could not be loaded.
    errSecEMMLoadFailed = -67709,
    /// The elective module manager could not be unloaded.
    errSecEMMUnloadFailed = -67710,
    /// The add-in could not be loaded.
    errSecAddinLoadFailed = -67711,
    /// The key reference refers to nothing usable.
    errSecInvalidKeyRef = -67712,
    /// The key hierarchy is unacceptable.
    errSecInvalidKeyHierarchy = -67713,
    /// The add-in could not be unloaded.
    errSecAddinUnloadFailed = -67714,
    /// There is no such library reference.
    errSecLibraryReferenceNotFound = -67715,
    /// The add-in's table of functions is malformed.
    errSecInvalidAddinFunctionTable = -67716,
    /// The service mask is unacceptable.
    errSecInvalidServiceMask = -67717,
    /// The module has not been loaded.
    errSecModuleNotLoaded = -67718,
    /// The subservice identifier is unknown.
    errSecInvalidSubServiceID = -67719,
    /// The context lacks the attribute.
    errSecAttributeNotInContext = -67720,
    /// The module manager could not start.
    errSecModuleManagerInitializeFailed = -67721,
    /// There is no module manager.
    errSecModuleManagerNotFound = -67722,
    /// No callback is registered for the event.
    errSecEventNotificationCallbackNotFound = -67723,
    /// The input has the wrong length.
    errSecInputLengthError = -67724,
    /// The output has the wrong length.
    errSecOutputLengthError = -67725,
    /// The privilege is not known here.
    errSecPrivilegeNotSupported = -67726,
    /// The device reported a failure.
    errSecDeviceError = -67727,
    /// The handle is in use.
    errSecAttachHandleBusy = -67728,
    /// A login is needed first.
    errSecNotLoggedIn = -67729,
    // Keys, algorithms, and the data that goes through them.
    /// The key is for another algorithm.
    errSecAlgorithmMismatch = -67730,
    /// The key is not meant for this use.
    errSecKeyUsageIncorrect = -67731,
    /// The key's encoded form is of the wrong type.
    errSecKeyBlobTypeIncorrect = -67732,
    /// The key's header contradicts itself.
    errSecKeyHeaderInconsistent = -67733,
    /// Keys in this format are not supported.
    errSecUnsupportedKeyFormat = -67734,
    /// Keys of this size are not supported.
    errSecUnsupportedKeySize = -67735,
    /// The key usage mask is unacceptable.
    errSecInvalidKeyUsageMask = -67736,
    /// The key usage mask is not supported.
    errSecUnsupportedKeyUsageMask = -67737,
    /// The key attribute mask is unacceptable.
    errSecInvalidKeyAttributeMask = -67738,
    /// The key attribute mask is not supported.
    errSecUnsupportedKeyAttributeMask = -67739,
    /// The key's label is unacceptable.
    errSecInvalidKeyLabel = -67740,
    /// The key's label is not supported.
    errSecUnsupportedKeyLabel = -67741,
    /// The key's format is wrong.
    errSecInvalidKeyFormat = -67742,
    /// Several buffers at once are not supported.
    errSecUnsupportedVectorOfBuffers = -67743,
    /// The list of input buffers is unacceptable.
    errSecInvalidInputVector = -67744,
    /// The list of output buffers is unacceptable.
    errSecInvalidOutputVector = -67745,
    /// The context is unacceptable.
    errSecInvalidContext = -67746,
    /// The algorithm is unknown or unsuitable.
    errSecInvalidAlgorithm = -67747,
    // Attributes of a cryptographic context: one code for a wrong value, one for a missing value.
    /// The context's key is unacceptable.
    errSecInvalidAttributeKey = -67748,
    /// The context's key is missing.
    errSecMissingAttributeKey = -67749,
    /// The context's initialisation vector is unacceptable.
    errSecInvalidAttributeInitVector = -67750,
    /// The context's initialisation vector is missing.
    errSecMissingAttributeInitVector = -67751,
    /// The context's salt is unacceptable.
    errSecInvalidAttributeSalt = -67752,
    /// The context's salt is missing.
    errSecMissingAttributeSalt = -67753,
    /// The context's padding is unacceptable.
    errSecInvalidAttributePadding = -67754,
    /// The context's padding is missing.
    errSecMissingAttributePadding = -67755,
    /// The context's random data is unacceptable.
    errSecInvalidAttributeRandom = -67756,
    /// The context's random data is missing.
    errSecMissingAttributeRandom = -67757,
    /// The context's seed is unacceptable.
    errSecInvalidAttributeSeed = -67758,
    /// The context's seed is missing.
    errSecMissingAttributeSeed = -67759,
    /// The context's passphrase is unacceptable.
    errSecInvalidAttributePassphrase = -67760,
    /// The context's passphrase is missing.
    errSecMissingAttributePassphrase = -67761,
    /// The context's key length is unacceptable.
    errSecInvalidAttributeKeyLength = -67762,
    /// The context's key length is missing.
    errSecMissingAttributeKeyLength = -67763,
    /// The context's block size is unacceptable.
    errSecInvalidAttributeBlockSize = -67764,
    /// The context's block size is missing.
    errSecMissingAttributeBlockSize = -67765,
    /// The context's output size is unacceptable.
    errSecInvalidAttributeOutputSize = -67766,
    /// The context's output size is missing.
    errSecMissingAttributeOutputSize = -67767,
    /// The context's number of rounds is unacceptable.
    errSecInvalidAttributeRounds = -67768,
    /// The context's number of rounds is missing.
    errSecMissingAttributeRounds = -67769,
    /// The context's algorithm parameters are unacceptable.
    errSecInvalidAlgorithmParms = -67770,
    /// The context's algorithm parameters are missing.
    errSecMissingAlgorithmParms = -67771,
    /// The context's label is unacceptable.
    errSecInvalidAttributeLabel = -67772,
    /// The context's label is missing.
    errSecMissingAttributeLabel = -67773,
    /// The context's key type is unacceptable.
    errSecInvalidAttributeKeyType = -67774,
    /// The context's key type is missing.
    errSecMissingAttributeKeyType = -67775,
    /// The context's mode is unacceptable.
    errSecInvalidAttributeMode = -67776,
    /// The context's mode is missing.
    errSecMissingAttributeMode = -67777,
    /// The context's number of effective bits is unacceptable.
    errSecInvalidAttributeEffectiveBits = -67778,
    /// The context's number of effective bits is missing.
    errSecMissingAttributeEffectiveBits = -67779,
    /// The context's start date is unacceptable.
    errSecInvalidAttributeStartDate = -67780,
    /// The context's start date is missing.
    errSecMissingAttributeStartDate = -67781,
    /// The context's end date is unacceptable.
    errSecInvalidAttributeEndDate = -67782,
    /// The context's end date is missing.
    errSecMissingAttributeEndDate = -67783,
    /// The context's version is unacceptable.
    errSecInvalidAttributeVersion = -67784,
    /// The context's version is missing.
    errSecMissingAttributeVersion = -67785,
    /// The context's prime is unacceptable.
    errSecInvalidAttributePrime = -67786,
    /// The context's prime is missing.
    errSecMissingAttributePrime = -67787,
    /// The context's base is unacceptable.
    errSecInvalidAttributeBase = -67788,
    /// The context's base is missing.
    errSecMissingAttributeBase = -67789,
    /// The context's subprime is unacceptable.
    errSecInvalidAttributeSubprime = -67790,
    /// The context's subprime is missing.
    errSecMissingAttributeSubprime = -67791,
    /// The context's iteration count is unacceptable.
    errSecInvalidAttributeIterationCount = -67792,
    /// The context's iteration count is missing.
    errSecMissingAttributeIterationCount = -67793,
    /// The context's database handle is unacceptable.
    errSecInvalidAttributeDLDBHandle = -67794,
    /// The context's database handle is missing.
    errSecMissingAttributeDLDBHandle = -67795,
    /// The context's access credentials are unacceptable.
    errSecInvalidAttributeAccessCredentials = -67796,
    /// The context's access credentials are missing.
    errSecMissingAttributeAccessCredentials = -67797,
    /// The context's public key format is unacceptable.
    errSecInvalidAttributePublicKeyFormat = -67798,
    /// The context's public key format is missing.
    errSecMissingAttributePublicKeyFormat = -67799,
    /// The context's private key format is unacceptable.
    errSecInvalidAttributePrivateKeyFormat = -67800,
    /// The context's private key format is missing.
    errSecMissingAttributePrivateKeyFormat = -67801,
    /// The context's symmetric key format is unacceptable.
    errSecInvalidAttributeSymmetricKeyFormat = -67802,
    /// The context's symmetric key format is missing.
    errSecMissingAttributeSymmetricKeyFormat = -67803,
    /// The context's wrapped key format is unacceptable.
    errSecInvalidAttributeWrappedKeyFormat = -67804,
    /// The context's wrapped key format is missing.
    errSecMissingAttributeWrappedKeyFormat = -67805,
    // Staged operations, devices, logins, and the outcome of certificate requests.
    /// A staged operation is under way.
    errSecStagedOperationInProgress = -67806,
    /// The staged operation has not been started.
    errSecStagedOperationNotStarted = -67807,
    /// The signature or code was found wrong.
    errSecVerifyFailed = -67808,
    /// The size of the result cannot be told.
    errSecQuerySizeUnknown = -67809,
    /// The block size does not fit the algorithm.
    errSecBlockSizeMismatch = -67810,
    /// The public key contradicts itself.
    errSecPublicKeyInconsistent = -67811,
    /// The device could not be verified.
    errSecDeviceVerifyFailed = -67812,
    /// The login name is unacceptable.
    errSecInvalidLoginName = -67813,
    /// There is a login already.
    errSecAlreadyLoggedIn = -67814,
    /// The digest algorithm is unknown or unsuitable.
    errSecInvalidDigestAlgorithm = -67815,
    /// The group of revocation lists is unacceptable.
    errSecInvalidCRLGroup = -67816,
    /// The certificate cannot be used for this operation.
    errSecCertificateCannotOperate = -67817,
    /// The certificate is past its last day.
    errSecCertificateExpired = -67818,
    /// The certificate's first day lies ahead.
    errSecCertificateNotValidYet = -67819,
    /// The certificate has been revoked.
    errSecCertificateRevoked = -67820,
    /// The certificate has been suspended.
    errSecCertificateSuspended = -67821,
    /// The credentials do not suffice.
    errSecInsufficientCredentials = -67822,
    /// The action is unknown or unsuitable.
    errSecInvalidAction = -67823,
    /// The authority is unacceptable.
    errSecInvalidAuthority = -67824,
    /// The action could not be verified.
    errSecVerifyActionFailed = -67825,
    /// The certificate authority is unacceptable.
    errSecInvalidCertAuthority = -67826,
    /// The authority of the revocation list is unacceptable.
    errSecInvalidCRLAuthority = -67827,
    /// The encoding of the revocation list is wrong.
    errSecInvalidCRLEncoding = -67828,
    /// The type of the revocation list is unknown.
    errSecInvalidCRLType = -67829,
    /// The revocation list is malformed.
    errSecInvalidCRL = -67830,
    /// The type of the form is unknown.
    errSecInvalidFormType = -67831,
    /// The ID is unknown.
    errSecInvalidID = -67832,
    /// The identifier is malformed.
    errSecInvalidIdentifier = -67833,
    /// The index is out of range.
    errSecInvalidIndex = -67834,
    /// The policy identifiers are unacceptable.
    errSecInvalidPolicyIdentifiers = -67835,
    /// The time is not written in the expected form.
    errSecInvalidTimeString = -67836,
    /// The reason is unknown.
    errSecInvalidReason = -67837,
    /// The inputs of the request are unacceptable.
    errSecInvalidRequestInputs = -67838,
    /// The list of response buffers is unacceptable.
    errSecInvalidResponseVector = -67839,
    /// The rule for when to stop is unknown.
    errSecInvalidStopOnPolicy = -67840,
    /// The tuple is malformed.
    errSecInvalidTuple = -67841,
    /// Several values at once are not supported.
    errSecMultipleValuesUnsupported = -67842,
    /// The certificate, or its chain, is not trusted.
    errSecNotTrusted = -67843,
    /// No default authority has been chosen.
    errSecNoDefaultAuthority = -67844,
    /// The form was refused.
    errSecRejectedForm = -67845,
    /// The request was lost on the way.
    errSecRequestLost = -67846,
    /// The request was refused.
    errSecRequestRejected = -67847,
    /// Addresses of this type are not supported.
    errSecUnsupportedAddressType = -67848,
    /// The service is not supported.
    errSecUnsupportedService = -67849,
    /// The group of tuples is unacceptable.
    errSecInvalidTupleGroup = -67850,
    /// The initial access control lists are unacceptable.
    errSecInvalidBaseACLs = -67851,
    /// The credentials of the tuple are unacceptable.
    errSecInvalidTupleCredentials = -67852,
    /// The encoding is wrong.
    errSecInvalidEncoding = -67853,
    /// The period of validity is unacceptable.
    errSecInvalidValidityPeriod = -67854,
    /// The requester is unknown or not permitted.
    errSecInvalidRequestor = -67855,
    /// The description of the request is unacceptable.
    errSecRequestDescriptor = -67856,
    // Records and indexes of the older database interface.
    /// The information about the bundle is malformed.
    errSecInvalidBundleInfo = -67857,
    /// The index into the revocation list is out of range.
    errSecInvalidCRLIndex = -67858,
    /// The fields hold no values.
    errSecNoFieldValues = -67859,
    /// The format of the field is not supported.
    errSecUnsupportedFieldFormat = -67860,
    /// The index information is not supported.
    errSecUnsupportedIndexInfo = -67861,
    /// The locality is not supported.
    errSecUnsupportedLocality = -67862,
    /// So many attributes are not supported.
    errSecUnsupportedNumAttributes = -67863,
    /// So many indexes are not supported.
    errSecUnsupportedNumIndexes = -67864,
    /// So many record types are not supported.
    errSecUnsupportedNumRecordTypes = -67865,
    /// A field is given more than once.
    errSecFieldSpecifiedMultiple = -67866,
    /// The formats of the fields do not fit together.
    errSecIncompatibleFieldFormat = -67867,
    /// The parsing module is unacceptable.
    errSecInvalidParsingModule = -67868,
    /// The database is locked.
    errSecDatabaseLocked = -67869,
    /// The data store is open.
    errSecDatastoreIsOpen = -67870,
    /// A required value was not given.
    errSecMissingValue = -67871,
    /// The limits of the query are not supported.
    errSecUnsupportedQueryLimits = -67872,
    /// So many selection conditions are not supported.
    errSecUnsupportedNumSelectionPreds = -67873,
    /// The operator is not supported.
    errSecUnsupportedOperator = -67874,
    /// The location of the database is unacceptable.
    errSecInvalidDBLocation = -67875,
    /// The kind of access asked for is unknown.
    errSecInvalidAccessRequest = -67876,
    /// The index information is malformed.
    errSecInvalidIndexInfo = -67877,
    /// The new owner is unacceptable.
    errSecInvalidNewOwner = -67878,
    /// The mode of change is unknown.
    errSecInvalidModifyMode = -67879,
    /// The certificate lacks an extension that the purpose requires.
    errSecMissingRequiredExtension = -67880,
    /// The extended key usage has to be critical.
    errSecExtendedKeyUsageNotCritical = -67881,
    // Timestamps of signatures, and the authorities that give them.
    /// The signature has no timestamp.
    errSecTimestampMissing = -67882,
    /// The timestamp is wrong.
    errSecTimestampInvalid = -67883,
    /// The timestamp comes from an untrusted authority.
    errSecTimestampNotTrusted = -67884,
    /// The timestamp authority cannot be reached.
    errSecTimestampServiceNotAvailable = -67885,
    /// The timestamp authority does not know the algorithm.
    errSecTimestampBadAlg = -67886,
    /// The timestamp authority does not accept such a request.
    errSecTimestampBadRequest = -67887,
    /// The timestamp authority could not read the data.
    errSecTimestampBadDataFormat = -67888,
    /// The timestamp authority has no source of time.
    errSecTimestampTimeNotAvailable = -67889,
    /// The timestamp authority does not offer the policy asked for.
    errSecTimestampUnacceptedPolicy = -67890,
    /// The timestamp authority does not offer the extension asked for.
    errSecTimestampUnacceptedExtension = -67891,
    /// The timestamp authority cannot give the additional information.
    errSecTimestampAddInfoNotAvailable = -67892,
    /// The timestamp authority had an internal failure.
    errSecTimestampSystemFailure = -67893,
    /// The signature does not say when it was made.
    errSecSigningTimeMissing = -67894,
    /// The timestamp request was refused.
    errSecTimestampRejection = -67895,
    /// The timestamp request is waiting.
    errSecTimestampWaiting = -67896,
    /// The timestamp authority's certificate is about to be revoked.
    errSecTimestampRevocationWarning = -67897,
    /// The timestamp authority's certificate has been revoked.
    errSecTimestampRevocationNotification = -67898,
    // Rules that newer systems hold certificates to.
    /// An authority in the chain does not permit the certificate's policy.
    errSecCertificatePolicyNotAllowed = -67899,
    /// An authority in the chain does not permit the certificate's name.
    errSecCertificateNameNotAllowed = -67900,
    /// The certificate is valid for longer than permitted.
    errSecCertificateValidityPeriodTooLong = -67901,
    /// An authority's certificate was used where an end entity's belongs.
    errSecCertificateIsCA = -67902,
    /// The certificate has the same extension twice.
    errSecCertificateDuplicateExtension = -67903,
    /// The certificate lacks a qualified statement that the purpose requires.
    errSecMissingQualifiedCertStatement = -67904,
};

/// Gives the sentence of a status.
CFStringRef _Nullable SecCopyErrorMessageString(OSStatus status, void *_Nullable reserved);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
