// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/make-constants from Data/constants.tsv: change it there.
//
// Keys and types in the description of a certificate's content: an array of dictionaries with a label, a type and a
// value.

import Foundation

// MARK: - Keys

/// The type of the entry, as one of the `kSecPropertyType…` values.
public nonisolated(unsafe) let kSecPropertyKeyType: CFString = "type"

/// The name of the entry, the same in every language. String.
public nonisolated(unsafe) let kSecPropertyKeyLabel: CFString = "label"

/// The name of the entry in the user's language. String.
public nonisolated(unsafe) let kSecPropertyKeyLocalizedLabel: CFString = "localized label"

/// The value of the entry, of the type it names.
public nonisolated(unsafe) let kSecPropertyKeyValue: CFString = "value"

// MARK: - Types

/// A warning, as a string.
public nonisolated(unsafe) let kSecPropertyTypeWarning: CFString = "warning"

/// A confirmation, as a string.
public nonisolated(unsafe) let kSecPropertyTypeSuccess: CFString = "success"

/// A group, as an array of entries.
public nonisolated(unsafe) let kSecPropertyTypeSection: CFString = "section"

/// Bytes, as data.
public nonisolated(unsafe) let kSecPropertyTypeData: CFString = "data"

/// Text, as a string.
public nonisolated(unsafe) let kSecPropertyTypeString: CFString = "string"

/// An address, as a URL.
public nonisolated(unsafe) let kSecPropertyTypeURL: CFString = "url"

/// A point in time, as a date.
public nonisolated(unsafe) let kSecPropertyTypeDate: CFString = "date"

/// Several values, as an array.
public nonisolated(unsafe) let kSecPropertyTypeArray: CFString = "array"

/// A number.
public nonisolated(unsafe) let kSecPropertyTypeNumber: CFString = "number"
