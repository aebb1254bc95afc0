// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lockbox
import Security

/// The methods of Lockbox version 2, which tests can call without a warning each time.
protocol Version2 {
    func setString(_ value: String!, forKey key: String!) -> Bool
    func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    func string(forKey key: String!) -> String!
    func setArray(_ value: [Any]!, forKey key: String!) -> Bool
    func setArray(_ value: [Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    func array(forKey key: String!) -> [Any]!
    func setSet(_ value: Set<AnyHashable>!, forKey key: String!) -> Bool
    func setSet(_ value: Set<AnyHashable>!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    func setForKey(_ key: String!) -> Set<AnyHashable>!
    func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!) -> Bool
    func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    func dictionary(forKey key: String!) -> [AnyHashable: Any]!
    func setDate(_ value: Date!, forKey key: String!) -> Bool
    func setDate(_ value: Date!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    func date(forKey key: String!) -> Date!

    static func setString(_ value: String!, forKey key: String!) -> Bool
    static func setString(_ value: String!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    static func string(forKey key: String!) -> String!
    static func setArray(_ value: [Any]!, forKey key: String!) -> Bool
    static func setArray(_ value: [Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    static func array(forKey key: String!) -> [Any]!
    static func setSet(_ value: Set<AnyHashable>!, forKey key: String!) -> Bool
    static func setSet(_ value: Set<AnyHashable>!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    static func setForKey(_ key: String!) -> Set<AnyHashable>!
    static func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!) -> Bool
    static func setDictionary(_ value: [AnyHashable: Any]!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    static func dictionary(forKey key: String!) -> [AnyHashable: Any]!
    static func setDate(_ value: Date!, forKey key: String!) -> Bool
    static func setDate(_ value: Date!, forKey key: String!, accessibility: CFTypeRef!) -> Bool
    static func date(forKey key: String!) -> Date!
}

extension Lockbox: Version2 {}
