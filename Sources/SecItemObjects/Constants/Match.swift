// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys that narrow a search beyond attributes, and say how many results to return.

import Foundation

// MARK: - Rules

/// Only certificates and identities that satisfy this policy. `SecPolicy`.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"

/// Only these items. Array.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"

/// Only items of these file keychains. Array.
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"

/// Only certificates and identities whose chain holds one of these issuers. Array of DER encoded names.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"

/// Only certificates and identities that have this e-mail address. String.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"

/// Only certificates and identities whose subject holds these words. String.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"

/// Only internet passwords whose server is this host or one of its subdomains. String.
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"

/// Only certificates and identities whose subject begins with these words. String.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"

/// Only certificates and identities whose subject ends with these words. String.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"

/// Only certificates and identities whose subject is exactly this. String.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"

/// Whether text is compared without regard to case. Boolean.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"

/// Whether text is compared without regard to diacritics. Boolean.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"

/// Whether text is compared without regard to the width of characters. Boolean.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"

/// Whether only certificates with a chain to a trusted root match. Boolean.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"

/// Only certificates and identities valid at this time, or now for the null object. Date.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"

// MARK: - Limit

/// The greatest number of results to return: `kSecMatchLimitOne`, `kSecMatchLimitAll` or a number. The default is one.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"

/// Return the first match, without an array.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"

/// Return all matches, in an array.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
