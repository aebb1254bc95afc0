// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Domains of the identities that serve a whole machine.

import Foundation

// MARK: - Domains

/// The identity that services use by default.
public nonisolated(unsafe) let kSecIdentityDomainDefault: CFString = "com.apple.systemdefault"

/// The identity of the Kerberos key distribution centre.
public nonisolated(unsafe) let kSecIdentityDomainKerberosKDC: CFString = "com.apple.kerberos.kdc"
