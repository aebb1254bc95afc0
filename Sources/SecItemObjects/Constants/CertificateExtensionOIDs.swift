// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Extensions of certificates and revocation lists, by which `SecCertificateCopyValues` gives them.

import Foundation

/// Apple's extensions.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION: CFString = "1.2.840.113635.100.6"

/// Apple's intermediate authority for application integration.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_AAI_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.3"

/// Apple's extension: signed by Apple for a developer.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_ADC_APPLE_SIGNING: CFString = "1.2.840.113635.100.6.1.2.0.0"

/// Apple's extension: signed by a developer.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_ADC_DEV_SIGNING: CFString = "1.2.840.113635.100.6.1.2.0"

/// Apple's intermediate authority for Apple accounts.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_APPLEID_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.7"

/// Apple's extension: signed by Apple.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_APPLE_SIGNING: CFString = "1.2.840.113635.100.6.1.1"

/// Apple's extensions for the signing of programs.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_CODE_SIGNING: CFString = "1.2.840.113635.100.6.1"

/// Apple's extensions of intermediate authorities.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_INTERMEDIATE_MARKER: CFString = "1.2.840.113635.100.6.2"

/// Apple's intermediate authority of the iTunes Store.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_ITMS_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.2"

/// Apple's intermediate authority for developers.
public nonisolated(unsafe) let kSecOIDAPPLE_EXTENSION_WWDR_INTERMEDIATE: CFString = "1.2.840.113635.100.6.2.1"

/// Where more is found about the issuer.
public nonisolated(unsafe) let kSecOIDAuthorityInfoAccess: CFString = "1.3.6.1.5.5.7.1.1"

/// The issuer's key.
public nonisolated(unsafe) let kSecOIDAuthorityKeyIdentifier: CFString = "2.5.29.35"

/// Whether the subject is an authority, and how long chains below it may be.
public nonisolated(unsafe) let kSecOIDBasicConstraints: CFString = "2.5.29.19"

/// Biometric information.
public nonisolated(unsafe) let kSecOIDBiometricInfo: CFString = "1.3.6.1.5.5.7.1.2"

/// The issuer of an entry in a revocation list.
public nonisolated(unsafe) let kSecOIDCertIssuer: CFString = "2.5.29.29"

/// The policies under which it was issued.
public nonisolated(unsafe) let kSecOIDCertificatePolicies: CFString = "2.5.29.32"

/// Where revocation lists are found.
public nonisolated(unsafe) let kSecOIDCrlDistributionPoints: CFString = "2.5.29.31"

/// A revocation list's number.
public nonisolated(unsafe) let kSecOIDCrlNumber: CFString = "2.5.29.20"

/// Why it was revoked.
public nonisolated(unsafe) let kSecOIDCrlReason: CFString = "2.5.29.21"

/// The extensions of .Mac.
public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_EXTENSION: CFString = "1.2.840.113635.100.3.2"

/// The revocation list that this one adds to.
public nonisolated(unsafe) let kSecOIDDeltaCrlIndicator: CFString = "2.5.29.27"

/// The purposes that the key is for.
public nonisolated(unsafe) let kSecOIDExtendedKeyUsage: CFString = "2.5.29.37"

/// What to do with a certificate on hold.
public nonisolated(unsafe) let kSecOIDHoldInstructionCode: CFString = "2.5.29.23"

/// When the key became invalid. `SecCertificateCopyValues` uses it for the date on which a valid certificate expires.
public nonisolated(unsafe) let kSecOIDInvalidityDate: CFString = "2.5.29.24"

/// Other names of the issuer.
public nonisolated(unsafe) let kSecOIDIssuerAltName: CFString = "2.5.29.18"

/// What a revocation list is about.
public nonisolated(unsafe) let kSecOIDIssuingDistributionPoint: CFString = "2.5.29.28"

/// What a revocation list is about.
public nonisolated(unsafe) let kSecOIDIssuingDistributionPoints: CFString = "2.5.29.28"

/// What the key may be used for.
public nonisolated(unsafe) let kSecOIDKeyUsage: CFString = "2.5.29.15"

/// The names that certificates below this one may have.
public nonisolated(unsafe) let kSecOIDNameConstraints: CFString = "2.5.29.30"

/// A sequence of certificates.
public nonisolated(unsafe) let kSecOIDNetscapeCertSequence: CFString = "2.16.840.1.113730.2.5"

/// The type of the certificate, as Netscape defined it.
public nonisolated(unsafe) let kSecOIDNetscapeCertType: CFString = "2.16.840.1.113730.1.1"

/// Requirements on the policies of certificates below this one.
public nonisolated(unsafe) let kSecOIDPolicyConstraints: CFString = "2.5.29.36"

/// Policies that stand for each other.
public nonisolated(unsafe) let kSecOIDPolicyMappings: CFString = "2.5.29.33"

/// When the private key may be used.
public nonisolated(unsafe) let kSecOIDPrivateKeyUsagePeriod: CFString = "2.5.29.16"

/// Statements of qualified certificates.
public nonisolated(unsafe) let kSecOIDQC_Statements: CFString = "1.3.6.1.5.5.7.1.3"

/// Other names of the subject.
public nonisolated(unsafe) let kSecOIDSubjectAltName: CFString = "2.5.29.17"

/// More about the subject.
public nonisolated(unsafe) let kSecOIDSubjectDirectoryAttributes: CFString = "2.5.29.9"

/// Where more is found about the subject.
public nonisolated(unsafe) let kSecOIDSubjectInfoAccess: CFString = "1.3.6.1.5.5.7.1.11"

/// The subject's key.
public nonisolated(unsafe) let kSecOIDSubjectKeyIdentifier: CFString = "2.5.29.14"
