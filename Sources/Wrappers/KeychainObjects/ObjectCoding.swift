// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Objects as bytes: JSON, with its keys in order so that equal objects have equal bytes.
enum ObjectCoding {
    static func data<Object: Encodable>(of object: Object) throws(KeychainObjectError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(object)
        } catch {
            throw KeychainObjectError(.notEncodable, status: errSecParam, underlying: error)
        }
    }

    static func object<Object: Decodable>(from data: Data, at reference: Data) throws(KeychainObjectError) -> Object {
        do {
            return try JSONDecoder().decode(Object.self, from: data)
        } catch {
            throw KeychainObjectError(.notDecodable, status: errSecDecode, reference: reference, underlying: error)
        }
    }
}
