// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.

import Foundation
import Security

/// Every constant by its name in C, what a client's compiler sees under its name in Swift, and Apple's value.
///
/// A name that is missing does not compile.
enum ConstantTable {
    typealias Row = (name: String, seen: String, value: String)

    private static let accessControlCreateFlagsRows: [Row] = [
        ("kSecAccessControlUserPresence", String(SecAccessControlCreateFlags.userPresence.rawValue), "1"),
        ("kSecAccessControlBiometryAny", String(SecAccessControlCreateFlags.biometryAny.rawValue), "2"),
        ("kSecAccessControlTouchIDAny", String(SecAccessControlCreateFlags.touchIDAny.rawValue), "2"),
        ("kSecAccessControlBiometryCurrentSet", String(SecAccessControlCreateFlags.biometryCurrentSet.rawValue), "8"),
        ("kSecAccessControlTouchIDCurrentSet", String(SecAccessControlCreateFlags.touchIDCurrentSet.rawValue), "8"),
        ("kSecAccessControlDevicePasscode", String(SecAccessControlCreateFlags.devicePasscode.rawValue), "16"),
        ("kSecAccessControlWatch", String(SecAccessControlCreateFlags.watch.rawValue), "32"),
        ("kSecAccessControlCompanion", String(SecAccessControlCreateFlags.companion.rawValue), "32"),
        ("kSecAccessControlOr", String(SecAccessControlCreateFlags.or.rawValue), "16384"),
        ("kSecAccessControlAnd", String(SecAccessControlCreateFlags.and.rawValue), "32768"),
        (
            "kSecAccessControlPrivateKeyUsage", String(SecAccessControlCreateFlags.privateKeyUsage.rawValue),
            "1073741824"
        ),
        (
            "kSecAccessControlApplicationPassword", String(SecAccessControlCreateFlags.applicationPassword.rawValue),
            "2147483648"
        ),
    ]

    private static let attributeKeysRows: [Row] = [
        ("kSecAttrAccessible", kSecAttrAccessible as String, "pdmn"),
        ("kSecAttrAccess", kSecAttrAccess as String, "acls"),
        ("kSecAttrAccessControl", kSecAttrAccessControl as String, "accc"),
        ("kSecAttrAccessGroup", kSecAttrAccessGroup as String, "agrp"),
        ("kSecAttrSynchronizable", kSecAttrSynchronizable as String, "sync"),
        ("kSecAttrSyncViewHint", kSecAttrSyncViewHint as String, "vwht"),
        ("kSecAttrTokenID", kSecAttrTokenID as String, "tkid"),
        ("kSecAttrPersistantReference", kSecAttrPersistantReference as String, "persistref"),
        ("kSecAttrPersistentReference", kSecAttrPersistentReference as String, "persistref"),
        ("kSecAttrCreationDate", kSecAttrCreationDate as String, "cdat"),
        ("kSecAttrModificationDate", kSecAttrModificationDate as String, "mdat"),
        ("kSecAttrLabel", kSecAttrLabel as String, "labl"),
        ("kSecAttrDescription", kSecAttrDescription as String, "desc"),
        ("kSecAttrComment", kSecAttrComment as String, "icmt"),
        ("kSecAttrCreator", kSecAttrCreator as String, "crtr"),
        ("kSecAttrType", kSecAttrType as String, "type"),
        ("kSecAttrIsInvisible", kSecAttrIsInvisible as String, "invi"),
        ("kSecAttrIsNegative", kSecAttrIsNegative as String, "nega"),
        ("kSecAttrAccount", kSecAttrAccount as String, "acct"),
        ("kSecAttrService", kSecAttrService as String, "svce"),
        ("kSecAttrGeneric", kSecAttrGeneric as String, "gena"),
        ("kSecAttrSecurityDomain", kSecAttrSecurityDomain as String, "sdmn"),
        ("kSecAttrServer", kSecAttrServer as String, "srvr"),
        ("kSecAttrProtocol", kSecAttrProtocol as String, "ptcl"),
        ("kSecAttrAuthenticationType", kSecAttrAuthenticationType as String, "atyp"),
        ("kSecAttrPort", kSecAttrPort as String, "port"),
        ("kSecAttrPath", kSecAttrPath as String, "path"),
        ("kSecAttrSubject", kSecAttrSubject as String, "subj"),
        ("kSecAttrIssuer", kSecAttrIssuer as String, "issr"),
        ("kSecAttrSerialNumber", kSecAttrSerialNumber as String, "slnr"),
        ("kSecAttrSubjectKeyID", kSecAttrSubjectKeyID as String, "skid"),
        ("kSecAttrPublicKeyHash", kSecAttrPublicKeyHash as String, "pkhh"),
        ("kSecAttrCertificateType", kSecAttrCertificateType as String, "ctyp"),
        ("kSecAttrCertificateEncoding", kSecAttrCertificateEncoding as String, "cenc"),
        ("kSecAttrKeyClass", kSecAttrKeyClass as String, "kcls"),
        ("kSecAttrApplicationLabel", kSecAttrApplicationLabel as String, "klbl"),
        ("kSecAttrIsPermanent", kSecAttrIsPermanent as String, "perm"),
        ("kSecAttrIsSensitive", kSecAttrIsSensitive as String, "sens"),
        ("kSecAttrIsExtractable", kSecAttrIsExtractable as String, "extr"),
        ("kSecAttrApplicationTag", kSecAttrApplicationTag as String, "atag"),
        ("kSecAttrKeyType", kSecAttrKeyType as String, "type"),
        ("kSecAttrKeySizeInBits", kSecAttrKeySizeInBits as String, "bsiz"),
        ("kSecAttrEffectiveKeySize", kSecAttrEffectiveKeySize as String, "esiz"),
        ("kSecAttrCanEncrypt", kSecAttrCanEncrypt as String, "encr"),
        ("kSecAttrCanDecrypt", kSecAttrCanDecrypt as String, "decr"),
        ("kSecAttrCanDerive", kSecAttrCanDerive as String, "drve"),
        ("kSecAttrCanSign", kSecAttrCanSign as String, "sign"),
        ("kSecAttrCanVerify", kSecAttrCanVerify as String, "vrfy"),
        ("kSecAttrCanWrap", kSecAttrCanWrap as String, "wrap"),
        ("kSecAttrCanUnwrap", kSecAttrCanUnwrap as String, "unwp"),
        ("kSecAttrPRF", kSecAttrPRF as String, "prf"),
        ("kSecAttrSalt", kSecAttrSalt as String, "salt"),
        ("kSecAttrRounds", kSecAttrRounds as String, "rounds"),
    ]

    private static let attributeValuesInternetPasswordRows: [Row] = [
        ("kSecAttrProtocolFTP", kSecAttrProtocolFTP as String, "ftp "),
        ("kSecAttrProtocolFTPAccount", kSecAttrProtocolFTPAccount as String, "ftpa"),
        ("kSecAttrProtocolHTTP", kSecAttrProtocolHTTP as String, "http"),
        ("kSecAttrProtocolIRC", kSecAttrProtocolIRC as String, "irc "),
        ("kSecAttrProtocolNNTP", kSecAttrProtocolNNTP as String, "nntp"),
        ("kSecAttrProtocolPOP3", kSecAttrProtocolPOP3 as String, "pop3"),
        ("kSecAttrProtocolSMTP", kSecAttrProtocolSMTP as String, "smtp"),
        ("kSecAttrProtocolSOCKS", kSecAttrProtocolSOCKS as String, "sox "),
        ("kSecAttrProtocolIMAP", kSecAttrProtocolIMAP as String, "imap"),
        ("kSecAttrProtocolLDAP", kSecAttrProtocolLDAP as String, "ldap"),
        ("kSecAttrProtocolAppleTalk", kSecAttrProtocolAppleTalk as String, "atlk"),
        ("kSecAttrProtocolAFP", kSecAttrProtocolAFP as String, "afp "),
        ("kSecAttrProtocolTelnet", kSecAttrProtocolTelnet as String, "teln"),
        ("kSecAttrProtocolSSH", kSecAttrProtocolSSH as String, "ssh "),
        ("kSecAttrProtocolFTPS", kSecAttrProtocolFTPS as String, "ftps"),
        ("kSecAttrProtocolHTTPS", kSecAttrProtocolHTTPS as String, "htps"),
        ("kSecAttrProtocolHTTPProxy", kSecAttrProtocolHTTPProxy as String, "htpx"),
        ("kSecAttrProtocolHTTPSProxy", kSecAttrProtocolHTTPSProxy as String, "htsx"),
        ("kSecAttrProtocolFTPProxy", kSecAttrProtocolFTPProxy as String, "ftpx"),
        ("kSecAttrProtocolSMB", kSecAttrProtocolSMB as String, "smb "),
        ("kSecAttrProtocolRTSP", kSecAttrProtocolRTSP as String, "rtsp"),
        ("kSecAttrProtocolRTSPProxy", kSecAttrProtocolRTSPProxy as String, "rtsx"),
        ("kSecAttrProtocolDAAP", kSecAttrProtocolDAAP as String, "daap"),
        ("kSecAttrProtocolEPPC", kSecAttrProtocolEPPC as String, "eppc"),
        ("kSecAttrProtocolIPP", kSecAttrProtocolIPP as String, "ipp "),
        ("kSecAttrProtocolNNTPS", kSecAttrProtocolNNTPS as String, "ntps"),
        ("kSecAttrProtocolLDAPS", kSecAttrProtocolLDAPS as String, "ldps"),
        ("kSecAttrProtocolTelnetS", kSecAttrProtocolTelnetS as String, "tels"),
        ("kSecAttrProtocolIMAPS", kSecAttrProtocolIMAPS as String, "imps"),
        ("kSecAttrProtocolIRCS", kSecAttrProtocolIRCS as String, "ircs"),
        ("kSecAttrProtocolPOP3S", kSecAttrProtocolPOP3S as String, "pops"),
        ("kSecAttrAuthenticationTypeNTLM", kSecAttrAuthenticationTypeNTLM as String, "ntlm"),
        ("kSecAttrAuthenticationTypeMSN", kSecAttrAuthenticationTypeMSN as String, "msna"),
        ("kSecAttrAuthenticationTypeDPA", kSecAttrAuthenticationTypeDPA as String, "dpaa"),
        ("kSecAttrAuthenticationTypeRPA", kSecAttrAuthenticationTypeRPA as String, "rpaa"),
        ("kSecAttrAuthenticationTypeHTTPBasic", kSecAttrAuthenticationTypeHTTPBasic as String, "http"),
        ("kSecAttrAuthenticationTypeHTTPDigest", kSecAttrAuthenticationTypeHTTPDigest as String, "httd"),
        ("kSecAttrAuthenticationTypeHTMLForm", kSecAttrAuthenticationTypeHTMLForm as String, "form"),
        ("kSecAttrAuthenticationTypeDefault", kSecAttrAuthenticationTypeDefault as String, "dflt"),
    ]

    private static let attributeValuesKeyRows: [Row] = [
        ("kSecAttrKeyClassPublic", kSecAttrKeyClassPublic as String, "0"),
        ("kSecAttrKeyClassPrivate", kSecAttrKeyClassPrivate as String, "1"),
        ("kSecAttrKeyClassSymmetric", kSecAttrKeyClassSymmetric as String, "2"),
        ("kSecAttrKeyTypeRSA", kSecAttrKeyTypeRSA as String, "42"),
        ("kSecAttrKeyTypeDSA", kSecAttrKeyTypeDSA as String, "43"),
        ("kSecAttrKeyTypeAES", kSecAttrKeyTypeAES as String, "2147483649"),
        ("kSecAttrKeyTypeDES", kSecAttrKeyTypeDES as String, "14"),
        ("kSecAttrKeyType3DES", kSecAttrKeyType3DES as String, "17"),
        ("kSecAttrKeyTypeRC4", kSecAttrKeyTypeRC4 as String, "25"),
        ("kSecAttrKeyTypeRC2", kSecAttrKeyTypeRC2 as String, "23"),
        ("kSecAttrKeyTypeCAST", kSecAttrKeyTypeCAST as String, "56"),
        ("kSecAttrKeyTypeECDSA", kSecAttrKeyTypeECDSA as String, "73"),
        ("kSecAttrKeyTypeEC", kSecAttrKeyTypeEC as String, "73"),
        ("kSecAttrKeyTypeECSECPrimeRandom", kSecAttrKeyTypeECSECPrimeRandom as String, "73"),
        ("kSecAttrPRFHmacAlgSHA1", kSecAttrPRFHmacAlgSHA1 as String, "hsha1"),
        ("kSecAttrPRFHmacAlgSHA224", kSecAttrPRFHmacAlgSHA224 as String, "hsha224"),
        ("kSecAttrPRFHmacAlgSHA256", kSecAttrPRFHmacAlgSHA256 as String, "hsha256"),
        ("kSecAttrPRFHmacAlgSHA384", kSecAttrPRFHmacAlgSHA384 as String, "hsha384"),
        ("kSecAttrPRFHmacAlgSHA512", kSecAttrPRFHmacAlgSHA512 as String, "hsha512"),
    ]

    private static let attributeValuesSharingRows: [Row] = [
        ("kSecAttrAccessibleWhenUnlocked", kSecAttrAccessibleWhenUnlocked as String, "ak"),
        ("kSecAttrAccessibleAfterFirstUnlock", kSecAttrAccessibleAfterFirstUnlock as String, "ck"),
        ("kSecAttrAccessibleAlways", kSecAttrAccessibleAlways as String, "dk"),
        (
            "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly",
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String,
            "akpu"
        ),
        ("kSecAttrAccessibleWhenUnlockedThisDeviceOnly", kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String, "aku"),
        (
            "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String,
            "cku"
        ),
        ("kSecAttrAccessibleAlwaysThisDeviceOnly", kSecAttrAccessibleAlwaysThisDeviceOnly as String, "dku"),
        ("kSecAttrSynchronizableAny", kSecAttrSynchronizableAny as String, "syna"),
        ("kSecAttrTokenIDSecureEnclave", kSecAttrTokenIDSecureEnclave as String, "com.apple.setoken"),
        ("kSecAttrAccessGroupToken", kSecAttrAccessGroupToken as String, "com.apple.token"),
    ]

    private static let certificateExtensionOIDsRows: [Row] = [
        ("kSecOIDAPPLE_EXTENSION", kSecOIDAPPLE_EXTENSION as String, "1.2.840.113635.100.6"),
        (
            "kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE", kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE as String,
            "1.2.840.113635.100.6.2.3"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING", kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING as String,
            "1.2.840.113635.100.6.1.2.0.0"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING", kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING as String,
            "1.2.840.113635.100.6.1.2.0"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE", kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE as String,
            "1.2.840.113635.100.6.2.7"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_APPLE_SIGNING", kSecOIDAPPLE_EXTENSION_APPLE_SIGNING as String,
            "1.2.840.113635.100.6.1.1"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_CODE_SIGNING", kSecOIDAPPLE_EXTENSION_CODE_SIGNING as String,
            "1.2.840.113635.100.6.1"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER", kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER as String,
            "1.2.840.113635.100.6.2"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE", kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE as String,
            "1.2.840.113635.100.6.2.2"
        ),
        (
            "kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE", kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE as String,
            "1.2.840.113635.100.6.2.1"
        ),
        ("kSecOIDAuthorityInfoAccess", kSecOIDAuthorityInfoAccess as String, "1.3.6.1.5.5.7.1.1"),
        ("kSecOIDAuthorityKeyIdentifier", kSecOIDAuthorityKeyIdentifier as String, "2.5.29.35"),
        ("kSecOIDBasicConstraints", kSecOIDBasicConstraints as String, "2.5.29.19"),
        ("kSecOIDBiometricInfo", kSecOIDBiometricInfo as String, "1.3.6.1.5.5.7.1.2"),
        ("kSecOIDCertIssuer", kSecOIDCertIssuer as String, "2.5.29.29"),
        ("kSecOIDCertificatePolicies", kSecOIDCertificatePolicies as String, "2.5.29.32"),
        ("kSecOIDCrlDistributionPoints", kSecOIDCrlDistributionPoints as String, "2.5.29.31"),
        ("kSecOIDCrlNumber", kSecOIDCrlNumber as String, "2.5.29.20"),
        ("kSecOIDCrlReason", kSecOIDCrlReason as String, "2.5.29.21"),
        ("kSecOIDDOTMAC_CERT_EXTENSION", kSecOIDDOTMAC_CERT_EXTENSION as String, "1.2.840.113635.100.3.2"),
        ("kSecOIDDeltaCrlIndicator", kSecOIDDeltaCrlIndicator as String, "2.5.29.27"),
        ("kSecOIDExtendedKeyUsage", kSecOIDExtendedKeyUsage as String, "2.5.29.37"),
        ("kSecOIDHoldInstructionCode", kSecOIDHoldInstructionCode as String, "2.5.29.23"),
        ("kSecOIDInvalidityDate", kSecOIDInvalidityDate as String, "2.5.29.24"),
        ("kSecOIDIssuerAltName", kSecOIDIssuerAltName as String, "2.5.29.18"),
        ("kSecOIDIssuingDistributionPoint", kSecOIDIssuingDistributionPoint as String, "2.5.29.28"),
        ("kSecOIDIssuingDistributionPoints", kSecOIDIssuingDistributionPoints as String, "2.5.29.28"),
        ("kSecOIDKeyUsage", kSecOIDKeyUsage as String, "2.5.29.15"),
        ("kSecOIDNameConstraints", kSecOIDNameConstraints as String, "2.5.29.30"),
        ("kSecOIDNetscapeCertSequence", kSecOIDNetscapeCertSequence as String, "2.16.840.1.113730.2.5"),
        ("kSecOIDNetscapeCertType", kSecOIDNetscapeCertType as String, "2.16.840.1.113730.1.1"),
        ("kSecOIDPolicyConstraints", kSecOIDPolicyConstraints as String, "2.5.29.36"),
        ("kSecOIDPolicyMappings", kSecOIDPolicyMappings as String, "2.5.29.33"),
        ("kSecOIDPrivateKeyUsagePeriod", kSecOIDPrivateKeyUsagePeriod as String, "2.5.29.16"),
        ("kSecOIDQC_Statements", kSecOIDQC_Statements as String, "1.3.6.1.5.5.7.1.3"),
        ("kSecOIDSubjectAltName", kSecOIDSubjectAltName as String, "2.5.29.17"),
        ("kSecOIDSubjectDirectoryAttributes", kSecOIDSubjectDirectoryAttributes as String, "2.5.29.9"),
        ("kSecOIDSubjectInfoAccess", kSecOIDSubjectInfoAccess as String, "1.3.6.1.5.5.7.1.11"),
        ("kSecOIDSubjectKeyIdentifier", kSecOIDSubjectKeyIdentifier as String, "2.5.29.14"),
    ]

    private static let certificateFieldOIDsRows: [Row] = [
        ("kSecOIDCSSMKeyStruct", kSecOIDCSSMKeyStruct as String, "2.16.840.1.113741.2.1.1.1.20"),
        (
            "kSecOIDX509V1CertificateIssuerUniqueId", kSecOIDX509V1CertificateIssuerUniqueId as String,
            "2.16.840.1.113741.2.1.1.1.11"
        ),
        (
            "kSecOIDX509V1CertificateSubjectUniqueId", kSecOIDX509V1CertificateSubjectUniqueId as String,
            "2.16.840.1.113741.2.1.1.1.12"
        ),
        ("kSecOIDX509V1IssuerName", kSecOIDX509V1IssuerName as String, "2.16.840.1.113741.2.1.1.1.5"),
        ("kSecOIDX509V1IssuerNameCStruct", kSecOIDX509V1IssuerNameCStruct as String, "2.16.840.1.113741.2.1.1.1.5.1"),
        ("kSecOIDX509V1IssuerNameLDAP", kSecOIDX509V1IssuerNameLDAP as String, "2.16.840.1.113741.2.1.1.1.5.2"),
        ("kSecOIDX509V1IssuerNameStd", kSecOIDX509V1IssuerNameStd as String, "2.16.840.1.113741.2.1.1.1.23"),
        ("kSecOIDX509V1SerialNumber", kSecOIDX509V1SerialNumber as String, "2.16.840.1.113741.2.1.1.1.3"),
        ("kSecOIDX509V1Signature", kSecOIDX509V1Signature as String, "2.16.840.1.113741.2.1.3.2.2"),
        ("kSecOIDX509V1SignatureAlgorithm", kSecOIDX509V1SignatureAlgorithm as String, "2.16.840.1.113741.2.1.3.2.1"),
        (
            "kSecOIDX509V1SignatureAlgorithmParameters", kSecOIDX509V1SignatureAlgorithmParameters as String,
            "2.16.840.1.113741.2.1.3.2.3"
        ),
        (
            "kSecOIDX509V1SignatureAlgorithmTBS", kSecOIDX509V1SignatureAlgorithmTBS as String,
            "2.16.840.1.113741.2.1.3.2.10"
        ),
        ("kSecOIDX509V1SignatureCStruct", kSecOIDX509V1SignatureCStruct as String, "2.16.840.1.113741.2.1.3.2.0.1"),
        ("kSecOIDX509V1SignatureStruct", kSecOIDX509V1SignatureStruct as String, "2.16.840.1.113741.2.1.3.2.0"),
        ("kSecOIDX509V1SubjectName", kSecOIDX509V1SubjectName as String, "2.16.840.1.113741.2.1.1.1.8"),
        ("kSecOIDX509V1SubjectNameCStruct", kSecOIDX509V1SubjectNameCStruct as String, "2.16.840.1.113741.2.1.1.1.8.1"),
        ("kSecOIDX509V1SubjectNameLDAP", kSecOIDX509V1SubjectNameLDAP as String, "2.16.840.1.113741.2.1.1.1.8.2"),
        ("kSecOIDX509V1SubjectNameStd", kSecOIDX509V1SubjectNameStd as String, "2.16.840.1.113741.2.1.1.1.22"),
        ("kSecOIDX509V1SubjectPublicKey", kSecOIDX509V1SubjectPublicKey as String, "2.16.840.1.113741.2.1.1.1.10"),
        (
            "kSecOIDX509V1SubjectPublicKeyAlgorithm", kSecOIDX509V1SubjectPublicKeyAlgorithm as String,
            "2.16.840.1.113741.2.1.1.1.9"
        ),
        (
            "kSecOIDX509V1SubjectPublicKeyAlgorithmParameters",
            kSecOIDX509V1SubjectPublicKeyAlgorithmParameters as String,
            "2.16.840.1.113741.2.1.1.1.18"
        ),
        (
            "kSecOIDX509V1SubjectPublicKeyCStruct", kSecOIDX509V1SubjectPublicKeyCStruct as String,
            "2.16.840.1.113741.2.1.1.1.20.1"
        ),
        ("kSecOIDX509V1ValidityNotAfter", kSecOIDX509V1ValidityNotAfter as String, "2.16.840.1.113741.2.1.1.1.7"),
        ("kSecOIDX509V1ValidityNotBefore", kSecOIDX509V1ValidityNotBefore as String, "2.16.840.1.113741.2.1.1.1.6"),
        ("kSecOIDX509V1Version", kSecOIDX509V1Version as String, "2.16.840.1.113741.2.1.1.1.2"),
        ("kSecOIDX509V3Certificate", kSecOIDX509V3Certificate as String, "2.16.840.1.113741.2.1.1.1.1"),
        ("kSecOIDX509V3CertificateCStruct", kSecOIDX509V3CertificateCStruct as String, "2.16.840.1.113741.2.1.1.1.1.1"),
        (
            "kSecOIDX509V3CertificateExtensionCStruct", kSecOIDX509V3CertificateExtensionCStruct as String,
            "2.16.840.1.113741.2.1.1.1.13.1"
        ),
        (
            "kSecOIDX509V3CertificateExtensionCritical", kSecOIDX509V3CertificateExtensionCritical as String,
            "2.16.840.1.113741.2.1.1.1.16"
        ),
        (
            "kSecOIDX509V3CertificateExtensionId", kSecOIDX509V3CertificateExtensionId as String,
            "2.16.840.1.113741.2.1.1.1.15"
        ),
        (
            "kSecOIDX509V3CertificateExtensionStruct", kSecOIDX509V3CertificateExtensionStruct as String,
            "2.16.840.1.113741.2.1.1.1.13"
        ),
        (
            "kSecOIDX509V3CertificateExtensionType", kSecOIDX509V3CertificateExtensionType as String,
            "2.16.840.1.113741.2.1.1.1.19"
        ),
        (
            "kSecOIDX509V3CertificateExtensionValue", kSecOIDX509V3CertificateExtensionValue as String,
            "2.16.840.1.113741.2.1.1.1.17"
        ),
        (
            "kSecOIDX509V3CertificateExtensionsCStruct", kSecOIDX509V3CertificateExtensionsCStruct as String,
            "2.16.840.1.113741.2.1.1.1.21.1"
        ),
        (
            "kSecOIDX509V3CertificateExtensionsStruct", kSecOIDX509V3CertificateExtensionsStruct as String,
            "2.16.840.1.113741.2.1.1.1.21"
        ),
        (
            "kSecOIDX509V3CertificateNumberOfExtensions", kSecOIDX509V3CertificateNumberOfExtensions as String,
            "2.16.840.1.113741.2.1.1.1.14"
        ),
        ("kSecOIDX509V3SignedCertificate", kSecOIDX509V3SignedCertificate as String, "2.16.840.1.113741.2.1.1.1.0"),
        (
            "kSecOIDX509V3SignedCertificateCStruct", kSecOIDX509V3SignedCertificateCStruct as String,
            "2.16.840.1.113741.2.1.1.1.0.1"
        ),
    ]

    private static let certificateNameOIDsRows: [Row] = [
        ("kSecOIDCollectiveStateProvinceName", kSecOIDCollectiveStateProvinceName as String, "2.5.4.8.1"),
        ("kSecOIDCollectiveStreetAddress", kSecOIDCollectiveStreetAddress as String, "2.5.4.9.1"),
        ("kSecOIDCommonName", kSecOIDCommonName as String, "2.5.4.3"),
        ("kSecOIDCountryName", kSecOIDCountryName as String, "2.5.4.6"),
        ("kSecOIDDescription", kSecOIDDescription as String, "2.5.4.13"),
        ("kSecOIDEmailAddress", kSecOIDEmailAddress as String, "1.2.840.113549.1.9.1"),
        ("kSecOIDGivenName", kSecOIDGivenName as String, "2.5.4.42"),
        ("kSecOIDLocalityName", kSecOIDLocalityName as String, "2.5.4.7"),
        ("kSecOIDMS_NTPrincipalName", kSecOIDMS_NTPrincipalName as String, "1.3.6.1.4.1.311.20.2.3"),
        ("kSecOIDOrganizationName", kSecOIDOrganizationName as String, "2.5.4.10"),
        ("kSecOIDOrganizationalUnitName", kSecOIDOrganizationalUnitName as String, "2.5.4.11"),
        ("kSecOIDSRVName", kSecOIDSRVName as String, "1.3.6.1.5.5.7.8.7"),
        ("kSecOIDSerialNumber", kSecOIDSerialNumber as String, "2.5.4.5"),
        ("kSecOIDStateProvinceName", kSecOIDStateProvinceName as String, "2.5.4.8"),
        ("kSecOIDStreetAddress", kSecOIDStreetAddress as String, "2.5.4.9"),
        ("kSecOIDSubjectEmailAddress", kSecOIDSubjectEmailAddress as String, "2.16.840.1.113741.2.1.1.1.50.3"),
        ("kSecOIDSubjectPicture", kSecOIDSubjectPicture as String, "2.16.840.1.113741.2.1.1.1.50.2"),
        ("kSecOIDSubjectSignatureBitmap", kSecOIDSubjectSignatureBitmap as String, "2.16.840.1.113741.2.1.1.1.50.1"),
        ("kSecOIDSurname", kSecOIDSurname as String, "2.5.4.4"),
        ("kSecOIDTitle", kSecOIDTitle as String, "2.5.4.12"),
        ("kSecOIDUseExemptions", kSecOIDUseExemptions as String, "2.16.840.1.113741.2.1.1.1.50.4"),
    ]

    private static let certificatePropertyRows: [Row] = [
        ("kSecPropertyKeyType", kSecPropertyKeyType as String, "type"),
        ("kSecPropertyKeyLabel", kSecPropertyKeyLabel as String, "label"),
        ("kSecPropertyKeyLocalizedLabel", kSecPropertyKeyLocalizedLabel as String, "localized label"),
        ("kSecPropertyKeyValue", kSecPropertyKeyValue as String, "value"),
        ("kSecPropertyTypeWarning", kSecPropertyTypeWarning as String, "warning"),
        ("kSecPropertyTypeSuccess", kSecPropertyTypeSuccess as String, "success"),
        ("kSecPropertyTypeSection", kSecPropertyTypeSection as String, "section"),
        ("kSecPropertyTypeData", kSecPropertyTypeData as String, "data"),
        ("kSecPropertyTypeString", kSecPropertyTypeString as String, "string"),
        ("kSecPropertyTypeURL", kSecPropertyTypeURL as String, "url"),
        ("kSecPropertyTypeDate", kSecPropertyTypeDate as String, "date"),
        ("kSecPropertyTypeArray", kSecPropertyTypeArray as String, "array"),
        ("kSecPropertyTypeNumber", kSecPropertyTypeNumber as String, "number"),
    ]

    private static let certificatePurposeOIDsRows: [Row] = [
        ("kSecOIDADC_CERT_POLICY", kSecOIDADC_CERT_POLICY as String, "1.2.840.113635.100.5.3"),
        ("kSecOIDAPPLE_CERT_POLICY", kSecOIDAPPLE_CERT_POLICY as String, "1.2.840.113635.100.5.1"),
        ("kSecOIDAPPLE_EKU_CODE_SIGNING", kSecOIDAPPLE_EKU_CODE_SIGNING as String, "1.2.840.113635.100.4.1"),
        ("kSecOIDAPPLE_EKU_CODE_SIGNING_DEV", kSecOIDAPPLE_EKU_CODE_SIGNING_DEV as String, "1.2.840.113635.100.4.1.1"),
        ("kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION", kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION as String, "1.2.840.113635.100.4.3"),
        ("kSecOIDAPPLE_EKU_ICHAT_SIGNING", kSecOIDAPPLE_EKU_ICHAT_SIGNING as String, "1.2.840.113635.100.4.2"),
        ("kSecOIDAPPLE_EKU_RESOURCE_SIGNING", kSecOIDAPPLE_EKU_RESOURCE_SIGNING as String, "1.2.840.113635.100.4.1.4"),
        ("kSecOIDAPPLE_EKU_SYSTEM_IDENTITY", kSecOIDAPPLE_EKU_SYSTEM_IDENTITY as String, "1.2.840.113635.100.4.4"),
        ("kSecOIDClientAuth", kSecOIDClientAuth as String, "1.3.6.1.5.5.7.3.2"),
        ("kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT", kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT as String, "1.2.840.113635.100.3.2.3"),
        ("kSecOIDDOTMAC_CERT_EMAIL_SIGN", kSecOIDDOTMAC_CERT_EMAIL_SIGN as String, "1.2.840.113635.100.3.2.2"),
        ("kSecOIDDOTMAC_CERT_IDENTITY", kSecOIDDOTMAC_CERT_IDENTITY as String, "1.2.840.113635.100.3.2.1"),
        ("kSecOIDDOTMAC_CERT_POLICY", kSecOIDDOTMAC_CERT_POLICY as String, "1.2.840.113635.100.5.2"),
        ("kSecOIDEKU_IPSec", kSecOIDEKU_IPSec as String, "1.3.6.1.5.5.8.2.2"),
        ("kSecOIDEmailProtection", kSecOIDEmailProtection as String, "1.3.6.1.5.5.7.3.4"),
        ("kSecOIDExtendedKeyUsageAny", kSecOIDExtendedKeyUsageAny as String, "2.5.29.37.0"),
        ("kSecOIDExtendedUseCodeSigning", kSecOIDExtendedUseCodeSigning as String, "1.3.6.1.5.5.7.3.3"),
        ("kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH", kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH as String, "1.3.6.1.5.2.3.4"),
        ("kSecOIDKERBv5_PKINIT_KP_KDC", kSecOIDKERBv5_PKINIT_KP_KDC as String, "1.3.6.1.5.2.3.5"),
        ("kSecOIDMicrosoftSGC", kSecOIDMicrosoftSGC as String, "1.3.6.1.4.1.311.10.3.3"),
        ("kSecOIDNetscapeSGC", kSecOIDNetscapeSGC as String, "2.16.840.1.113730.4.1"),
        ("kSecOIDOCSPSigning", kSecOIDOCSPSigning as String, "1.3.6.1.5.5.7.3.9"),
        ("kSecOIDServerAuth", kSecOIDServerAuth as String, "1.3.6.1.5.5.7.3.1"),
        ("kSecOIDTimeStamping", kSecOIDTimeStamping as String, "1.3.6.1.5.5.7.3.8"),
    ]

    private static let classRows: [Row] = [
        ("kSecClass", kSecClass as String, "class"),
        ("kSecClassGenericPassword", kSecClassGenericPassword as String, "genp"),
        ("kSecClassInternetPassword", kSecClassInternetPassword as String, "inet"),
        ("kSecClassCertificate", kSecClassCertificate as String, "cert"),
        ("kSecClassKey", kSecClassKey as String, "keys"),
        ("kSecClassIdentity", kSecClassIdentity as String, "idnt"),
    ]

    private static let externalFormatRows: [Row] = [
        ("kSecFormatUnknown", String(SecExternalFormat.formatUnknown.rawValue), "0"),
        ("kSecFormatOpenSSL", String(SecExternalFormat.formatOpenSSL.rawValue), "1"),
        ("kSecFormatSSH", String(SecExternalFormat.formatSSH.rawValue), "2"),
        ("kSecFormatBSAFE", String(SecExternalFormat.formatBSAFE.rawValue), "3"),
        ("kSecFormatRawKey", String(SecExternalFormat.formatRawKey.rawValue), "4"),
        ("kSecFormatWrappedPKCS8", String(SecExternalFormat.formatWrappedPKCS8.rawValue), "5"),
        ("kSecFormatWrappedOpenSSL", String(SecExternalFormat.formatWrappedOpenSSL.rawValue), "6"),
        ("kSecFormatWrappedSSH", String(SecExternalFormat.formatWrappedSSH.rawValue), "7"),
        ("kSecFormatWrappedLSH", String(SecExternalFormat.formatWrappedLSH.rawValue), "8"),
        ("kSecFormatX509Cert", String(SecExternalFormat.formatX509Cert.rawValue), "9"),
        ("kSecFormatPEMSequence", String(SecExternalFormat.formatPEMSequence.rawValue), "10"),
        ("kSecFormatPKCS7", String(SecExternalFormat.formatPKCS7.rawValue), "11"),
        ("kSecFormatPKCS12", String(SecExternalFormat.formatPKCS12.rawValue), "12"),
        ("kSecFormatNetscapeCertSequence", String(SecExternalFormat.formatNetscapeCertSequence.rawValue), "13"),
        ("kSecFormatSSHv2", String(SecExternalFormat.formatSSHv2.rawValue), "14"),
        ("kSecItemTypeUnknown", String(SecExternalItemType.itemTypeUnknown.rawValue), "0"),
        ("kSecItemTypePrivateKey", String(SecExternalItemType.itemTypePrivateKey.rawValue), "1"),
        ("kSecItemTypePublicKey", String(SecExternalItemType.itemTypePublicKey.rawValue), "2"),
        ("kSecItemTypeSessionKey", String(SecExternalItemType.itemTypeSessionKey.rawValue), "3"),
        ("kSecItemTypeCertificate", String(SecExternalItemType.itemTypeCertificate.rawValue), "4"),
        ("kSecItemTypeAggregate", String(SecExternalItemType.itemTypeAggregate.rawValue), "5"),
        ("kSecItemPemArmour", String(SecItemImportExportFlags.pemArmour.rawValue), "1"),
        ("kSecKeyImportOnlyOne", String(SecKeyImportExportFlags.importOnlyOne.rawValue), "1"),
        ("kSecKeySecurePassphrase", String(SecKeyImportExportFlags.securePassphrase.rawValue), "2"),
        ("kSecKeyNoAccessControl", String(SecKeyImportExportFlags.noAccessControl.rawValue), "4"),
    ]

    private static let identityDomainRows: [Row] = [
        ("kSecIdentityDomainDefault", kSecIdentityDomainDefault as String, "com.apple.systemdefault"),
        ("kSecIdentityDomainKerberosKDC", kSecIdentityDomainKerberosKDC as String, "com.apple.kerberos.kdc"),
    ]

    private static let importExportRows: [Row] = [
        ("kSecImportExportPassphrase", kSecImportExportPassphrase as String, "passphrase"),
        ("kSecImportExportKeychain", kSecImportExportKeychain as String, "keychain"),
        ("kSecImportExportAccess", kSecImportExportAccess as String, "access"),
        ("kSecImportToMemoryOnly", kSecImportToMemoryOnly as String, "memory"),
        ("kSecImportItemLabel", kSecImportItemLabel as String, "label"),
        ("kSecImportItemKeyID", kSecImportItemKeyID as String, "keyid"),
        ("kSecImportItemTrust", kSecImportItemTrust as String, "trust"),
        ("kSecImportItemCertChain", kSecImportItemCertChain as String, "chain"),
        ("kSecImportItemIdentity", kSecImportItemIdentity as String, "identity"),
    ]

    private static let keyAlgorithmsRows: [Row] = [
        ("kSecKeyAlgorithmRSASignatureRaw", SecKeyAlgorithm.rsaSignatureRaw.rawValue as String, "algid:sign:RSA:raw"),
        (
            "kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw",
            SecKeyAlgorithm.rsaSignatureDigestPKCS1v15Raw.rawValue as String,
            "algid:sign:RSA:digest-PKCS1v15"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1",
            SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA1.rawValue as String,
            "algid:sign:RSA:digest-PKCS1v15:SHA1"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224",
            SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA224.rawValue as String,
            "algid:sign:RSA:digest-PKCS1v15:SHA224"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256",
            SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA256.rawValue as String,
            "algid:sign:RSA:digest-PKCS1v15:SHA256"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384",
            SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA384.rawValue as String,
            "algid:sign:RSA:digest-PKCS1v15:SHA384"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512",
            SecKeyAlgorithm.rsaSignatureDigestPKCS1v15SHA512.rawValue as String,
            "algid:sign:RSA:digest-PKCS1v15:SHA512"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1",
            SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA1.rawValue as String,
            "algid:sign:RSA:message-PKCS1v15:SHA1"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224",
            SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA224.rawValue as String,
            "algid:sign:RSA:message-PKCS1v15:SHA224"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256",
            SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256.rawValue as String,
            "algid:sign:RSA:message-PKCS1v15:SHA256"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384",
            SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA384.rawValue as String,
            "algid:sign:RSA:message-PKCS1v15:SHA384"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512",
            SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA512.rawValue as String,
            "algid:sign:RSA:message-PKCS1v15:SHA512"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPSSSHA1", SecKeyAlgorithm.rsaSignatureDigestPSSSHA1.rawValue as String,
            "algid:sign:RSA:digest-PSS:SHA1:SHA1:20"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPSSSHA224",
            SecKeyAlgorithm.rsaSignatureDigestPSSSHA224.rawValue as String,
            "algid:sign:RSA:digest-PSS:SHA224:SHA224:24"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPSSSHA256",
            SecKeyAlgorithm.rsaSignatureDigestPSSSHA256.rawValue as String,
            "algid:sign:RSA:digest-PSS:SHA256:SHA256:32"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPSSSHA384",
            SecKeyAlgorithm.rsaSignatureDigestPSSSHA384.rawValue as String,
            "algid:sign:RSA:digest-PSS:SHA384:SHA384:48"
        ),
        (
            "kSecKeyAlgorithmRSASignatureDigestPSSSHA512",
            SecKeyAlgorithm.rsaSignatureDigestPSSSHA512.rawValue as String,
            "algid:sign:RSA:digest-PSS:SHA512:SHA512:64"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePSSSHA1", SecKeyAlgorithm.rsaSignatureMessagePSSSHA1.rawValue as String,
            "algid:sign:RSA:message-PSS:SHA1:SHA1:20"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePSSSHA224",
            SecKeyAlgorithm.rsaSignatureMessagePSSSHA224.rawValue as String,
            "algid:sign:RSA:message-PSS:SHA224:SHA224:24"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePSSSHA256",
            SecKeyAlgorithm.rsaSignatureMessagePSSSHA256.rawValue as String,
            "algid:sign:RSA:message-PSS:SHA256:SHA256:32"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePSSSHA384",
            SecKeyAlgorithm.rsaSignatureMessagePSSSHA384.rawValue as String,
            "algid:sign:RSA:message-PSS:SHA384:SHA384:48"
        ),
        (
            "kSecKeyAlgorithmRSASignatureMessagePSSSHA512",
            SecKeyAlgorithm.rsaSignatureMessagePSSSHA512.rawValue as String,
            "algid:sign:RSA:message-PSS:SHA512:SHA512:64"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestX962", SecKeyAlgorithm.ecdsaSignatureDigestX962.rawValue as String,
            "algid:sign:ECDSA:digest-X962"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestX962SHA1",
            SecKeyAlgorithm.ecdsaSignatureDigestX962SHA1.rawValue as String,
            "algid:sign:ECDSA:digest-X962:SHA1"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestX962SHA224",
            SecKeyAlgorithm.ecdsaSignatureDigestX962SHA224.rawValue as String,
            "algid:sign:ECDSA:digest-X962:SHA224"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestX962SHA256",
            SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256.rawValue as String,
            "algid:sign:ECDSA:digest-X962:SHA256"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestX962SHA384",
            SecKeyAlgorithm.ecdsaSignatureDigestX962SHA384.rawValue as String,
            "algid:sign:ECDSA:digest-X962:SHA384"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestX962SHA512",
            SecKeyAlgorithm.ecdsaSignatureDigestX962SHA512.rawValue as String,
            "algid:sign:ECDSA:digest-X962:SHA512"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageX962SHA1",
            SecKeyAlgorithm.ecdsaSignatureMessageX962SHA1.rawValue as String,
            "algid:sign:ECDSA:message-X962:SHA1"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageX962SHA224",
            SecKeyAlgorithm.ecdsaSignatureMessageX962SHA224.rawValue as String,
            "algid:sign:ECDSA:message-X962:SHA224"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageX962SHA256",
            SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256.rawValue as String,
            "algid:sign:ECDSA:message-X962:SHA256"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageX962SHA384",
            SecKeyAlgorithm.ecdsaSignatureMessageX962SHA384.rawValue as String,
            "algid:sign:ECDSA:message-X962:SHA384"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageX962SHA512",
            SecKeyAlgorithm.ecdsaSignatureMessageX962SHA512.rawValue as String,
            "algid:sign:ECDSA:message-X962:SHA512"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestRFC4754",
            SecKeyAlgorithm.ecdsaSignatureDigestRFC4754.rawValue as String,
            "algid:sign:ECDSA:digest-RFC4754"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1",
            SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA1.rawValue as String,
            "algid:sign:ECDSA:digest-RFC4754:SHA1"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224",
            SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA224.rawValue as String,
            "algid:sign:ECDSA:digest-RFC4754:SHA224"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256",
            SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA256.rawValue as String,
            "algid:sign:ECDSA:digest-RFC4754:SHA256"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384",
            SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA384.rawValue as String,
            "algid:sign:ECDSA:digest-RFC4754:SHA384"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512",
            SecKeyAlgorithm.ecdsaSignatureDigestRFC4754SHA512.rawValue as String,
            "algid:sign:ECDSA:digest-RFC4754:SHA512"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1",
            SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA1.rawValue as String,
            "algid:sign:ECDSA:message-RFC4754:SHA1"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224",
            SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA224.rawValue as String,
            "algid:sign:ECDSA:message-RFC4754:SHA224"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256",
            SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA256.rawValue as String,
            "algid:sign:ECDSA:message-RFC4754:SHA256"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384",
            SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA384.rawValue as String,
            "algid:sign:ECDSA:message-RFC4754:SHA384"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512",
            SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA512.rawValue as String,
            "algid:sign:ECDSA:message-RFC4754:SHA512"
        ),
        (
            "kSecKeyAlgorithmECDSASignatureRFC4754", SecKeyAlgorithm.ecdsaSignatureRFC4754.rawValue as String,
            "algid:sign:ECDSA:RFC4754"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionRaw", SecKeyAlgorithm.rsaEncryptionRaw.rawValue as String,
            "algid:encrypt:RSA:raw"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionPKCS1", SecKeyAlgorithm.rsaEncryptionPKCS1.rawValue as String,
            "algid:encrypt:RSA:PKCS1"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA1", SecKeyAlgorithm.rsaEncryptionOAEPSHA1.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA1"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA224", SecKeyAlgorithm.rsaEncryptionOAEPSHA224.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA224"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA256", SecKeyAlgorithm.rsaEncryptionOAEPSHA256.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA256"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA384", SecKeyAlgorithm.rsaEncryptionOAEPSHA384.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA384"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA512", SecKeyAlgorithm.rsaEncryptionOAEPSHA512.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA512"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM",
            SecKeyAlgorithm.rsaEncryptionOAEPSHA1AESGCM.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA1:AESGCM"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM",
            SecKeyAlgorithm.rsaEncryptionOAEPSHA224AESGCM.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA224:AESGCM"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM",
            SecKeyAlgorithm.rsaEncryptionOAEPSHA256AESGCM.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA256:AESGCM"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM",
            SecKeyAlgorithm.rsaEncryptionOAEPSHA384AESGCM.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA384:AESGCM"
        ),
        (
            "kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM",
            SecKeyAlgorithm.rsaEncryptionOAEPSHA512AESGCM.rawValue as String,
            "algid:encrypt:RSA:OAEP:SHA512:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardX963SHA1AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardX963SHA224AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardX963SHA384AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardX963SHA512AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorX963SHA1AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorX963SHA224AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorX963SHA384AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorX963SHA512AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA224AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA384AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM",
            SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA512AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA224AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA384AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM",
            SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA512AESGCM.rawValue as String,
            "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeStandard", SecKeyAlgorithm.ecdhKeyExchangeStandard.rawValue as String,
            "algid:keyexchange:ECDH"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1",
            SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA1.rawValue as String,
            "algid:keyexchange:ECDH:KDFX963:SHA1"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224",
            SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA224.rawValue as String,
            "algid:keyexchange:ECDH:KDFX963:SHA224"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256",
            SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256.rawValue as String,
            "algid:keyexchange:ECDH:KDFX963:SHA256"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384",
            SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA384.rawValue as String,
            "algid:keyexchange:ECDH:KDFX963:SHA384"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512",
            SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA512.rawValue as String,
            "algid:keyexchange:ECDH:KDFX963:SHA512"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeCofactor", SecKeyAlgorithm.ecdhKeyExchangeCofactor.rawValue as String,
            "algid:keyexchange:ECDHC"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1",
            SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA1.rawValue as String,
            "algid:keyexchange:ECDHC:KDFX963:SHA1"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224",
            SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA224.rawValue as String,
            "algid:keyexchange:ECDHC:KDFX963:SHA224"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256",
            SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA256.rawValue as String,
            "algid:keyexchange:ECDHC:KDFX963:SHA256"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384",
            SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA384.rawValue as String,
            "algid:keyexchange:ECDHC:KDFX963:SHA384"
        ),
        (
            "kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512",
            SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA512.rawValue as String,
            "algid:keyexchange:ECDHC:KDFX963:SHA512"
        ),
    ]

    private static let keyExchangeParametersRows: [Row] = [
        (
            "kSecKeyKeyExchangeParameterRequestedSize", SecKeyKeyExchangeParameter.requestedSize.rawValue as String,
            "requestedSize"
        ),
        (
            "kSecKeyKeyExchangeParameterSharedInfo", SecKeyKeyExchangeParameter.sharedInfo.rawValue as String,
            "sharedInfo"
        ),
    ]

    private static let keyGenerationRows: [Row] = [
        ("kSecPrivateKeyAttrs", kSecPrivateKeyAttrs as String, "private"),
        ("kSecPublicKeyAttrs", kSecPublicKeyAttrs as String, "public"),
    ]

    private static let keyItemAttributesRows: [Row] = [
        ("kSecKeyKeyClass", String(kSecKeyKeyClass), "0"),
        ("kSecKeyPrintName", String(kSecKeyPrintName), "1"),
        ("kSecKeyAlias", String(kSecKeyAlias), "2"),
        ("kSecKeyPermanent", String(kSecKeyPermanent), "3"),
        ("kSecKeyPrivate", String(kSecKeyPrivate), "4"),
        ("kSecKeyModifiable", String(kSecKeyModifiable), "5"),
        ("kSecKeyLabel", String(kSecKeyLabel), "6"),
        ("kSecKeyApplicationTag", String(kSecKeyApplicationTag), "7"),
        ("kSecKeyKeyCreator", String(kSecKeyKeyCreator), "8"),
        ("kSecKeyKeyType", String(kSecKeyKeyType), "9"),
        ("kSecKeyKeySizeInBits", String(kSecKeyKeySizeInBits), "10"),
        ("kSecKeyEffectiveKeySize", String(kSecKeyEffectiveKeySize), "11"),
        ("kSecKeyStartDate", String(kSecKeyStartDate), "12"),
        ("kSecKeyEndDate", String(kSecKeyEndDate), "13"),
        ("kSecKeySensitive", String(kSecKeySensitive), "14"),
        ("kSecKeyAlwaysSensitive", String(kSecKeyAlwaysSensitive), "15"),
        ("kSecKeyExtractable", String(kSecKeyExtractable), "16"),
        ("kSecKeyNeverExtractable", String(kSecKeyNeverExtractable), "17"),
        ("kSecKeyEncrypt", String(kSecKeyEncrypt), "18"),
        ("kSecKeyDecrypt", String(kSecKeyDecrypt), "19"),
        ("kSecKeyDerive", String(kSecKeyDerive), "20"),
        ("kSecKeySign", String(kSecKeySign), "21"),
        ("kSecKeyVerify", String(kSecKeyVerify), "22"),
        ("kSecKeySignRecover", String(kSecKeySignRecover), "23"),
        ("kSecKeyVerifyRecover", String(kSecKeyVerifyRecover), "24"),
        ("kSecKeyWrap", String(kSecKeyWrap), "25"),
        ("kSecKeyUnwrap", String(kSecKeyUnwrap), "26"),
    ]

    private static let keyOperationsRows: [Row] = [
        ("kSecKeyOperationTypeSign", String(SecKeyOperationType.sign.rawValue), "0"),
        ("kSecKeyOperationTypeVerify", String(SecKeyOperationType.verify.rawValue), "1"),
        ("kSecKeyOperationTypeEncrypt", String(SecKeyOperationType.encrypt.rawValue), "2"),
        ("kSecKeyOperationTypeDecrypt", String(SecKeyOperationType.decrypt.rawValue), "3"),
        ("kSecKeyOperationTypeKeyExchange", String(SecKeyOperationType.keyExchange.rawValue), "4"),
        ("kSecCredentialTypeDefault", String(SecCredentialType.default.rawValue), "0"),
        ("kSecCredentialTypeWithUI", String(SecCredentialType.withUI.rawValue), "1"),
        ("kSecCredentialTypeNoUI", String(SecCredentialType.noUI.rawValue), "2"),
        ("kSecPaddingNone", String(([] as SecPadding).rawValue), "0"),
        ("kSecPaddingPKCS1", String(SecPadding.PKCS1.rawValue), "1"),
        ("kSecPaddingOAEP", String(SecPadding.OAEP.rawValue), "2"),
        ("kSecPaddingSigRaw", String(SecPadding.sigRaw.rawValue), "16384"),
        ("kSecPaddingPKCS1MD2", String(SecPadding.PKCS1MD2.rawValue), "32768"),
        ("kSecPaddingPKCS1MD5", String(SecPadding.PKCS1MD5.rawValue), "32769"),
        ("kSecPaddingPKCS1SHA1", String(SecPadding.PKCS1SHA1.rawValue), "32770"),
        ("kSecPaddingPKCS1SHA224", String(SecPadding.PKCS1SHA224.rawValue), "32771"),
        ("kSecPaddingPKCS1SHA256", String(SecPadding.PKCS1SHA256.rawValue), "32772"),
        ("kSecPaddingPKCS1SHA384", String(SecPadding.PKCS1SHA384.rawValue), "32773"),
        ("kSecPaddingPKCS1SHA512", String(SecPadding.PKCS1SHA512.rawValue), "32774"),
        ("kSecDefaultKeySize", String(SecKeySizes.secDefaultKeySize.rawValue), "0"),
        ("kSec3DES192", String(SecKeySizes.sec3DES192.rawValue), "192"),
        ("kSecAES128", String(SecKeySizes.secAES128.rawValue), "128"),
        ("kSecAES256", String(SecKeySizes.secAES256.rawValue), "256"),
        ("kSecp384r1", String(SecKeySizes.secp384r1.rawValue), "384"),
        ("kSecp521r1", String(SecKeySizes.secp521r1.rawValue), "521"),
        ("kSecRSAMin", String(SecKeySizes.secRSAMin.rawValue), "1024"),
        ("kSecRSAMax", String(SecKeySizes.secRSAMax.rawValue), "4096"),
        ("kSecAES192", String(SecKeySizes.secAES192.rawValue), "192"),
        ("kSecp192r1", String(SecKeySizes.secp192r1.rawValue), "192"),
        ("kSecp256r1", String(SecKeySizes.secp256r1.rawValue), "256"),
    ]

    private static let keyUsageRows: [Row] = [
        ("kSecKeyUsageUnspecified", String(([] as SecKeyUsage).rawValue), "0"),
        ("kSecKeyUsageDigitalSignature", String(SecKeyUsage.digitalSignature.rawValue), "1"),
        ("kSecKeyUsageNonRepudiation", String(SecKeyUsage.nonRepudiation.rawValue), "2"),
        ("kSecKeyUsageContentCommitment", String(SecKeyUsage.contentCommitment.rawValue), "2"),
        ("kSecKeyUsageKeyEncipherment", String(SecKeyUsage.keyEncipherment.rawValue), "4"),
        ("kSecKeyUsageDataEncipherment", String(SecKeyUsage.dataEncipherment.rawValue), "8"),
        ("kSecKeyUsageKeyAgreement", String(SecKeyUsage.keyAgreement.rawValue), "16"),
        ("kSecKeyUsageKeyCertSign", String(SecKeyUsage.keyCertSign.rawValue), "32"),
        ("kSecKeyUsageCRLSign", String(SecKeyUsage.crlSign.rawValue), "64"),
        ("kSecKeyUsageEncipherOnly", String(SecKeyUsage.encipherOnly.rawValue), "128"),
        ("kSecKeyUsageDecipherOnly", String(SecKeyUsage.decipherOnly.rawValue), "256"),
        ("kSecKeyUsageCritical", String(SecKeyUsage.critical.rawValue), "2147483648"),
        ("kSecKeyUsageAll", String(SecKeyUsage.all.rawValue), "2147483647"),
    ]

    private static let matchRows: [Row] = [
        ("kSecMatchPolicy", kSecMatchPolicy as String, "m_Policy"),
        ("kSecMatchItemList", kSecMatchItemList as String, "m_ItemList"),
        ("kSecMatchSearchList", kSecMatchSearchList as String, "m_SearchList"),
        ("kSecMatchIssuers", kSecMatchIssuers as String, "m_Issuers"),
        ("kSecMatchEmailAddressIfPresent", kSecMatchEmailAddressIfPresent as String, "m_EmailAddressIfPresent"),
        ("kSecMatchSubjectContains", kSecMatchSubjectContains as String, "m_SubjectContains"),
        ("kSecMatchHostOrSubdomainOfHost", kSecMatchHostOrSubdomainOfHost as String, "m_HostOrSubdomainOfHost"),
        ("kSecMatchSubjectStartsWith", kSecMatchSubjectStartsWith as String, "m_SubjectStartsWith"),
        ("kSecMatchSubjectEndsWith", kSecMatchSubjectEndsWith as String, "m_SubjectEndsWith"),
        ("kSecMatchSubjectWholeString", kSecMatchSubjectWholeString as String, "m_SubjectWholeString"),
        ("kSecMatchCaseInsensitive", kSecMatchCaseInsensitive as String, "m_CaseInsensitive"),
        ("kSecMatchDiacriticInsensitive", kSecMatchDiacriticInsensitive as String, "m_DiacriticInsensitive"),
        ("kSecMatchWidthInsensitive", kSecMatchWidthInsensitive as String, "m_WidthInsensitive"),
        ("kSecMatchTrustedOnly", kSecMatchTrustedOnly as String, "m_TrustedOnly"),
        ("kSecMatchValidOnDate", kSecMatchValidOnDate as String, "m_ValidOnDate"),
        ("kSecMatchLimit", kSecMatchLimit as String, "m_Limit"),
        ("kSecMatchLimitOne", kSecMatchLimitOne as String, "m_LimitOne"),
        ("kSecMatchLimitAll", kSecMatchLimitAll as String, "m_LimitAll"),
    ]

    private static let policyRows: [Row] = [
        ("kSecPolicyAppleX509Basic", kSecPolicyAppleX509Basic as String, "1.2.840.113635.100.1.2"),
        ("kSecPolicyAppleSSL", kSecPolicyAppleSSL as String, "1.2.840.113635.100.1.3"),
        ("kSecPolicyAppleSMIME", kSecPolicyAppleSMIME as String, "1.2.840.113635.100.1.8"),
        ("kSecPolicyAppleEAP", kSecPolicyAppleEAP as String, "1.2.840.113635.100.1.9"),
        ("kSecPolicyAppleIPsec", kSecPolicyAppleIPsec as String, "1.2.840.113635.100.1.11"),
        ("kSecPolicyAppleiChat", kSecPolicyAppleiChat as String, "1.2.840.113635.100.1.12"),
        ("kSecPolicyApplePKINITClient", kSecPolicyApplePKINITClient as String, "1.2.840.113635.100.1.14"),
        ("kSecPolicyApplePKINITServer", kSecPolicyApplePKINITServer as String, "1.2.840.113635.100.1.15"),
        ("kSecPolicyAppleCodeSigning", kSecPolicyAppleCodeSigning as String, "1.2.840.113635.100.1.16"),
        ("kSecPolicyMacAppStoreReceipt", kSecPolicyMacAppStoreReceipt as String, "1.2.840.113635.100.1.19"),
        ("kSecPolicyAppleIDValidation", kSecPolicyAppleIDValidation as String, "1.2.840.113635.100.1.18"),
        ("kSecPolicyAppleTimeStamping", kSecPolicyAppleTimeStamping as String, "1.2.840.113635.100.1.20"),
        ("kSecPolicyAppleRevocation", kSecPolicyAppleRevocation as String, "1.2.840.113635.100.1.21"),
        ("kSecPolicyApplePassbookSigning", kSecPolicyApplePassbookSigning as String, "1.2.840.113635.100.1.22"),
        ("kSecPolicyApplePayIssuerEncryption", kSecPolicyApplePayIssuerEncryption as String, "1.2.840.113635.100.1.39"),
        ("kSecPolicyAppleSSLServer", kSecPolicyAppleSSLServer as String, "1.2.840.113635.100.1.3.1"),
        ("kSecPolicyAppleSSLClient", kSecPolicyAppleSSLClient as String, "1.2.840.113635.100.1.3.2"),
        ("kSecPolicyAppleEAPServer", kSecPolicyAppleEAPServer as String, "1.2.840.113635.100.1.9.1"),
        ("kSecPolicyAppleEAPClient", kSecPolicyAppleEAPClient as String, "1.2.840.113635.100.1.9.2"),
        ("kSecPolicyAppleIPSecServer", kSecPolicyAppleIPSecServer as String, "1.2.840.113635.100.1.11.1"),
        ("kSecPolicyAppleIPSecClient", kSecPolicyAppleIPSecClient as String, "1.2.840.113635.100.1.11.2"),
        ("kSecPolicyOid", kSecPolicyOid as String, "SecPolicyOid"),
        ("kSecPolicyName", kSecPolicyName as String, "SecPolicyName"),
        ("kSecPolicyClient", kSecPolicyClient as String, "SecPolicyClient"),
        ("kSecPolicyRevocationFlags", kSecPolicyRevocationFlags as String, "SecPolicyRevocationFlags"),
        ("kSecPolicyTeamIdentifier", kSecPolicyTeamIdentifier as String, "SecPolicyTeamIdentifier"),
        ("kSecPolicyKU_DigitalSignature", kSecPolicyKU_DigitalSignature as String, "CE_KU_DigitalSignature"),
        ("kSecPolicyKU_NonRepudiation", kSecPolicyKU_NonRepudiation as String, "CE_KU_NonRepudiation"),
        ("kSecPolicyKU_KeyEncipherment", kSecPolicyKU_KeyEncipherment as String, "CE_KU_KeyEncipherment"),
        ("kSecPolicyKU_DataEncipherment", kSecPolicyKU_DataEncipherment as String, "CE_KU_DataEncipherment"),
        ("kSecPolicyKU_KeyAgreement", kSecPolicyKU_KeyAgreement as String, "CE_KU_KeyAgreement"),
        ("kSecPolicyKU_KeyCertSign", kSecPolicyKU_KeyCertSign as String, "CE_KU_KeyCertSign"),
        ("kSecPolicyKU_CRLSign", kSecPolicyKU_CRLSign as String, "CE_KU_CRLSign"),
        ("kSecPolicyKU_EncipherOnly", kSecPolicyKU_EncipherOnly as String, "CE_KU_EncipherOnly"),
        ("kSecPolicyKU_DecipherOnly", kSecPolicyKU_DecipherOnly as String, "CE_KU_DecipherOnly"),
    ]

    private static let returnRows: [Row] = [
        ("kSecReturnData", kSecReturnData as String, "r_Data"),
        ("kSecReturnAttributes", kSecReturnAttributes as String, "r_Attributes"),
        ("kSecReturnRef", kSecReturnRef as String, "r_Ref"),
        ("kSecReturnPersistentRef", kSecReturnPersistentRef as String, "r_PersistentRef"),
    ]

    private static let revocationFlagsRows: [Row] = [
        ("kSecRevocationOCSPMethod", String(kSecRevocationOCSPMethod), "1"),
        ("kSecRevocationCRLMethod", String(kSecRevocationCRLMethod), "2"),
        ("kSecRevocationPreferCRL", String(kSecRevocationPreferCRL), "4"),
        ("kSecRevocationRequirePositiveResponse", String(kSecRevocationRequirePositiveResponse), "8"),
        ("kSecRevocationNetworkAccessDisabled", String(kSecRevocationNetworkAccessDisabled), "16"),
        ("kSecRevocationUseAnyAvailableMethod", String(kSecRevocationUseAnyAvailableMethod), "3"),
    ]

    private static let sharedCredentialRows: [Row] = [
        ("kSecSharedPassword", kSecSharedPassword as String, "spwd")
    ]

    private static let trustRows: [Row] = [
        ("kSecTrustEvaluationDate", kSecTrustEvaluationDate as String, "TrustEvaluationDate"),
        ("kSecTrustExtendedValidation", kSecTrustExtendedValidation as String, "TrustExtendedValidation"),
        ("kSecTrustOrganizationName", kSecTrustOrganizationName as String, "Organization"),
        ("kSecTrustResultValue", kSecTrustResultValue as String, "TrustResultValue"),
        ("kSecTrustRevocationChecked", kSecTrustRevocationChecked as String, "TrustRevocationChecked"),
        ("kSecTrustRevocationValidUntilDate", kSecTrustRevocationValidUntilDate as String, "TrustExpirationDate"),
        (
            "kSecTrustCertificateTransparency", kSecTrustCertificateTransparency as String,
            "TrustCertificateTransparency"
        ),
        (
            "kSecTrustCertificateTransparencyWhiteList", kSecTrustCertificateTransparencyWhiteList as String,
            "TrustCertificateTransparencyWhiteList"
        ),
        ("kSecTrustQCStatements", kSecTrustQCStatements as String, "TrustQCStatements"),
        ("kSecTrustQWACValidation", kSecTrustQWACValidation as String, "TrustQWACValidation"),
        ("kSecPropertyTypeTitle", kSecPropertyTypeTitle as String, "title"),
        ("kSecPropertyTypeError", kSecPropertyTypeError as String, "error"),
    ]

    private static let trustResultsRows: [Row] = [
        ("kSecTrustResultInvalid", String(SecTrustResultType.invalid.rawValue), "0"),
        ("kSecTrustResultProceed", String(SecTrustResultType.proceed.rawValue), "1"),
        ("kSecTrustResultConfirm", String(SecTrustResultType.confirm.rawValue), "2"),
        ("kSecTrustResultDeny", String(SecTrustResultType.deny.rawValue), "3"),
        ("kSecTrustResultUnspecified", String(SecTrustResultType.unspecified.rawValue), "4"),
        ("kSecTrustResultRecoverableTrustFailure", String(SecTrustResultType.recoverableTrustFailure.rawValue), "5"),
        ("kSecTrustResultFatalTrustFailure", String(SecTrustResultType.fatalTrustFailure.rawValue), "6"),
        ("kSecTrustResultOtherError", String(SecTrustResultType.otherError.rawValue), "7"),
        ("kSecTrustOptionAllowExpired", String(SecTrustOptionFlags.allowExpired.rawValue), "1"),
        ("kSecTrustOptionLeafIsCA", String(SecTrustOptionFlags.leafIsCA.rawValue), "2"),
        ("kSecTrustOptionFetchIssuerFromNet", String(SecTrustOptionFlags.fetchIssuerFromNet.rawValue), "4"),
        ("kSecTrustOptionAllowExpiredRoot", String(SecTrustOptionFlags.allowExpiredRoot.rawValue), "8"),
        ("kSecTrustOptionRequireRevPerCert", String(SecTrustOptionFlags.requireRevPerCert.rawValue), "16"),
        ("kSecTrustOptionUseTrustSettings", String(SecTrustOptionFlags.useTrustSettings.rawValue), "32"),
        ("kSecTrustOptionImplicitAnchors", String(SecTrustOptionFlags.implicitAnchors.rawValue), "64"),
    ]

    private static let trustSettingsRows: [Row] = [
        ("kSecTrustSettingsKeyUseSignature", String(SecTrustSettingsKeyUsage.useSignature.rawValue), "1"),
        ("kSecTrustSettingsKeyUseEnDecryptData", String(SecTrustSettingsKeyUsage.useEnDecryptData.rawValue), "2"),
        ("kSecTrustSettingsKeyUseEnDecryptKey", String(SecTrustSettingsKeyUsage.useEnDecryptKey.rawValue), "4"),
        ("kSecTrustSettingsKeyUseSignCert", String(SecTrustSettingsKeyUsage.useSignCert.rawValue), "8"),
        ("kSecTrustSettingsKeyUseSignRevocation", String(SecTrustSettingsKeyUsage.useSignRevocation.rawValue), "16"),
        ("kSecTrustSettingsKeyUseKeyExchange", String(SecTrustSettingsKeyUsage.useKeyExchange.rawValue), "32"),
        ("kSecTrustSettingsKeyUseAny", String(SecTrustSettingsKeyUsage.useAny.rawValue), "4294967295"),
        ("kSecTrustSettingsResultInvalid", String(SecTrustSettingsResult.invalid.rawValue), "0"),
        ("kSecTrustSettingsResultTrustRoot", String(SecTrustSettingsResult.trustRoot.rawValue), "1"),
        ("kSecTrustSettingsResultTrustAsRoot", String(SecTrustSettingsResult.trustAsRoot.rawValue), "2"),
        ("kSecTrustSettingsResultDeny", String(SecTrustSettingsResult.deny.rawValue), "3"),
        ("kSecTrustSettingsResultUnspecified", String(SecTrustSettingsResult.unspecified.rawValue), "4"),
        ("kSecTrustSettingsDomainUser", String(SecTrustSettingsDomain.user.rawValue), "0"),
        ("kSecTrustSettingsDomainAdmin", String(SecTrustSettingsDomain.admin.rawValue), "1"),
        ("kSecTrustSettingsDomainSystem", String(SecTrustSettingsDomain.system.rawValue), "2"),
    ]

    private static let useRows: [Row] = [
        ("kSecUseItemList", kSecUseItemList as String, "u_ItemList"),
        ("kSecUseKeychain", kSecUseKeychain as String, "u_Keychain"),
        ("kSecUseDataProtectionKeychain", kSecUseDataProtectionKeychain as String, "nleg"),
        ("kSecUseUserIndependentKeychain", kSecUseUserIndependentKeychain as String, "u_UserIndependentKeychain"),
        ("kSecUseOperationPrompt", kSecUseOperationPrompt as String, "u_OpPrompt"),
        ("kSecUseNoAuthenticationUI", kSecUseNoAuthenticationUI as String, "u_NoAuthUI"),
        ("kSecUseAuthenticationUI", kSecUseAuthenticationUI as String, "u_AuthUI"),
        ("kSecUseAuthenticationContext", kSecUseAuthenticationContext as String, "u_AuthCtx"),
        ("kSecUseAuthenticationUIAllow", kSecUseAuthenticationUIAllow as String, "u_AuthUIA"),
        ("kSecUseAuthenticationUIFail", kSecUseAuthenticationUIFail as String, "u_AuthUIF"),
        ("kSecUseAuthenticationUISkip", kSecUseAuthenticationUISkip as String, "u_AuthUIS"),
    ]

    private static let valueRows: [Row] = [
        ("kSecValueData", kSecValueData as String, "v_Data"),
        ("kSecValueRef", kSecValueRef as String, "v_Ref"),
        ("kSecValuePersistentRef", kSecValuePersistentRef as String, "v_PersistentRef"),
    ]

    static let all: [Row] = [
        accessControlCreateFlagsRows, attributeKeysRows, attributeValuesInternetPasswordRows, attributeValuesKeyRows,
        attributeValuesSharingRows, certificateExtensionOIDsRows, certificateFieldOIDsRows, certificateNameOIDsRows,
        certificatePropertyRows, certificatePurposeOIDsRows, classRows, externalFormatRows, identityDomainRows,
        importExportRows, keyAlgorithmsRows, keyExchangeParametersRows, keyGenerationRows, keyItemAttributesRows,
        keyOperationsRows, keyUsageRows, matchRows, policyRows, returnRows, revocationFlagsRows, sharedCredentialRows,
        trustRows, trustResultsRows, trustSettingsRows, useRows, valueRows,
    ].flatMap { $0 }
}
