// Records and indexes of the older database interface.

/// The information about the bundle is malformed.
public let errSecInvalidBundleInfo: OSStatus = -67857

/// The index into the revocation list is out of range.
public let errSecInvalidCRLIndex: OSStatus = -67858

/// The fields hold no values.
public let errSecNoFieldValues: OSStatus = -67859

/// The format of the field is not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67860

/// The index information is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67861

/// The locality is not supported.
public let errSecUnsupportedLocality: OSStatus = -67862

/// So many attributes are not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67863

/// So many indexes are not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67864

/// So many record types are not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865

/// A field is given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866

/// The formats of the fields do not fit together.
public let errSecIncompatibleFieldFormat: OSStatus = -67867

/// The parsing module is unacceptable.
public let errSecInvalidParsingModule: OSStatus = -67868

/// The database is locked.
public let errSecDatabaseLocked: OSStatus = -67869

/// The data store is open.
public let errSecDatastoreIsOpen: OSStatus = -67870

/// A required value was not given.
public let errSecMissingValue: OSStatus = -67871

/// The limits of the query are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67872

/// So many selection conditions are not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873

/// The operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67874

/// The location of the database is unacceptable.
public let errSecInvalidDBLocation: OSStatus = -67875

/// The kind of access asked for is unknown.
public let errSecInvalidAccessRequest: OSStatus = -67876

/// The index information is malformed.
public let errSecInvalidIndexInfo: OSStatus = -67877

/// The new owner is unacceptable.
public let errSecInvalidNewOwner: OSStatus = -67878

/// The mode of change is unknown.
public let errSecInvalidModifyMode: OSStatus = -67879

/// The certificate lacks an extension that the purpose requires.
public let errSecMissingRequiredExtension: OSStatus = -67880

/// The extended key usage has to be critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
