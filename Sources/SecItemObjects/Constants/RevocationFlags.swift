// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// How `SecPolicyCreateRevocation` checks revocation. Join flags with `|`.

/// Ask an OCSP responder.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1

/// Consult a revocation list.
public let kSecRevocationCRLMethod: CFOptionFlags = 2

/// Prefer lists to responders.
public let kSecRevocationPreferCRL: CFOptionFlags = 4

/// Fail without a definite answer.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 8

/// Use only answers already at hand.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 16

/// Use responders or lists, whichever there is.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = 3
