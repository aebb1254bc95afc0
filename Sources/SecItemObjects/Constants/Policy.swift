// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Identifiers of trust policies, and the keys of the dictionary that describes one.

import Foundation

// MARK: - Policies

/// The basic rules for X.509 chains.
public nonisolated(unsafe) let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"

/// TLS servers and clients.
public nonisolated(unsafe) let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"

/// Signed and encrypted mail.
public nonisolated(unsafe) let kSecPolicyAppleSMIME: CFString = "1.2.840.113635.100.1.8"

/// Network access with EAP.
public nonisolated(unsafe) let kSecPolicyAppleEAP: CFString = "1.2.840.113635.100.1.9"

/// IPsec.
public nonisolated(unsafe) let kSecPolicyAppleIPsec: CFString = "1.2.840.113635.100.1.11"

/// Encrypted chat with iChat. Deprecated by Apple without a successor.
public nonisolated(unsafe) let kSecPolicyAppleiChat: CFString = "1.2.840.113635.100.1.12"

/// Kerberos clients that log in with a certificate.
public nonisolated(unsafe) let kSecPolicyApplePKINITClient: CFString = "1.2.840.113635.100.1.14"

/// Kerberos servers that log in with a certificate.
public nonisolated(unsafe) let kSecPolicyApplePKINITServer: CFString = "1.2.840.113635.100.1.15"

/// Signed code.
public nonisolated(unsafe) let kSecPolicyAppleCodeSigning: CFString = "1.2.840.113635.100.1.16"

/// Receipts of the Mac App Store.
public nonisolated(unsafe) let kSecPolicyMacAppStoreReceipt: CFString = "1.2.840.113635.100.1.19"

/// Certificates of Apple accounts.
public nonisolated(unsafe) let kSecPolicyAppleIDValidation: CFString = "1.2.840.113635.100.1.18"

/// Time stamping authorities.
public nonisolated(unsafe) let kSecPolicyAppleTimeStamping: CFString = "1.2.840.113635.100.1.20"

/// Revocation of certificates.
public nonisolated(unsafe) let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"

/// Signed wallet passes.
public nonisolated(unsafe) let kSecPolicyApplePassbookSigning: CFString = "1.2.840.113635.100.1.22"

/// Encryption for the issuer of a payment card.
public nonisolated(unsafe) let kSecPolicyApplePayIssuerEncryption: CFString = "1.2.840.113635.100.1.39"

/// TLS, certificate of the server.
public nonisolated(unsafe) let kSecPolicyAppleSSLServer: CFString = "1.2.840.113635.100.1.3.1"

/// TLS, certificate of the client.
public nonisolated(unsafe) let kSecPolicyAppleSSLClient: CFString = "1.2.840.113635.100.1.3.2"

/// EAP, certificate of the server.
public nonisolated(unsafe) let kSecPolicyAppleEAPServer: CFString = "1.2.840.113635.100.1.9.1"

/// EAP, certificate of the client.
public nonisolated(unsafe) let kSecPolicyAppleEAPClient: CFString = "1.2.840.113635.100.1.9.2"

/// IPsec, certificate of the server.
public nonisolated(unsafe) let kSecPolicyAppleIPSecServer: CFString = "1.2.840.113635.100.1.11.1"

/// IPsec, certificate of the client.
public nonisolated(unsafe) let kSecPolicyAppleIPSecClient: CFString = "1.2.840.113635.100.1.11.2"

// MARK: - Properties

/// Which policy it is, as one of the `kSecPolicyApple…` values. String.
public nonisolated(unsafe) let kSecPolicyOid: CFString = "SecPolicyOid"

/// The name to check the certificate against, such as a host name or mail address. String, or array of strings.
public nonisolated(unsafe) let kSecPolicyName: CFString = "SecPolicyName"

/// Whether the certificate of the client is checked, not that of the server. Boolean.
public nonisolated(unsafe) let kSecPolicyClient: CFString = "SecPolicyClient"

/// How revocation is checked, as a union of the `kSecRevocation…` flags. Number.
public nonisolated(unsafe) let kSecPolicyRevocationFlags: CFString = "SecPolicyRevocationFlags"

/// The team identifier the certificate must carry. String.
public nonisolated(unsafe) let kSecPolicyTeamIdentifier: CFString = "SecPolicyTeamIdentifier"

// MARK: - Required key usage

/// The certificate must allow digital signatures. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_DigitalSignature: CFString = "CE_KU_DigitalSignature"

/// The certificate must allow signatures that cannot be disowned. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_NonRepudiation: CFString = "CE_KU_NonRepudiation"

/// The certificate must allow the encryption of keys. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_KeyEncipherment: CFString = "CE_KU_KeyEncipherment"

/// The certificate must allow the encryption of data. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_DataEncipherment: CFString = "CE_KU_DataEncipherment"

/// The certificate must allow key agreement. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_KeyAgreement: CFString = "CE_KU_KeyAgreement"

/// The certificate must allow the signing of certificates. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_KeyCertSign: CFString = "CE_KU_KeyCertSign"

/// The certificate must allow the signing of revocation lists. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_CRLSign: CFString = "CE_KU_CRLSign"

/// The certificate must allow key agreement for encryption only. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_EncipherOnly: CFString = "CE_KU_EncipherOnly"

/// The certificate must allow key agreement for decryption only. Boolean.
public nonisolated(unsafe) let kSecPolicyKU_DecipherOnly: CFString = "CE_KU_DecipherOnly"
