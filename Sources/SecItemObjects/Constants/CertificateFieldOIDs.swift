// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Fields of a certificate, by which `SecCertificateCopyValues` gives them. The numbers are Apple's.

import Foundation

/// A key, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDCSSMKeyStruct: CFString = "2.16.840.1.113741.2.1.1.1.20"

/// The issuer's unique identifier.
public nonisolated(unsafe) let kSecOIDX509V1CertificateIssuerUniqueId: CFString = "2.16.840.1.113741.2.1.1.1.11"

/// The subject's unique identifier.
public nonisolated(unsafe) let kSecOIDX509V1CertificateSubjectUniqueId: CFString = "2.16.840.1.113741.2.1.1.1.12"

/// The issuer's name.
public nonisolated(unsafe) let kSecOIDX509V1IssuerName: CFString = "2.16.840.1.113741.2.1.1.1.5"

/// The issuer's name, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V1IssuerNameCStruct: CFString = "2.16.840.1.113741.2.1.1.1.5.1"

/// The issuer's name, as LDAP writes it.
public nonisolated(unsafe) let kSecOIDX509V1IssuerNameLDAP: CFString = "2.16.840.1.113741.2.1.1.1.5.2"

/// The issuer's normalized name.
public nonisolated(unsafe) let kSecOIDX509V1IssuerNameStd: CFString = "2.16.840.1.113741.2.1.1.1.23"

/// The serial number.
public nonisolated(unsafe) let kSecOIDX509V1SerialNumber: CFString = "2.16.840.1.113741.2.1.1.1.3"

/// The signature.
public nonisolated(unsafe) let kSecOIDX509V1Signature: CFString = "2.16.840.1.113741.2.1.3.2.2"

/// The signature's algorithm.
public nonisolated(unsafe) let kSecOIDX509V1SignatureAlgorithm: CFString = "2.16.840.1.113741.2.1.3.2.1"

/// The parameters of the signature's algorithm.
public nonisolated(unsafe) let kSecOIDX509V1SignatureAlgorithmParameters: CFString = "2.16.840.1.113741.2.1.3.2.3"

/// The signature's algorithm, as the signed part names it.
public nonisolated(unsafe) let kSecOIDX509V1SignatureAlgorithmTBS: CFString = "2.16.840.1.113741.2.1.3.2.10"

/// The signature with its algorithm, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V1SignatureCStruct: CFString = "2.16.840.1.113741.2.1.3.2.0.1"

/// The signature with its algorithm.
public nonisolated(unsafe) let kSecOIDX509V1SignatureStruct: CFString = "2.16.840.1.113741.2.1.3.2.0"

/// The subject's name.
public nonisolated(unsafe) let kSecOIDX509V1SubjectName: CFString = "2.16.840.1.113741.2.1.1.1.8"

/// The subject's name, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V1SubjectNameCStruct: CFString = "2.16.840.1.113741.2.1.1.1.8.1"

/// The subject's name, as LDAP writes it.
public nonisolated(unsafe) let kSecOIDX509V1SubjectNameLDAP: CFString = "2.16.840.1.113741.2.1.1.1.8.2"

/// The subject's normalized name.
public nonisolated(unsafe) let kSecOIDX509V1SubjectNameStd: CFString = "2.16.840.1.113741.2.1.1.1.22"

/// The public key.
public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKey: CFString = "2.16.840.1.113741.2.1.1.1.10"

/// The public key's algorithm.
public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKeyAlgorithm: CFString = "2.16.840.1.113741.2.1.1.1.9"

/// The parameters of the public key's algorithm.
public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKeyAlgorithmParameters: CFString =
    "2.16.840.1.113741.2.1.1.1.18"

/// The public key, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V1SubjectPublicKeyCStruct: CFString = "2.16.840.1.113741.2.1.1.1.20.1"

/// The end of the validity period.
public nonisolated(unsafe) let kSecOIDX509V1ValidityNotAfter: CFString = "2.16.840.1.113741.2.1.1.1.7"

/// The start of the validity period.
public nonisolated(unsafe) let kSecOIDX509V1ValidityNotBefore: CFString = "2.16.840.1.113741.2.1.1.1.6"

/// The version.
public nonisolated(unsafe) let kSecOIDX509V1Version: CFString = "2.16.840.1.113741.2.1.1.1.2"

/// The signed part of a certificate.
public nonisolated(unsafe) let kSecOIDX509V3Certificate: CFString = "2.16.840.1.113741.2.1.1.1.1"

/// The signed part of a certificate, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V3CertificateCStruct: CFString = "2.16.840.1.113741.2.1.1.1.1.1"

/// An extension, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionCStruct: CFString = "2.16.840.1.113741.2.1.1.1.13.1"

/// Whether an extension is critical.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionCritical: CFString = "2.16.840.1.113741.2.1.1.1.16"

/// What an extension is.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionId: CFString = "2.16.840.1.113741.2.1.1.1.15"

/// An extension.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionStruct: CFString = "2.16.840.1.113741.2.1.1.1.13"

/// The type of an extension's value.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionType: CFString = "2.16.840.1.113741.2.1.1.1.19"

/// An extension's value.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionValue: CFString = "2.16.840.1.113741.2.1.1.1.17"

/// All extensions, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionsCStruct: CFString = "2.16.840.1.113741.2.1.1.1.21.1"

/// All extensions.
public nonisolated(unsafe) let kSecOIDX509V3CertificateExtensionsStruct: CFString = "2.16.840.1.113741.2.1.1.1.21"

/// How many extensions there are.
public nonisolated(unsafe) let kSecOIDX509V3CertificateNumberOfExtensions: CFString = "2.16.840.1.113741.2.1.1.1.14"

/// A certificate.
public nonisolated(unsafe) let kSecOIDX509V3SignedCertificate: CFString = "2.16.840.1.113741.2.1.1.1.0"

/// A certificate, as a structure of CSSM.
public nonisolated(unsafe) let kSecOIDX509V3SignedCertificateCStruct: CFString = "2.16.840.1.113741.2.1.1.1.0.1"
