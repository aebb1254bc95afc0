// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// What the parts of a name are: the numbers of X.520, PKCS #9 and others.

import Foundation

/// A state or province of several.
public nonisolated(unsafe) let kSecOIDCollectiveStateProvinceName: CFString = "2.5.4.8.1"

/// A street of several.
public nonisolated(unsafe) let kSecOIDCollectiveStreetAddress: CFString = "2.5.4.9.1"

/// A common name.
public nonisolated(unsafe) let kSecOIDCommonName: CFString = "2.5.4.3"

/// A country.
public nonisolated(unsafe) let kSecOIDCountryName: CFString = "2.5.4.6"

/// A description.
public nonisolated(unsafe) let kSecOIDDescription: CFString = "2.5.4.13"

/// An e-mail address.
public nonisolated(unsafe) let kSecOIDEmailAddress: CFString = "1.2.840.113549.1.9.1"

/// A given name.
public nonisolated(unsafe) let kSecOIDGivenName: CFString = "2.5.4.42"

/// A place.
public nonisolated(unsafe) let kSecOIDLocalityName: CFString = "2.5.4.7"

/// The name of a Windows account, among the subject's other names.
public nonisolated(unsafe) let kSecOIDMS_NTPrincipalName: CFString = "1.3.6.1.4.1.311.20.2.3"

/// An organization.
public nonisolated(unsafe) let kSecOIDOrganizationName: CFString = "2.5.4.10"

/// A part of an organization.
public nonisolated(unsafe) let kSecOIDOrganizationalUnitName: CFString = "2.5.4.11"

/// The name of a service, among the subject's other names.
public nonisolated(unsafe) let kSecOIDSRVName: CFString = "1.3.6.1.5.5.7.8.7"

/// A serial number that is part of a name, such as that of a device.
public nonisolated(unsafe) let kSecOIDSerialNumber: CFString = "2.5.4.5"

/// A state or province.
public nonisolated(unsafe) let kSecOIDStateProvinceName: CFString = "2.5.4.8"

/// A street.
public nonisolated(unsafe) let kSecOIDStreetAddress: CFString = "2.5.4.9"

/// The subject's e-mail address.
public nonisolated(unsafe) let kSecOIDSubjectEmailAddress: CFString = "2.16.840.1.113741.2.1.1.1.50.3"

/// The subject's picture.
public nonisolated(unsafe) let kSecOIDSubjectPicture: CFString = "2.16.840.1.113741.2.1.1.1.50.2"

/// A picture of the subject's signature.
public nonisolated(unsafe) let kSecOIDSubjectSignatureBitmap: CFString = "2.16.840.1.113741.2.1.1.1.50.1"

/// A surname.
public nonisolated(unsafe) let kSecOIDSurname: CFString = "2.5.4.4"

/// A title.
public nonisolated(unsafe) let kSecOIDTitle: CFString = "2.5.4.12"

/// Uses that a certificate is not allowed for.
public nonisolated(unsafe) let kSecOIDUseExemptions: CFString = "2.16.840.1.113741.2.1.1.1.50.4"
