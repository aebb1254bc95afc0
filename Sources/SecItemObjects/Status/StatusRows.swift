// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/statuses.tsv: change it there.

extension StatusTable {
    /// All rows. A code with two names has two rows, of one sentence; the row of the preferred name comes first.
    package static let rows: [StatusRow] = [
        StatusRow(errSecSuccess, "errSecSuccess", "The call succeeded."),
        StatusRow(errSecUnimplemented, "errSecUnimplemented", "This operation or algorithm is not available here."),
        StatusRow(errSecDiskFull, "errSecDiskFull", "There is no room left on the disk."),
        StatusRow(errSecDskFull, "errSecDskFull", "There is no room left on the disk."),
        StatusRow(errSecIO, "errSecIO", "Reading from or writing to storage failed."),
        StatusRow(errSecOpWr, "errSecOpWr", "The file is open for writing elsewhere."),
        StatusRow(errSecParam, "errSecParam", "An argument, or a value in the query, is not acceptable."),
        StatusRow(errSecWrPerm, "errSecWrPerm", "Writing is not permitted."),
        StatusRow(errSecAllocate, "errSecAllocate", "Memory for the result could not be obtained."),
        StatusRow(errSecUserCanceled, "errSecUserCanceled", "The user dismissed the request."),
        StatusRow(errSecBadReq, "errSecBadReq", "The request is malformed."),
        StatusRow(errSecInternalComponent, "errSecInternalComponent", "A part of the keychain service failed."),
        StatusRow(
            errSecCoreFoundationUnknown, "errSecCoreFoundationUnknown",
            "A Foundation object reported a failure without details."
        ),
        StatusRow(
            errSecMissingEntitlement, "errSecMissingEntitlement",
            "The application is not entitled to this access group or feature."
        ),
        StatusRow(errSecRestrictedAPI, "errSecRestrictedAPI", "The application may not use this function."),
        StatusRow(errSecNotAvailable, "errSecNotAvailable", "No keychain can be reached at the moment."),
        StatusRow(errSecReadOnly, "errSecReadOnly", "The keychain or item accepts no changes."),
        StatusRow(errSecAuthFailed, "errSecAuthFailed", "The password, fingerprint or other proof was refused."),
        StatusRow(errSecNoSuchKeychain, "errSecNoSuchKeychain", "There is no keychain by that name."),
        StatusRow(errSecInvalidKeychain, "errSecInvalidKeychain", "The keychain is damaged or is not a keychain."),
        StatusRow(errSecDuplicateKeychain, "errSecDuplicateKeychain", "A keychain by that name exists already."),
        StatusRow(errSecDuplicateCallback, "errSecDuplicateCallback", "The callback has been registered before."),
        StatusRow(errSecInvalidCallback, "errSecInvalidCallback", "The callback is not usable."),
        StatusRow(
            errSecDuplicateItem, "errSecDuplicateItem",
            "An item with the same identifying attributes is stored already."
        ),
        StatusRow(errSecItemNotFound, "errSecItemNotFound", "No stored item matches the query."),
        StatusRow(errSecBufferTooSmall, "errSecBufferTooSmall", "The buffer cannot hold the whole result."),
        StatusRow(errSecDataTooLarge, "errSecDataTooLarge", "The data exceeds what an item can hold."),
        StatusRow(errSecNoSuchAttr, "errSecNoSuchAttr", "Items of this class have no such attribute."),
        StatusRow(errSecInvalidItemRef, "errSecInvalidItemRef", "The item reference refers to nothing usable."),
        StatusRow(errSecInvalidSearchRef, "errSecInvalidSearchRef", "The search reference refers to nothing usable."),
        StatusRow(errSecNoSuchClass, "errSecNoSuchClass", "There is no such class of keychain items."),
        StatusRow(errSecNoDefaultKeychain, "errSecNoDefaultKeychain", "No default keychain has been chosen."),
        StatusRow(
            errSecInteractionNotAllowed, "errSecInteractionNotAllowed",
            "The user would have to be asked or to unlock the keychain, and that is not possible now."
        ),
        StatusRow(errSecReadOnlyAttr, "errSecReadOnlyAttr", "This attribute accepts no changes."),
        StatusRow(
            errSecWrongSecVersion, "errSecWrongSecVersion",
            "The keychain was written by an incompatible version."
        ),
        StatusRow(errSecKeySizeNotAllowed, "errSecKeySizeNotAllowed", "Keys of this size are not accepted."),
        StatusRow(errSecNoStorageModule, "errSecNoStorageModule", "No component can store items."),
        StatusRow(errSecNoCertificateModule, "errSecNoCertificateModule", "No component can handle certificates."),
        StatusRow(errSecNoPolicyModule, "errSecNoPolicyModule", "No component can evaluate policies."),
        StatusRow(
            errSecInteractionRequired, "errSecInteractionRequired",
            "The user has to be asked before this can go on."
        ),
        StatusRow(errSecDataNotAvailable, "errSecDataNotAvailable", "The item's data cannot be read at the moment."),
        StatusRow(errSecDataNotModifiable, "errSecDataNotModifiable", "The item's data accepts no changes."),
        StatusRow(
            errSecCreateChainFailed, "errSecCreateChainFailed",
            "No complete chain of certificates could be built."
        ),
        StatusRow(errSecInvalidPrefsDomain, "errSecInvalidPrefsDomain", "The preferences domain does not exist."),
        StatusRow(errSecInDarkWake, "errSecInDarkWake", "The screen is off, so the user cannot be asked."),
        StatusRow(errSecACLNotSimple, "errSecACLNotSimple", "The access control list is not in the simple form."),
        StatusRow(errSecPolicyNotFound, "errSecPolicyNotFound", "There is no such policy."),
        StatusRow(errSecInvalidTrustSetting, "errSecInvalidTrustSetting", "A trust setting has an unacceptable value."),
        StatusRow(errSecNoAccessForItem, "errSecNoAccessForItem", "The item carries no access control."),
        StatusRow(errSecInvalidOwnerEdit, "errSecInvalidOwnerEdit", "The owner entry may not be changed in this way."),
        StatusRow(
            errSecTrustNotAvailable, "errSecTrustNotAvailable",
            "Trust has not been evaluated, so there is no result."
        ),
        StatusRow(
            errSecUnsupportedFormat, "errSecUnsupportedFormat",
            "Data in this format cannot be imported or exported."
        ),
        StatusRow(errSecUnknownFormat, "errSecUnknownFormat", "The format of the data was not recognised."),
        StatusRow(
            errSecKeyIsSensitive, "errSecKeyIsSensitive",
            "The key may leave the keychain in encrypted form only."
        ),
        StatusRow(errSecMultiplePrivKeys, "errSecMultiplePrivKeys", "The data holds more than one private key."),
        StatusRow(errSecPassphraseRequired, "errSecPassphraseRequired", "A passphrase is needed to go on."),
        StatusRow(
            errSecInvalidPasswordRef, "errSecInvalidPasswordRef",
            "The password reference refers to nothing usable."
        ),
        StatusRow(errSecInvalidTrustSettings, "errSecInvalidTrustSettings", "The stored trust settings are damaged."),
        StatusRow(errSecNoTrustSettings, "errSecNoTrustSettings", "There are no trust settings."),
        StatusRow(
            errSecPkcs12VerifyFailure, "errSecPkcs12VerifyFailure",
            "The PKCS #12 integrity check failed, often because of a wrong password."
        ),
        StatusRow(errSecNotSigner, "errSecNotSigner", "The certificate does not belong to any signer of the message."),
        StatusRow(errSecDecode, "errSecDecode", "The data could not be decoded."),
        StatusRow(
            errSecServiceNotAvailable, "errSecServiceNotAvailable",
            "The service that this call needs is not running."
        ),
        StatusRow(
            errSecInsufficientClientID, "errSecInsufficientClientID",
            "The caller could not be identified well enough."
        ),
        StatusRow(errSecDeviceReset, "errSecDeviceReset", "The device was reset during the operation."),
        StatusRow(errSecDeviceFailed, "errSecDeviceFailed", "The device stopped working."),
        StatusRow(
            errSecAppleAddAppACLSubject, "errSecAppleAddAppACLSubject",
            "Adding an application to the access control list failed."
        ),
        StatusRow(
            errSecApplePublicKeyIncomplete, "errSecApplePublicKeyIncomplete",
            "The public key lacks some of its parameters."
        ),
        StatusRow(
            errSecAppleSignatureMismatch, "errSecAppleSignatureMismatch",
            "The stored code signature differs from the program's."
        ),
        StatusRow(
            errSecAppleInvalidKeyStartDate, "errSecAppleInvalidKeyStartDate",
            "The key's first valid date is unacceptable."
        ),
        StatusRow(
            errSecAppleInvalidKeyEndDate, "errSecAppleInvalidKeyEndDate",
            "The key's last valid date is unacceptable."
        ),
        StatusRow(errSecConversionError, "errSecConversionError", "A value could not be converted."),
        StatusRow(
            errSecAppleSSLv2Rollback, "errSecAppleSSLv2Rollback",
            "The handshake was pushed back to SSL version 2."
        ),
        StatusRow(errSecQuotaExceeded, "errSecQuotaExceeded", "The storage allowance is used up."),
        StatusRow(errSecFileTooBig, "errSecFileTooBig", "The file exceeds the permitted size."),
        StatusRow(errSecInvalidDatabaseBlob, "errSecInvalidDatabaseBlob", "The database's key material is damaged."),
        StatusRow(errSecInvalidKeyBlob, "errSecInvalidKeyBlob", "The stored key is damaged."),
        StatusRow(
            errSecIncompatibleDatabaseBlob, "errSecIncompatibleDatabaseBlob",
            "The database's key material is in an incompatible version."
        ),
        StatusRow(
            errSecIncompatibleKeyBlob, "errSecIncompatibleKeyBlob",
            "The stored key is in an incompatible version."
        ),
        StatusRow(errSecHostNameMismatch, "errSecHostNameMismatch", "The certificate is for another host."),
        StatusRow(
            errSecUnknownCriticalExtensionFlag, "errSecUnknownCriticalExtensionFlag",
            "The certificate has a critical extension that is not understood."
        ),
        StatusRow(errSecNoBasicConstraints, "errSecNoBasicConstraints", "The certificate has no basic constraints."),
        StatusRow(
            errSecNoBasicConstraintsCA, "errSecNoBasicConstraintsCA",
            "The basic constraints do not say whether this is an authority."
        ),
        StatusRow(
            errSecInvalidAuthorityKeyID, "errSecInvalidAuthorityKeyID",
            "The authority key identifier does not fit."
        ),
        StatusRow(errSecInvalidSubjectKeyID, "errSecInvalidSubjectKeyID", "The subject key identifier does not fit."),
        StatusRow(
            errSecInvalidKeyUsageForPolicy, "errSecInvalidKeyUsageForPolicy",
            "The policy does not permit this key usage."
        ),
        StatusRow(
            errSecInvalidExtendedKeyUsage, "errSecInvalidExtendedKeyUsage",
            "The extended key usage does not fit the purpose."
        ),
        StatusRow(
            errSecInvalidIDLinkage, "errSecInvalidIDLinkage",
            "The identifiers do not link the certificates of the chain."
        ),
        StatusRow(
            errSecPathLengthConstraintExceeded, "errSecPathLengthConstraintExceeded",
            "The chain is longer than an authority in it permits."
        ),
        StatusRow(errSecInvalidRoot, "errSecInvalidRoot", "The root, or anchor, certificate is unacceptable."),
        StatusRow(errSecCRLExpired, "errSecCRLExpired", "The revocation list is past its last day."),
        StatusRow(errSecCRLNotValidYet, "errSecCRLNotValidYet", "The revocation list's first day lies ahead."),
        StatusRow(errSecCRLNotFound, "errSecCRLNotFound", "No revocation list was found."),
        StatusRow(errSecCRLServerDown, "errSecCRLServerDown", "The server of the revocation list does not answer."),
        StatusRow(errSecCRLBadURI, "errSecCRLBadURI", "The address of the revocation list is malformed."),
        StatusRow(
            errSecUnknownCertExtension, "errSecUnknownCertExtension",
            "The certificate has an extension that is not understood."
        ),
        StatusRow(
            errSecUnknownCRLExtension, "errSecUnknownCRLExtension",
            "The revocation list has an extension that is not understood."
        ),
        StatusRow(errSecCRLNotTrusted, "errSecCRLNotTrusted", "The revocation list comes from an untrusted issuer."),
        StatusRow(errSecCRLPolicyFailed, "errSecCRLPolicyFailed", "The revocation list does not satisfy the policy."),
        StatusRow(errSecIDPFailure, "errSecIDPFailure", "The distribution point of the revocation list does not fit."),
        StatusRow(
            errSecSMIMEEmailAddressesNotFound, "errSecSMIMEEmailAddressesNotFound",
            "The certificate does not carry the expected mail address."
        ),
        StatusRow(
            errSecSMIMEBadExtendedKeyUsage, "errSecSMIMEBadExtendedKeyUsage",
            "The extended key usage does not permit S/MIME."
        ),
        StatusRow(errSecSMIMEBadKeyUsage, "errSecSMIMEBadKeyUsage", "The key usage does not permit S/MIME."),
        StatusRow(
            errSecSMIMEKeyUsageNotCritical, "errSecSMIMEKeyUsageNotCritical",
            "For S/MIME the key usage has to be critical."
        ),
        StatusRow(errSecSMIMENoEmailAddress, "errSecSMIMENoEmailAddress", "The certificate carries no mail address."),
        StatusRow(
            errSecSMIMESubjAltNameNotCritical, "errSecSMIMESubjAltNameNotCritical",
            "For S/MIME the subject's alternative name has to be critical."
        ),
        StatusRow(
            errSecSSLBadExtendedKeyUsage, "errSecSSLBadExtendedKeyUsage",
            "The extended key usage does not permit TLS."
        ),
        StatusRow(errSecOCSPBadResponse, "errSecOCSPBadResponse", "The OCSP response is malformed."),
        StatusRow(errSecOCSPBadRequest, "errSecOCSPBadRequest", "The OCSP request is malformed."),
        StatusRow(errSecOCSPUnavailable, "errSecOCSPUnavailable", "No OCSP service can be reached."),
        StatusRow(
            errSecOCSPStatusUnrecognized, "errSecOCSPStatusUnrecognized",
            "The OCSP responder does not know the certificate."
        ),
        StatusRow(errSecEndOfData, "errSecEndOfData", "The data ended."),
        StatusRow(
            errSecIncompleteCertRevocationCheck, "errSecIncompleteCertRevocationCheck",
            "Not every certificate could be checked for revocation."
        ),
        StatusRow(errSecNetworkFailure, "errSecNetworkFailure", "The network could not be used."),
        StatusRow(
            errSecOCSPNotTrustedToAnchor, "errSecOCSPNotTrustedToAnchor",
            "The OCSP response does not lead back to a trusted anchor."
        ),
        StatusRow(
            errSecRecordModified, "errSecRecordModified",
            "The record was changed by someone else in the meantime."
        ),
        StatusRow(errSecOCSPSignatureError, "errSecOCSPSignatureError", "The signature of the OCSP response is wrong."),
        StatusRow(errSecOCSPNoSigner, "errSecOCSPNoSigner", "The OCSP response names no signer."),
        StatusRow(
            errSecOCSPResponderMalformedReq, "errSecOCSPResponderMalformedReq",
            "The OCSP responder found the request malformed."
        ),
        StatusRow(
            errSecOCSPResponderInternalError, "errSecOCSPResponderInternalError",
            "The OCSP responder had an internal failure."
        ),
        StatusRow(
            errSecOCSPResponderTryLater, "errSecOCSPResponderTryLater",
            "The OCSP responder is busy and asks for another try later."
        ),
        StatusRow(
            errSecOCSPResponderSignatureRequired, "errSecOCSPResponderSignatureRequired",
            "The OCSP responder wants signed requests."
        ),
        StatusRow(
            errSecOCSPResponderUnauthorized, "errSecOCSPResponderUnauthorized",
            "The OCSP responder refused to serve this request."
        ),
        StatusRow(
            errSecOCSPResponseNonceMismatch, "errSecOCSPResponseNonceMismatch",
            "The OCSP response does not repeat the nonce of the request."
        ),
        StatusRow(
            errSecCodeSigningBadCertChainLength, "errSecCodeSigningBadCertChainLength",
            "The code signing chain has the wrong number of certificates."
        ),
        StatusRow(
            errSecCodeSigningNoBasicConstraints, "errSecCodeSigningNoBasicConstraints",
            "The code signing certificate has no basic constraints."
        ),
        StatusRow(
            errSecCodeSigningBadPathLengthConstraint, "errSecCodeSigningBadPathLengthConstraint",
            "The path length in the code signing chain is wrong."
        ),
        StatusRow(
            errSecCodeSigningNoExtendedKeyUsage, "errSecCodeSigningNoExtendedKeyUsage",
            "The code signing certificate has no extended key usage."
        ),
        StatusRow(
            errSecCodeSigningDevelopment, "errSecCodeSigningDevelopment",
            "The code was signed with a certificate meant for development."
        ),
        StatusRow(
            errSecResourceSignBadCertChainLength, "errSecResourceSignBadCertChainLength",
            "The resource signing chain has the wrong number of certificates."
        ),
        StatusRow(
            errSecResourceSignBadExtKeyUsage, "errSecResourceSignBadExtKeyUsage",
            "The extended key usage does not permit signing resources."
        ),
        StatusRow(errSecTrustSettingDeny, "errSecTrustSettingDeny", "The trust settings forbid this certificate."),
        StatusRow(errSecInvalidSubjectName, "errSecInvalidSubjectName", "The subject's name is missing or malformed."),
        StatusRow(
            errSecUnknownQualifiedCertStatement, "errSecUnknownQualifiedCertStatement",
            "The certificate has a qualified statement that is not understood."
        ),
        StatusRow(
            errSecMobileMeRequestQueued, "errSecMobileMeRequestQueued",
            "The MobileMe request waits in the queue."
        ),
        StatusRow(
            errSecMobileMeRequestRedirected, "errSecMobileMeRequestRedirected",
            "The MobileMe request was sent on to another address."
        ),
        StatusRow(errSecMobileMeServerError, "errSecMobileMeServerError", "The MobileMe server reported a failure."),
        StatusRow(
            errSecMobileMeServerNotAvailable, "errSecMobileMeServerNotAvailable",
            "The MobileMe server cannot be reached."
        ),
        StatusRow(
            errSecMobileMeServerAlreadyExists, "errSecMobileMeServerAlreadyExists",
            "The MobileMe server has this entry already."
        ),
        StatusRow(
            errSecMobileMeServerServiceErr, "errSecMobileMeServerServiceErr",
            "The service on the MobileMe server failed."
        ),
        StatusRow(
            errSecMobileMeRequestAlreadyPending, "errSecMobileMeRequestAlreadyPending",
            "An earlier MobileMe request is still waiting."
        ),
        StatusRow(errSecMobileMeNoRequestPending, "errSecMobileMeNoRequestPending", "No MobileMe request is waiting."),
        StatusRow(
            errSecMobileMeCSRVerifyFailure, "errSecMobileMeCSRVerifyFailure",
            "MobileMe could not verify the signing request."
        ),
        StatusRow(
            errSecMobileMeFailedConsistencyCheck, "errSecMobileMeFailedConsistencyCheck",
            "MobileMe found the request inconsistent."
        ),
        StatusRow(errSecNotInitialized, "errSecNotInitialized", "The function was called before initialisation."),
        StatusRow(errSecInvalidHandleUsage, "errSecInvalidHandleUsage", "The handle does not permit this use."),
        StatusRow(
            errSecPVCReferentNotFound, "errSecPVCReferentNotFound",
            "What the reference points to was not found."
        ),
        StatusRow(
            errSecFunctionIntegrityFail, "errSecFunctionIntegrityFail",
            "The function did not pass its integrity check."
        ),
        StatusRow(errSecInternalError, "errSecInternalError", "An internal failure occurred."),
        StatusRow(errSecMemoryError, "errSecMemoryError", "Memory ran out or is damaged."),
        StatusRow(errSecInvalidData, "errSecInvalidData", "The data is malformed."),
        StatusRow(errSecMDSError, "errSecMDSError", "The module directory service failed."),
        StatusRow(errSecInvalidPointer, "errSecInvalidPointer", "A pointer is not usable."),
        StatusRow(errSecSelfCheckFailed, "errSecSelfCheckFailed", "The self-test failed."),
        StatusRow(errSecFunctionFailed, "errSecFunctionFailed", "The function failed without a more precise reason."),
        StatusRow(
            errSecModuleManifestVerifyFailed, "errSecModuleManifestVerifyFailed",
            "The module's manifest could not be verified."
        ),
        StatusRow(errSecInvalidGUID, "errSecInvalidGUID", "The globally unique identifier is malformed."),
        StatusRow(errSecInvalidHandle, "errSecInvalidHandle", "The handle is not usable."),
        StatusRow(errSecInvalidDBList, "errSecInvalidDBList", "The list of databases is unacceptable."),
        StatusRow(errSecInvalidPassthroughID, "errSecInvalidPassthroughID", "The pass-through identifier is unknown."),
        StatusRow(errSecInvalidNetworkAddress, "errSecInvalidNetworkAddress", "The network address is malformed."),
        StatusRow(errSecCRLAlreadySigned, "errSecCRLAlreadySigned", "The revocation list has a signature already."),
        StatusRow(errSecInvalidNumberOfFields, "errSecInvalidNumberOfFields", "The number of fields is wrong."),
        StatusRow(errSecVerificationFailure, "errSecVerificationFailure", "A check of authenticity did not succeed."),
        StatusRow(errSecUnknownTag, "errSecUnknownTag", "The tag is not understood."),
        StatusRow(errSecInvalidSignature, "errSecInvalidSignature", "The signature does not fit the data."),
        StatusRow(errSecInvalidName, "errSecInvalidName", "The name is unacceptable."),
        StatusRow(
            errSecInvalidCertificateRef, "errSecInvalidCertificateRef",
            "The certificate reference refers to nothing usable."
        ),
        StatusRow(
            errSecInvalidCertificateGroup, "errSecInvalidCertificateGroup",
            "The group of certificates is unacceptable."
        ),
        StatusRow(errSecTagNotFound, "errSecTagNotFound", "There is no such tag."),
        StatusRow(errSecInvalidQuery, "errSecInvalidQuery", "The query is malformed."),
        StatusRow(errSecInvalidValue, "errSecInvalidValue", "A value is unacceptable."),
        StatusRow(errSecCallbackFailed, "errSecCallbackFailed", "The callback reported a failure."),
        StatusRow(errSecACLDeleteFailed, "errSecACLDeleteFailed", "Removing from the access control list failed."),
        StatusRow(errSecACLReplaceFailed, "errSecACLReplaceFailed", "Replacing in the access control list failed."),
        StatusRow(errSecACLAddFailed, "errSecACLAddFailed", "Adding to the access control list failed."),
        StatusRow(errSecACLChangeFailed, "errSecACLChangeFailed", "Changing the access control list failed."),
        StatusRow(
            errSecInvalidAccessCredentials, "errSecInvalidAccessCredentials",
            "The access credentials are unacceptable."
        ),
        StatusRow(errSecInvalidRecord, "errSecInvalidRecord", "The record is malformed."),
        StatusRow(errSecInvalidACL, "errSecInvalidACL", "The access control list is malformed."),
        StatusRow(errSecInvalidSampleValue, "errSecInvalidSampleValue", "The sample value is unacceptable."),
        StatusRow(errSecIncompatibleVersion, "errSecIncompatibleVersion", "The versions do not fit together."),
        StatusRow(errSecPrivilegeNotGranted, "errSecPrivilegeNotGranted", "The privilege was refused."),
        StatusRow(errSecInvalidScope, "errSecInvalidScope", "The scope is unacceptable."),
        StatusRow(
            errSecPVCAlreadyConfigured, "errSecPVCAlreadyConfigured",
            "The pointer check has been configured before."
        ),
        StatusRow(errSecInvalidPVC, "errSecInvalidPVC", "The pointer check is unacceptable."),
        StatusRow(errSecEMMLoadFailed, "errSecEMMLoadFailed", "The elective module manager could not be loaded."),
        StatusRow(errSecEMMUnloadFailed, "errSecEMMUnloadFailed", "The elective module manager could not be unloaded."),
        StatusRow(errSecAddinLoadFailed, "errSecAddinLoadFailed", "The add-in could not be loaded."),
        StatusRow(errSecInvalidKeyRef, "errSecInvalidKeyRef", "The key reference refers to nothing usable."),
        StatusRow(errSecInvalidKeyHierarchy, "errSecInvalidKeyHierarchy", "The key hierarchy is unacceptable."),
        StatusRow(errSecAddinUnloadFailed, "errSecAddinUnloadFailed", "The add-in could not be unloaded."),
        StatusRow(
            errSecLibraryReferenceNotFound, "errSecLibraryReferenceNotFound",
            "There is no such library reference."
        ),
        StatusRow(
            errSecInvalidAddinFunctionTable, "errSecInvalidAddinFunctionTable",
            "The add-in's table of functions is malformed."
        ),
        StatusRow(errSecInvalidServiceMask, "errSecInvalidServiceMask", "The service mask is unacceptable."),
        StatusRow(errSecModuleNotLoaded, "errSecModuleNotLoaded", "The module has not been loaded."),
        StatusRow(errSecInvalidSubServiceID, "errSecInvalidSubServiceID", "The subservice identifier is unknown."),
        StatusRow(errSecAttributeNotInContext, "errSecAttributeNotInContext", "The context lacks the attribute."),
        StatusRow(
            errSecModuleManagerInitializeFailed, "errSecModuleManagerInitializeFailed",
            "The module manager could not start."
        ),
        StatusRow(errSecModuleManagerNotFound, "errSecModuleManagerNotFound", "There is no module manager."),
        StatusRow(
            errSecEventNotificationCallbackNotFound, "errSecEventNotificationCallbackNotFound",
            "No callback is registered for the event."
        ),
        StatusRow(errSecInputLengthError, "errSecInputLengthError", "The input has the wrong length."),
        StatusRow(errSecOutputLengthError, "errSecOutputLengthError", "The output has the wrong length."),
        StatusRow(errSecPrivilegeNotSupported, "errSecPrivilegeNotSupported", "The privilege is not known here."),
        StatusRow(errSecDeviceError, "errSecDeviceError", "The device reported a failure."),
        StatusRow(errSecAttachHandleBusy, "errSecAttachHandleBusy", "The handle is in use."),
        StatusRow(errSecNotLoggedIn, "errSecNotLoggedIn", "A login is needed first."),
        StatusRow(errSecAlgorithmMismatch, "errSecAlgorithmMismatch", "The key is for another algorithm."),
        StatusRow(errSecKeyUsageIncorrect, "errSecKeyUsageIncorrect", "The key is not meant for this use."),
        StatusRow(
            errSecKeyBlobTypeIncorrect, "errSecKeyBlobTypeIncorrect",
            "The key's encoded form is of the wrong type."
        ),
        StatusRow(errSecKeyHeaderInconsistent, "errSecKeyHeaderInconsistent", "The key's header contradicts itself."),
        StatusRow(errSecUnsupportedKeyFormat, "errSecUnsupportedKeyFormat", "Keys in this format are not supported."),
        StatusRow(errSecUnsupportedKeySize, "errSecUnsupportedKeySize", "Keys of this size are not supported."),
        StatusRow(errSecInvalidKeyUsageMask, "errSecInvalidKeyUsageMask", "The key usage mask is unacceptable."),
        StatusRow(
            errSecUnsupportedKeyUsageMask, "errSecUnsupportedKeyUsageMask",
            "The key usage mask is not supported."
        ),
        StatusRow(
            errSecInvalidKeyAttributeMask, "errSecInvalidKeyAttributeMask",
            "The key attribute mask is unacceptable."
        ),
        StatusRow(
            errSecUnsupportedKeyAttributeMask, "errSecUnsupportedKeyAttributeMask",
            "The key attribute mask is not supported."
        ),
        StatusRow(errSecInvalidKeyLabel, "errSecInvalidKeyLabel", "The key's label is unacceptable."),
        StatusRow(errSecUnsupportedKeyLabel, "errSecUnsupportedKeyLabel", "The key's label is not supported."),
        StatusRow(errSecInvalidKeyFormat, "errSecInvalidKeyFormat", "The key's format is wrong."),
        StatusRow(
            errSecUnsupportedVectorOfBuffers, "errSecUnsupportedVectorOfBuffers",
            "Several buffers at once are not supported."
        ),
        StatusRow(errSecInvalidInputVector, "errSecInvalidInputVector", "The list of input buffers is unacceptable."),
        StatusRow(
            errSecInvalidOutputVector, "errSecInvalidOutputVector",
            "The list of output buffers is unacceptable."
        ),
        StatusRow(errSecInvalidContext, "errSecInvalidContext", "The context is unacceptable."),
        StatusRow(errSecInvalidAlgorithm, "errSecInvalidAlgorithm", "The algorithm is unknown or unsuitable."),
        StatusRow(errSecInvalidAttributeKey, "errSecInvalidAttributeKey", "The context's key is unacceptable."),
        StatusRow(errSecMissingAttributeKey, "errSecMissingAttributeKey", "The context's key is missing."),
        StatusRow(
            errSecInvalidAttributeInitVector, "errSecInvalidAttributeInitVector",
            "The context's initialisation vector is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeInitVector, "errSecMissingAttributeInitVector",
            "The context's initialisation vector is missing."
        ),
        StatusRow(errSecInvalidAttributeSalt, "errSecInvalidAttributeSalt", "The context's salt is unacceptable."),
        StatusRow(errSecMissingAttributeSalt, "errSecMissingAttributeSalt", "The context's salt is missing."),
        StatusRow(
            errSecInvalidAttributePadding, "errSecInvalidAttributePadding",
            "The context's padding is unacceptable."
        ),
        StatusRow(errSecMissingAttributePadding, "errSecMissingAttributePadding", "The context's padding is missing."),
        StatusRow(
            errSecInvalidAttributeRandom, "errSecInvalidAttributeRandom",
            "The context's random data is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeRandom, "errSecMissingAttributeRandom",
            "The context's random data is missing."
        ),
        StatusRow(errSecInvalidAttributeSeed, "errSecInvalidAttributeSeed", "The context's seed is unacceptable."),
        StatusRow(errSecMissingAttributeSeed, "errSecMissingAttributeSeed", "The context's seed is missing."),
        StatusRow(
            errSecInvalidAttributePassphrase, "errSecInvalidAttributePassphrase",
            "The context's passphrase is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributePassphrase, "errSecMissingAttributePassphrase",
            "The context's passphrase is missing."
        ),
        StatusRow(
            errSecInvalidAttributeKeyLength, "errSecInvalidAttributeKeyLength",
            "The context's key length is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeKeyLength, "errSecMissingAttributeKeyLength",
            "The context's key length is missing."
        ),
        StatusRow(
            errSecInvalidAttributeBlockSize, "errSecInvalidAttributeBlockSize",
            "The context's block size is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeBlockSize, "errSecMissingAttributeBlockSize",
            "The context's block size is missing."
        ),
        StatusRow(
            errSecInvalidAttributeOutputSize, "errSecInvalidAttributeOutputSize",
            "The context's output size is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeOutputSize, "errSecMissingAttributeOutputSize",
            "The context's output size is missing."
        ),
        StatusRow(
            errSecInvalidAttributeRounds, "errSecInvalidAttributeRounds",
            "The context's number of rounds is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeRounds, "errSecMissingAttributeRounds",
            "The context's number of rounds is missing."
        ),
        StatusRow(
            errSecInvalidAlgorithmParms, "errSecInvalidAlgorithmParms",
            "The context's algorithm parameters are unacceptable."
        ),
        StatusRow(
            errSecMissingAlgorithmParms, "errSecMissingAlgorithmParms",
            "The context's algorithm parameters are missing."
        ),
        StatusRow(errSecInvalidAttributeLabel, "errSecInvalidAttributeLabel", "The context's label is unacceptable."),
        StatusRow(errSecMissingAttributeLabel, "errSecMissingAttributeLabel", "The context's label is missing."),
        StatusRow(
            errSecInvalidAttributeKeyType, "errSecInvalidAttributeKeyType",
            "The context's key type is unacceptable."
        ),
        StatusRow(errSecMissingAttributeKeyType, "errSecMissingAttributeKeyType", "The context's key type is missing."),
        StatusRow(errSecInvalidAttributeMode, "errSecInvalidAttributeMode", "The context's mode is unacceptable."),
        StatusRow(errSecMissingAttributeMode, "errSecMissingAttributeMode", "The context's mode is missing."),
        StatusRow(
            errSecInvalidAttributeEffectiveBits, "errSecInvalidAttributeEffectiveBits",
            "The context's number of effective bits is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeEffectiveBits, "errSecMissingAttributeEffectiveBits",
            "The context's number of effective bits is missing."
        ),
        StatusRow(
            errSecInvalidAttributeStartDate, "errSecInvalidAttributeStartDate",
            "The context's start date is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeStartDate, "errSecMissingAttributeStartDate",
            "The context's start date is missing."
        ),
        StatusRow(
            errSecInvalidAttributeEndDate, "errSecInvalidAttributeEndDate",
            "The context's end date is unacceptable."
        ),
        StatusRow(errSecMissingAttributeEndDate, "errSecMissingAttributeEndDate", "The context's end date is missing."),
        StatusRow(
            errSecInvalidAttributeVersion, "errSecInvalidAttributeVersion",
            "The context's version is unacceptable."
        ),
        StatusRow(errSecMissingAttributeVersion, "errSecMissingAttributeVersion", "The context's version is missing."),
        StatusRow(errSecInvalidAttributePrime, "errSecInvalidAttributePrime", "The context's prime is unacceptable."),
        StatusRow(errSecMissingAttributePrime, "errSecMissingAttributePrime", "The context's prime is missing."),
        StatusRow(errSecInvalidAttributeBase, "errSecInvalidAttributeBase", "The context's base is unacceptable."),
        StatusRow(errSecMissingAttributeBase, "errSecMissingAttributeBase", "The context's base is missing."),
        StatusRow(
            errSecInvalidAttributeSubprime, "errSecInvalidAttributeSubprime",
            "The context's subprime is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeSubprime, "errSecMissingAttributeSubprime",
            "The context's subprime is missing."
        ),
        StatusRow(
            errSecInvalidAttributeIterationCount, "errSecInvalidAttributeIterationCount",
            "The context's iteration count is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeIterationCount, "errSecMissingAttributeIterationCount",
            "The context's iteration count is missing."
        ),
        StatusRow(
            errSecInvalidAttributeDLDBHandle, "errSecInvalidAttributeDLDBHandle",
            "The context's database handle is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeDLDBHandle, "errSecMissingAttributeDLDBHandle",
            "The context's database handle is missing."
        ),
        StatusRow(
            errSecInvalidAttributeAccessCredentials, "errSecInvalidAttributeAccessCredentials",
            "The context's access credentials are unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeAccessCredentials, "errSecMissingAttributeAccessCredentials",
            "The context's access credentials are missing."
        ),
        StatusRow(
            errSecInvalidAttributePublicKeyFormat, "errSecInvalidAttributePublicKeyFormat",
            "The context's public key format is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributePublicKeyFormat, "errSecMissingAttributePublicKeyFormat",
            "The context's public key format is missing."
        ),
        StatusRow(
            errSecInvalidAttributePrivateKeyFormat, "errSecInvalidAttributePrivateKeyFormat",
            "The context's private key format is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributePrivateKeyFormat, "errSecMissingAttributePrivateKeyFormat",
            "The context's private key format is missing."
        ),
        StatusRow(
            errSecInvalidAttributeSymmetricKeyFormat, "errSecInvalidAttributeSymmetricKeyFormat",
            "The context's symmetric key format is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeSymmetricKeyFormat, "errSecMissingAttributeSymmetricKeyFormat",
            "The context's symmetric key format is missing."
        ),
        StatusRow(
            errSecInvalidAttributeWrappedKeyFormat, "errSecInvalidAttributeWrappedKeyFormat",
            "The context's wrapped key format is unacceptable."
        ),
        StatusRow(
            errSecMissingAttributeWrappedKeyFormat, "errSecMissingAttributeWrappedKeyFormat",
            "The context's wrapped key format is missing."
        ),
        StatusRow(
            errSecStagedOperationInProgress, "errSecStagedOperationInProgress",
            "A staged operation is under way."
        ),
        StatusRow(
            errSecStagedOperationNotStarted, "errSecStagedOperationNotStarted",
            "The staged operation has not been started."
        ),
        StatusRow(errSecVerifyFailed, "errSecVerifyFailed", "The signature or code was found wrong."),
        StatusRow(errSecQuerySizeUnknown, "errSecQuerySizeUnknown", "The size of the result cannot be told."),
        StatusRow(errSecBlockSizeMismatch, "errSecBlockSizeMismatch", "The block size does not fit the algorithm."),
        StatusRow(errSecPublicKeyInconsistent, "errSecPublicKeyInconsistent", "The public key contradicts itself."),
        StatusRow(errSecDeviceVerifyFailed, "errSecDeviceVerifyFailed", "The device could not be verified."),
        StatusRow(errSecInvalidLoginName, "errSecInvalidLoginName", "The login name is unacceptable."),
        StatusRow(errSecAlreadyLoggedIn, "errSecAlreadyLoggedIn", "There is a login already."),
        StatusRow(
            errSecInvalidDigestAlgorithm, "errSecInvalidDigestAlgorithm",
            "The digest algorithm is unknown or unsuitable."
        ),
        StatusRow(errSecInvalidCRLGroup, "errSecInvalidCRLGroup", "The group of revocation lists is unacceptable."),
        StatusRow(
            errSecCertificateCannotOperate, "errSecCertificateCannotOperate",
            "The certificate cannot be used for this operation."
        ),
        StatusRow(errSecCertificateExpired, "errSecCertificateExpired", "The certificate is past its last day."),
        StatusRow(
            errSecCertificateNotValidYet, "errSecCertificateNotValidYet",
            "The certificate's first day lies ahead."
        ),
        StatusRow(errSecCertificateRevoked, "errSecCertificateRevoked", "The certificate has been revoked."),
        StatusRow(errSecCertificateSuspended, "errSecCertificateSuspended", "The certificate has been suspended."),
        StatusRow(errSecInsufficientCredentials, "errSecInsufficientCredentials", "The credentials do not suffice."),
        StatusRow(errSecInvalidAction, "errSecInvalidAction", "The action is unknown or unsuitable."),
        StatusRow(errSecInvalidAuthority, "errSecInvalidAuthority", "The authority is unacceptable."),
        StatusRow(errSecVerifyActionFailed, "errSecVerifyActionFailed", "The action could not be verified."),
        StatusRow(
            errSecInvalidCertAuthority, "errSecInvalidCertAuthority",
            "The certificate authority is unacceptable."
        ),
        StatusRow(
            errSecInvalidCRLAuthority, "errSecInvalidCRLAuthority",
            "The authority of the revocation list is unacceptable."
        ),
        StatusRow(
            errSecInvalidCRLEncoding, "errSecInvalidCRLEncoding",
            "The encoding of the revocation list is wrong."
        ),
        StatusRow(errSecInvalidCRLType, "errSecInvalidCRLType", "The type of the revocation list is unknown."),
        StatusRow(errSecInvalidCRL, "errSecInvalidCRL", "The revocation list is malformed."),
        StatusRow(errSecInvalidFormType, "errSecInvalidFormType", "The type of the form is unknown."),
        StatusRow(errSecInvalidID, "errSecInvalidID", "The ID is unknown."),
        StatusRow(errSecInvalidIdentifier, "errSecInvalidIdentifier", "The identifier is malformed."),
        StatusRow(errSecInvalidIndex, "errSecInvalidIndex", "The index is out of range."),
        StatusRow(
            errSecInvalidPolicyIdentifiers, "errSecInvalidPolicyIdentifiers",
            "The policy identifiers are unacceptable."
        ),
        StatusRow(errSecInvalidTimeString, "errSecInvalidTimeString", "The time is not written in the expected form."),
        StatusRow(errSecInvalidReason, "errSecInvalidReason", "The reason is unknown."),
        StatusRow(
            errSecInvalidRequestInputs, "errSecInvalidRequestInputs",
            "The inputs of the request are unacceptable."
        ),
        StatusRow(
            errSecInvalidResponseVector, "errSecInvalidResponseVector",
            "The list of response buffers is unacceptable."
        ),
        StatusRow(errSecInvalidStopOnPolicy, "errSecInvalidStopOnPolicy", "The rule for when to stop is unknown."),
        StatusRow(errSecInvalidTuple, "errSecInvalidTuple", "The tuple is malformed."),
        StatusRow(
            errSecMultipleValuesUnsupported, "errSecMultipleValuesUnsupported",
            "Several values at once are not supported."
        ),
        StatusRow(errSecNotTrusted, "errSecNotTrusted", "The certificate, or its chain, is not trusted."),
        StatusRow(errSecNoDefaultAuthority, "errSecNoDefaultAuthority", "No default authority has been chosen."),
        StatusRow(errSecRejectedForm, "errSecRejectedForm", "The form was refused."),
        StatusRow(errSecRequestLost, "errSecRequestLost", "The request was lost on the way."),
        StatusRow(errSecRequestRejected, "errSecRequestRejected", "The request was refused."),
        StatusRow(
            errSecUnsupportedAddressType, "errSecUnsupportedAddressType",
            "Addresses of this type are not supported."
        ),
        StatusRow(errSecUnsupportedService, "errSecUnsupportedService", "The service is not supported."),
        StatusRow(errSecInvalidTupleGroup, "errSecInvalidTupleGroup", "The group of tuples is unacceptable."),
        StatusRow(errSecInvalidBaseACLs, "errSecInvalidBaseACLs", "The initial access control lists are unacceptable."),
        StatusRow(
            errSecInvalidTupleCredentials, "errSecInvalidTupleCredentials",
            "The credentials of the tuple are unacceptable."
        ),
        StatusRow(errSecInvalidEncoding, "errSecInvalidEncoding", "The encoding is wrong."),
        StatusRow(
            errSecInvalidValidityPeriod, "errSecInvalidValidityPeriod",
            "The period of validity is unacceptable."
        ),
        StatusRow(errSecInvalidRequestor, "errSecInvalidRequestor", "The requester is unknown or not permitted."),
        StatusRow(
            errSecRequestDescriptor, "errSecRequestDescriptor",
            "The description of the request is unacceptable."
        ),
        StatusRow(errSecInvalidBundleInfo, "errSecInvalidBundleInfo", "The information about the bundle is malformed."),
        StatusRow(
            errSecInvalidCRLIndex, "errSecInvalidCRLIndex",
            "The index into the revocation list is out of range."
        ),
        StatusRow(errSecNoFieldValues, "errSecNoFieldValues", "The fields hold no values."),
        StatusRow(
            errSecUnsupportedFieldFormat, "errSecUnsupportedFieldFormat",
            "The format of the field is not supported."
        ),
        StatusRow(errSecUnsupportedIndexInfo, "errSecUnsupportedIndexInfo", "The index information is not supported."),
        StatusRow(errSecUnsupportedLocality, "errSecUnsupportedLocality", "The locality is not supported."),
        StatusRow(
            errSecUnsupportedNumAttributes, "errSecUnsupportedNumAttributes",
            "So many attributes are not supported."
        ),
        StatusRow(errSecUnsupportedNumIndexes, "errSecUnsupportedNumIndexes", "So many indexes are not supported."),
        StatusRow(
            errSecUnsupportedNumRecordTypes, "errSecUnsupportedNumRecordTypes",
            "So many record types are not supported."
        ),
        StatusRow(errSecFieldSpecifiedMultiple, "errSecFieldSpecifiedMultiple", "A field is given more than once."),
        StatusRow(
            errSecIncompatibleFieldFormat, "errSecIncompatibleFieldFormat",
            "The formats of the fields do not fit together."
        ),
        StatusRow(errSecInvalidParsingModule, "errSecInvalidParsingModule", "The parsing module is unacceptable."),
        StatusRow(errSecDatabaseLocked, "errSecDatabaseLocked", "The database is locked."),
        StatusRow(errSecDatastoreIsOpen, "errSecDatastoreIsOpen", "The data store is open."),
        StatusRow(errSecMissingValue, "errSecMissingValue", "A required value was not given."),
        StatusRow(
            errSecUnsupportedQueryLimits, "errSecUnsupportedQueryLimits",
            "The limits of the query are not supported."
        ),
        StatusRow(
            errSecUnsupportedNumSelectionPreds, "errSecUnsupportedNumSelectionPreds",
            "So many selection conditions are not supported."
        ),
        StatusRow(errSecUnsupportedOperator, "errSecUnsupportedOperator", "The operator is not supported."),
        StatusRow(errSecInvalidDBLocation, "errSecInvalidDBLocation", "The location of the database is unacceptable."),
        StatusRow(errSecInvalidAccessRequest, "errSecInvalidAccessRequest", "The kind of access asked for is unknown."),
        StatusRow(errSecInvalidIndexInfo, "errSecInvalidIndexInfo", "The index information is malformed."),
        StatusRow(errSecInvalidNewOwner, "errSecInvalidNewOwner", "The new owner is unacceptable."),
        StatusRow(errSecInvalidModifyMode, "errSecInvalidModifyMode", "The mode of change is unknown."),
        StatusRow(
            errSecMissingRequiredExtension, "errSecMissingRequiredExtension",
            "The certificate lacks an extension that the purpose requires."
        ),
        StatusRow(
            errSecExtendedKeyUsageNotCritical, "errSecExtendedKeyUsageNotCritical",
            "The extended key usage has to be critical."
        ),
        StatusRow(errSecTimestampMissing, "errSecTimestampMissing", "The signature has no timestamp."),
        StatusRow(errSecTimestampInvalid, "errSecTimestampInvalid", "The timestamp is wrong."),
        StatusRow(
            errSecTimestampNotTrusted, "errSecTimestampNotTrusted",
            "The timestamp comes from an untrusted authority."
        ),
        StatusRow(
            errSecTimestampServiceNotAvailable, "errSecTimestampServiceNotAvailable",
            "The timestamp authority cannot be reached."
        ),
        StatusRow(
            errSecTimestampBadAlg, "errSecTimestampBadAlg",
            "The timestamp authority does not know the algorithm."
        ),
        StatusRow(
            errSecTimestampBadRequest, "errSecTimestampBadRequest",
            "The timestamp authority does not accept such a request."
        ),
        StatusRow(
            errSecTimestampBadDataFormat, "errSecTimestampBadDataFormat",
            "The timestamp authority could not read the data."
        ),
        StatusRow(
            errSecTimestampTimeNotAvailable, "errSecTimestampTimeNotAvailable",
            "The timestamp authority has no source of time."
        ),
        StatusRow(
            errSecTimestampUnacceptedPolicy, "errSecTimestampUnacceptedPolicy",
            "The timestamp authority does not offer the policy asked for."
        ),
        StatusRow(
            errSecTimestampUnacceptedExtension, "errSecTimestampUnacceptedExtension",
            "The timestamp authority does not offer the extension asked for."
        ),
        StatusRow(
            errSecTimestampAddInfoNotAvailable, "errSecTimestampAddInfoNotAvailable",
            "The timestamp authority cannot give the additional information."
        ),
        StatusRow(
            errSecTimestampSystemFailure, "errSecTimestampSystemFailure",
            "The timestamp authority had an internal failure."
        ),
        StatusRow(errSecSigningTimeMissing, "errSecSigningTimeMissing", "The signature does not say when it was made."),
        StatusRow(errSecTimestampRejection, "errSecTimestampRejection", "The timestamp request was refused."),
        StatusRow(errSecTimestampWaiting, "errSecTimestampWaiting", "The timestamp request is waiting."),
        StatusRow(
            errSecTimestampRevocationWarning, "errSecTimestampRevocationWarning",
            "The timestamp authority's certificate is about to be revoked."
        ),
        StatusRow(
            errSecTimestampRevocationNotification, "errSecTimestampRevocationNotification",
            "The timestamp authority's certificate has been revoked."
        ),
        StatusRow(
            errSecCertificatePolicyNotAllowed, "errSecCertificatePolicyNotAllowed",
            "An authority in the chain does not permit the certificate's policy."
        ),
        StatusRow(
            errSecCertificateNameNotAllowed, "errSecCertificateNameNotAllowed",
            "An authority in the chain does not permit the certificate's name."
        ),
        StatusRow(
            errSecCertificateValidityPeriodTooLong, "errSecCertificateValidityPeriodTooLong",
            "The certificate is valid for longer than permitted."
        ),
        StatusRow(
            errSecCertificateIsCA, "errSecCertificateIsCA",
            "An authority's certificate was used where an end entity's belongs."
        ),
        StatusRow(
            errSecCertificateDuplicateExtension, "errSecCertificateDuplicateExtension",
            "The certificate has the same extension twice."
        ),
        StatusRow(
            errSecMissingQualifiedCertStatement, "errSecMissingQualifiedCertStatement",
            "The certificate lacks a qualified statement that the purpose requires."
        ),
    ]
}
