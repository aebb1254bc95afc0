#pragma GCC system_header
// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data: change it there.
//
// The fields and extensions of certificates.

#pragma once

#include <Security/SecBase.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN

// MARK: - Extensions of certificates and revocation lists, by which `SecCertificateCopyValues` gives them

/// Apple's extensions.
extern const CFStringRef kSecOIDAPPLE_EXTENSION;

/// Apple's intermediate authority for application integration.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE;

/// Apple's extension: signed by Apple for a developer.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING;

/// Apple's extension: signed by a developer.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING;

/// Apple's intermediate authority for Apple accounts.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE;

/// Apple's extension: signed by Apple.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_APPLE_SIGNING;

/// Apple's extensions for the signing of programs.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_CODE_SIGNING;

/// Apple's extensions of intermediate authorities.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER;

/// Apple's intermediate authority of the iTunes Store.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE;

/// Apple's intermediate authority for developers.
extern const CFStringRef kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE;

/// Where more is found about the issuer.
extern const CFStringRef kSecOIDAuthorityInfoAccess;

/// The issuer's key.
extern const CFStringRef kSecOIDAuthorityKeyIdentifier;

/// Whether the subject is an authority, and how long chains below it may be.
extern const CFStringRef kSecOIDBasicConstraints;

/// Biometric information.
extern const CFStringRef kSecOIDBiometricInfo;

/// The issuer of an entry in a revocation list.
extern const CFStringRef kSecOIDCertIssuer;

/// The policies under which it was issued.
extern const CFStringRef kSecOIDCertificatePolicies;

/// Where revocation lists are found.
extern const CFStringRef kSecOIDCrlDistributionPoints;

/// A revocation list's number.
extern const CFStringRef kSecOIDCrlNumber;

/// Why it was revoked.
extern const CFStringRef kSecOIDCrlReason;

/// The extensions of .Mac.
extern const CFStringRef kSecOIDDOTMAC_CERT_EXTENSION;

/// The revocation list that this one adds to.
extern const CFStringRef kSecOIDDeltaCrlIndicator;

/// The purposes that the key is for.
extern const CFStringRef kSecOIDExtendedKeyUsage;

/// What to do with a certificate on hold.
extern const CFStringRef kSecOIDHoldInstructionCode;

/// When the key became invalid. `SecCertificateCopyValues` uses it for the date on which a valid certificate expires.
extern const CFStringRef kSecOIDInvalidityDate;

/// Other names of the issuer.
extern const CFStringRef kSecOIDIssuerAltName;

/// What a revocation list is about.
extern const CFStringRef kSecOIDIssuingDistributionPoint;

/// What a revocation list is about.
extern const CFStringRef kSecOIDIssuingDistributionPoints;

/// What the key may be used for.
extern const CFStringRef kSecOIDKeyUsage;

/// The names that certificates below this one may have.
extern const CFStringRef kSecOIDNameConstraints;

/// A sequence of certificates.
extern const CFStringRef kSecOIDNetscapeCertSequence;

/// The type of the certificate, as Netscape defined it.
extern const CFStringRef kSecOIDNetscapeCertType;

/// Requirements on the policies of certificates below this one.
extern const CFStringRef kSecOIDPolicyConstraints;

/// Policies that stand for each other.
extern const CFStringRef kSecOIDPolicyMappings;

/// When the private key may be used.
extern const CFStringRef kSecOIDPrivateKeyUsagePeriod;

/// Statements of qualified certificates.
extern const CFStringRef kSecOIDQC_Statements;

/// Other names of the subject.
extern const CFStringRef kSecOIDSubjectAltName;

/// More about the subject.
extern const CFStringRef kSecOIDSubjectDirectoryAttributes;

/// Where more is found about the subject.
extern const CFStringRef kSecOIDSubjectInfoAccess;

/// The subject's key.
extern const CFStringRef kSecOIDSubjectKeyIdentifier;

// MARK: - Fields of a certificate, by which `SecCertificateCopyValues` gives them

/// A key, as a structure of CSSM.
extern const CFStringRef kSecOIDCSSMKeyStruct;

/// The issuer's unique identifier.
extern const CFStringRef kSecOIDX509V1CertificateIssuerUniqueId;

/// The subject's unique identifier.
extern const CFStringRef kSecOIDX509V1CertificateSubjectUniqueId;

/// The issuer's name.
extern const CFStringRef kSecOIDX509V1IssuerName;

/// The issuer's name, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V1IssuerNameCStruct;

/// The issuer's name, as LDAP writes it.
extern const CFStringRef kSecOIDX509V1IssuerNameLDAP;

/// The issuer's normalized name.
extern const CFStringRef kSecOIDX509V1IssuerNameStd;

/// The serial number.
extern const CFStringRef kSecOIDX509V1SerialNumber;

/// The signature.
extern const CFStringRef kSecOIDX509V1Signature;

/// The signature's algorithm.
extern const CFStringRef kSecOIDX509V1SignatureAlgorithm;

/// The parameters of the signature's algorithm.
extern const CFStringRef kSecOIDX509V1SignatureAlgorithmParameters;

/// The signature's algorithm, as the signed part names it.
extern const CFStringRef kSecOIDX509V1SignatureAlgorithmTBS;

/// The signature with its algorithm, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V1SignatureCStruct;

/// The signature with its algorithm.
extern const CFStringRef kSecOIDX509V1SignatureStruct;

/// The subject's name.
extern const CFStringRef kSecOIDX509V1SubjectName;

/// The subject's name, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V1SubjectNameCStruct;

/// The subject's name, as LDAP writes it.
extern const CFStringRef kSecOIDX509V1SubjectNameLDAP;

/// The subject's normalized name.
extern const CFStringRef kSecOIDX509V1SubjectNameStd;

/// The public key.
extern const CFStringRef kSecOIDX509V1SubjectPublicKey;

/// The public key's algorithm.
extern const CFStringRef kSecOIDX509V1SubjectPublicKeyAlgorithm;

/// The parameters of the public key's algorithm.
extern const CFStringRef kSecOIDX509V1SubjectPublicKeyAlgorithmParameters;

/// The public key, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V1SubjectPublicKeyCStruct;

/// The end of the validity period.
extern const CFStringRef kSecOIDX509V1ValidityNotAfter;

/// The start of the validity period.
extern const CFStringRef kSecOIDX509V1ValidityNotBefore;

/// The version.
extern const CFStringRef kSecOIDX509V1Version;

/// The signed part of a certificate.
extern const CFStringRef kSecOIDX509V3Certificate;

/// The signed part of a certificate, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V3CertificateCStruct;

/// An extension, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V3CertificateExtensionCStruct;

/// Whether an extension is critical.
extern const CFStringRef kSecOIDX509V3CertificateExtensionCritical;

/// What an extension is.
extern const CFStringRef kSecOIDX509V3CertificateExtensionId;

/// An extension.
extern const CFStringRef kSecOIDX509V3CertificateExtensionStruct;

/// The type of an extension's value.
extern const CFStringRef kSecOIDX509V3CertificateExtensionType;

/// An extension's value.
extern const CFStringRef kSecOIDX509V3CertificateExtensionValue;

/// All extensions, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V3CertificateExtensionsCStruct;

/// All extensions.
extern const CFStringRef kSecOIDX509V3CertificateExtensionsStruct;

/// How many extensions there are.
extern const CFStringRef kSecOIDX509V3CertificateNumberOfExtensions;

/// A certificate.
extern const CFStringRef kSecOIDX509V3SignedCertificate;

/// A certificate, as a structure of CSSM.
extern const CFStringRef kSecOIDX509V3SignedCertificateCStruct;

// MARK: - What the parts of a name are: the numbers of X.520, PKCS #9 and others

/// A state or province of several.
extern const CFStringRef kSecOIDCollectiveStateProvinceName;

/// A street of several.
extern const CFStringRef kSecOIDCollectiveStreetAddress;

/// A common name.
extern const CFStringRef kSecOIDCommonName;

/// A country.
extern const CFStringRef kSecOIDCountryName;

/// A description.
extern const CFStringRef kSecOIDDescription;

/// An e-mail address.
extern const CFStringRef kSecOIDEmailAddress;

/// A given name.
extern const CFStringRef kSecOIDGivenName;

/// A place.
extern const CFStringRef kSecOIDLocalityName;

/// The name of a Windows account, among the subject's other names.
extern const CFStringRef kSecOIDMS_NTPrincipalName;

/// An organization.
extern const CFStringRef kSecOIDOrganizationName;

/// A part of an organization.
extern const CFStringRef kSecOIDOrganizationalUnitName;

/// The name of a service, among the subject's other names.
extern const CFStringRef kSecOIDSRVName;

/// A serial number that is part of a name, such as that of a device.
extern const CFStringRef kSecOIDSerialNumber;

/// A state or province.
extern const CFStringRef kSecOIDStateProvinceName;

/// A street.
extern const CFStringRef kSecOIDStreetAddress;

/// The subject's e-mail address.
extern const CFStringRef kSecOIDSubjectEmailAddress;

/// The subject's picture.
extern const CFStringRef kSecOIDSubjectPicture;

/// A picture of the subject's signature.
extern const CFStringRef kSecOIDSubjectSignatureBitmap;

/// A surname.
extern const CFStringRef kSecOIDSurname;

/// A title.
extern const CFStringRef kSecOIDTitle;

/// Uses that a certificate is not allowed for.
extern const CFStringRef kSecOIDUseExemptions;

// MARK: - Keys and types in the description of a certificate's content: an array of dictionaries with a label, a type and a value

// Keys

/// The type of the entry, as one of the `kSecPropertyType…` values.
extern const CFStringRef kSecPropertyKeyType;

/// The name of the entry, the same in every language. String.
extern const CFStringRef kSecPropertyKeyLabel;

/// The name of the entry in the user's language. String.
extern const CFStringRef kSecPropertyKeyLocalizedLabel;

/// The value of the entry, of the type it names.
extern const CFStringRef kSecPropertyKeyValue;

// Types

/// A warning, as a string.
extern const CFStringRef kSecPropertyTypeWarning;

/// A confirmation, as a string.
extern const CFStringRef kSecPropertyTypeSuccess;

/// A group, as an array of entries.
extern const CFStringRef kSecPropertyTypeSection;

/// Bytes, as data.
extern const CFStringRef kSecPropertyTypeData;

/// Text, as a string.
extern const CFStringRef kSecPropertyTypeString;

/// An address, as a URL.
extern const CFStringRef kSecPropertyTypeURL;

/// A point in time, as a date.
extern const CFStringRef kSecPropertyTypeDate;

/// Several values, as an array.
extern const CFStringRef kSecPropertyTypeArray;

/// A number.
extern const CFStringRef kSecPropertyTypeNumber;

// MARK: - Purposes of keys, and policies of authorities

/// Apple's policy for developers.
extern const CFStringRef kSecOIDADC_CERT_POLICY;

/// Apple's policy.
extern const CFStringRef kSecOIDAPPLE_CERT_POLICY;

/// Apple's: the signing of programs.
extern const CFStringRef kSecOIDAPPLE_EKU_CODE_SIGNING;

/// Apple's: the signing of programs under development.
extern const CFStringRef kSecOIDAPPLE_EKU_CODE_SIGNING_DEV;

/// Apple's: encryption in iChat.
extern const CFStringRef kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION;

/// Apple's: signatures in iChat.
extern const CFStringRef kSecOIDAPPLE_EKU_ICHAT_SIGNING;

/// Apple's: the signing of resources.
extern const CFStringRef kSecOIDAPPLE_EKU_RESOURCE_SIGNING;

/// Apple's: the identity of a Mac.
extern const CFStringRef kSecOIDAPPLE_EKU_SYSTEM_IDENTITY;

/// A client of TLS.
extern const CFStringRef kSecOIDClientAuth;

/// .Mac: encryption of e-mail.
extern const CFStringRef kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT;

/// .Mac: signatures of e-mail.
extern const CFStringRef kSecOIDDOTMAC_CERT_EMAIL_SIGN;

/// .Mac: an identity.
extern const CFStringRef kSecOIDDOTMAC_CERT_IDENTITY;

/// The policy of .Mac.
extern const CFStringRef kSecOIDDOTMAC_CERT_POLICY;

/// IPsec.
extern const CFStringRef kSecOIDEKU_IPSec;

/// E-mail.
extern const CFStringRef kSecOIDEmailProtection;

/// Any purpose.
extern const CFStringRef kSecOIDExtendedKeyUsageAny;

/// The signing of programs.
extern const CFStringRef kSecOIDExtendedUseCodeSigning;

/// A client of Kerberos.
extern const CFStringRef kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH;

/// A key distribution centre of Kerberos.
extern const CFStringRef kSecOIDKERBv5_PKINIT_KP_KDC;

/// Strong encryption in old programs of Microsoft's.
extern const CFStringRef kSecOIDMicrosoftSGC;

/// Strong encryption in old programs of Netscape's.
extern const CFStringRef kSecOIDNetscapeSGC;

/// The signing of OCSP responses.
extern const CFStringRef kSecOIDOCSPSigning;

/// A server of TLS.
extern const CFStringRef kSecOIDServerAuth;

/// The signing of time stamps.
extern const CFStringRef kSecOIDTimeStamping;

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END
