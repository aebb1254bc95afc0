// SPDX-License-Identifier: Apache-2.0

import SecItemStore

extension ItemChanges {
    /// Reads the second dictionary of an update, whose keys must all be attributes.
    ///
    /// - Throws: `errSecNoSuchAttr` if a key is not an attribute of the class; `errSecParam` if a value has the wrong
    ///   type or a key is not text.
    init(parsing dictionary: CallerDictionary, of itemClass: ItemClass) throws(KeychainError) {
        let schema = ItemSchema.schema(of: itemClass)
        var parser = AttributeParser(itemClass)
        for (key, value) in dictionary.entries {
            guard case .string(let name) = key else { throw .param("a key is not text") }
            try Self.add(name, value, to: &parser)
        }
        if parser.synchronizable == .any { throw .param("an update cannot set kSecAttrSynchronizableAny") }
        try parser.resolveAccessControl()
        self.init(
            attributes: parser.attributes.filter { $0.key == .creationDate || schema.keepsValue(of: $0.key) },
            secrets: parser.secrets, constraints: ConstraintChange(parser)
        )
    }

    private static func add(
        _ name: CallerText, _ value: CallerValue, to parser: inout AttributeParser
    ) throws(KeychainError) {
        if keysWithoutMeaning.contains(name) { return }
        if name == .kSecValueData { return try parser.addValueData(value) }
        guard let attribute = ItemAttribute(code: name.string), attribute != .valueData else {
            throw .noSuchAttr("an update sets attributes only")
        }
        if attribute == .multiUser { return }
        try parser.add(attribute, value)
    }
}

extension ItemChanges.ConstraintChange {
    /// Each way to name a protection class replaces the whole protection, including conditions that it does not name.
    fileprivate init(_ parser: AttributeParser) {
        if let constraints = parser.constraints {
            self = .set(constraints)
        } else {
            self = parser.attributes[.accessible] == nil ? .kept : .removed
        }
    }
}
