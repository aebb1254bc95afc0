// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys of the dictionaries that describe the outcome of a trust evaluation.

import Foundation

// MARK: - Result of an evaluation

/// When the evaluation took place. Date.
public nonisolated(unsafe) let kSecTrustEvaluationDate: CFString = "TrustEvaluationDate"

/// Whether the certificate has extended validation. Boolean.
public nonisolated(unsafe) let kSecTrustExtendedValidation: CFString = "TrustExtendedValidation"

/// The organisation named by an extended validation certificate. String.
public nonisolated(unsafe) let kSecTrustOrganizationName: CFString = "Organization"

/// The outcome: the number of a `SecTrustResultType`.
public nonisolated(unsafe) let kSecTrustResultValue: CFString = "TrustResultValue"

/// Whether revocation was checked with a definite answer. Boolean.
public nonisolated(unsafe) let kSecTrustRevocationChecked: CFString = "TrustRevocationChecked"

/// Until when the answer on revocation holds. Date.
public nonisolated(unsafe) let kSecTrustRevocationValidUntilDate: CFString = "TrustExpirationDate"

/// Whether the certificate is shown to be in a transparency log. Boolean.
public nonisolated(unsafe) let kSecTrustCertificateTransparency: CFString = "TrustCertificateTransparency"

/// Whether the certificate was exempt from transparency. Boolean. Deprecated by Apple without a successor.
public nonisolated(unsafe) let kSecTrustCertificateTransparencyWhiteList: CFString =
    "TrustCertificateTransparencyWhiteList"

/// The qualified certificate statements found. Array.
public nonisolated(unsafe) let kSecTrustQCStatements: CFString = "TrustQCStatements"

/// Whether the certificate is a qualified website certificate. Boolean.
public nonisolated(unsafe) let kSecTrustQWACValidation: CFString = "TrustQWACValidation"

// MARK: - Properties of an evaluated certificate

/// The title of a certificate in the chain. String.
public nonisolated(unsafe) let kSecPropertyTypeTitle: CFString = "title"

/// What is wrong with a certificate in the chain. String.
public nonisolated(unsafe) let kSecPropertyTypeError: CFString = "error"
