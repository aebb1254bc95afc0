// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Purposes of keys, and policies of authorities.

import Foundation

/// Apple's policy for developers.
public nonisolated(unsafe) let kSecOIDADC_CERT_POLICY: CFString = "1.2.840.113635.100.5.3"

/// Apple's policy.
public nonisolated(unsafe) let kSecOIDAPPLE_CERT_POLICY: CFString = "1.2.840.113635.100.5.1"

/// Apple's: the signing of programs.
public nonisolated(unsafe) let kSecOIDAPPLE_EKU_CODE_SIGNING: CFString = "1.2.840.113635.100.4.1"

/// Apple's: the signing of programs under development.
public nonisolated(unsafe) let kSecOIDAPPLE_EKU_CODE_SIGNING_DEV: CFString = "1.2.840.113635.100.4.1.1"

/// Apple's: encryption in iChat.
public nonisolated(unsafe) let kSecOIDAPPLE_EKU_ICHAT_ENCRYPTION: CFString = "1.2.840.113635.100.4.3"

/// Apple's: signatures in iChat.
public nonisolated(unsafe) let kSecOIDAPPLE_EKU_ICHAT_SIGNING: CFString = "1.2.840.113635.100.4.2"

/// Apple's: the signing of resources.
public nonisolated(unsafe) let kSecOIDAPPLE_EKU_RESOURCE_SIGNING: CFString = "1.2.840.113635.100.4.1.4"

/// Apple's: the identity of a Mac.
public nonisolated(unsafe) let kSecOIDAPPLE_EKU_SYSTEM_IDENTITY: CFString = "1.2.840.113635.100.4.4"

/// A client of TLS.
public nonisolated(unsafe) let kSecOIDClientAuth: CFString = "1.3.6.1.5.5.7.3.2"

/// .Mac: encryption of e-mail.
public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_EMAIL_ENCRYPT: CFString = "1.2.840.113635.100.3.2.3"

/// .Mac: signatures of e-mail.
public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_EMAIL_SIGN: CFString = "1.2.840.113635.100.3.2.2"

/// .Mac: an identity.
public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_IDENTITY: CFString = "1.2.840.113635.100.3.2.1"

/// The policy of .Mac.
public nonisolated(unsafe) let kSecOIDDOTMAC_CERT_POLICY: CFString = "1.2.840.113635.100.5.2"

/// IPsec.
public nonisolated(unsafe) let kSecOIDEKU_IPSec: CFString = "1.3.6.1.5.5.8.2.2"

/// E-mail.
public nonisolated(unsafe) let kSecOIDEmailProtection: CFString = "1.3.6.1.5.5.7.3.4"

/// Any purpose.
public nonisolated(unsafe) let kSecOIDExtendedKeyUsageAny: CFString = "2.5.29.37.0"

/// The signing of programs.
public nonisolated(unsafe) let kSecOIDExtendedUseCodeSigning: CFString = "1.3.6.1.5.5.7.3.3"

/// A client of Kerberos.
public nonisolated(unsafe) let kSecOIDKERBv5_PKINIT_KP_CLIENT_AUTH: CFString = "1.3.6.1.5.2.3.4"

/// A key distribution centre of Kerberos.
public nonisolated(unsafe) let kSecOIDKERBv5_PKINIT_KP_KDC: CFString = "1.3.6.1.5.2.3.5"

/// Strong encryption in old programs of Microsoft's.
public nonisolated(unsafe) let kSecOIDMicrosoftSGC: CFString = "1.3.6.1.4.1.311.10.3.3"

/// Strong encryption in old programs of Netscape's.
public nonisolated(unsafe) let kSecOIDNetscapeSGC: CFString = "2.16.840.1.113730.4.1"

/// The signing of OCSP responses.
public nonisolated(unsafe) let kSecOIDOCSPSigning: CFString = "1.3.6.1.5.5.7.3.9"

/// A server of TLS.
public nonisolated(unsafe) let kSecOIDServerAuth: CFString = "1.3.6.1.5.5.7.3.1"

/// The signing of time stamps.
public nonisolated(unsafe) let kSecOIDTimeStamping: CFString = "1.3.6.1.5.5.7.3.8"
