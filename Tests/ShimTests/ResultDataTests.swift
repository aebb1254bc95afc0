// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItemShim
import Security
import Testing

/// `ResultData` as clients use it: as `NSData`, and through casts to `Data`.
@Suite struct ResultDataTests {
    static let bytes = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    static func make(_ data: Data = bytes) -> ResultData { ResultData(data) }

    // MARK: Casts

    @Test func cast_toData_givesTheBytes() {
        let result: CFTypeRef? = Self.make()
        #expect(result as? Data == Self.bytes)
        #expect((result as? NSData)?.length == 1000)
        #expect((result as? CFData) as Data? == Self.bytes)
        #expect(result as? String == nil)
    }

    @Test func cast_arrayToDataArray_givesTheBytes() {
        let result: CFTypeRef? = NSArray(array: [Self.make(), Self.make(Data([1, 2]))])
        #expect(result as? [Data] == [Self.bytes, Data([1, 2])])
        #expect((result as? [NSData])?.map(\.length) == [1000, 2])
        #expect(result as? [[String: Any]] == nil)
    }

    @Test func cast_dictionary_givesTheBytes() {
        let attributes = NSMutableDictionary()
        attributes[kSecValueData] = Self.make()
        attributes[kSecAttrAccount] = "someone" as NSString
        let result: CFTypeRef? = attributes
        #expect((result as? [String: Any])?[kSecValueData as String] as? Data == Self.bytes)
        #expect((result as? [CFString: Any])?[kSecValueData] as? Data == Self.bytes)
        #expect((result as? [String: AnyObject])?[kSecValueData as String] as? Data == Self.bytes)
        #expect((result as? NSDictionary)?[kSecValueData] as? Data == Self.bytes)
        #expect((result as? [AnyHashable: Any])?[kSecValueData as String] as? Data == Self.bytes)
    }

    @Test func cast_arrayOfDictionaries_givesTheBytes() {
        let attributes: NSDictionary = [kSecValueData: Self.make()]
        let result: CFTypeRef? = NSArray(array: [attributes, attributes])
        let dictionaries = result as? [[String: Any]]
        #expect(dictionaries?.count == 2)
        #expect(dictionaries?.last?[kSecValueData as String] as? Data == Self.bytes)
    }

    @Test func cast_noBytes_givesEmptyData() {
        let result: CFTypeRef? = Self.make(Data())
        #expect(result as? Data == Data())
        #expect((result as? NSData)?.length == 0)
    }

    @Test func initialiser_ownersBytesChange_keepsItsOwn() {
        var source: [UInt8] = [1, 2, 3]
        let data = source.withUnsafeBytes { ResultData(copying: $0) }
        source[0] = 9
        #expect(data as Data == Data([1, 2, 3]))
    }

    @Test func initialiser_sliceOfData_copiesTheSlice() {
        #expect(ResultData(Self.bytes[10..<20]) as Data == Data(Self.bytes[10..<20]))
    }

    @Test func data_resultReleased_staysValid() {
        var result: ResultData? = Self.make()
        let data = result.map { $0 as Data }
        result = nil
        #expect(data == Self.bytes)
    }

    // MARK: NSData

    @Test func equality_withOtherData_comparesBytes() {
        let (data, same) = (Self.make(), Self.make())
        let (plain, other) = (NSData(data: Self.bytes), NSData(data: Data(repeating: 0, count: 1000)))
        #expect(data == same)
        #expect(data.isEqual(same))
        #expect(data.isEqual(plain))
        #expect(plain.isEqual(data))
        #expect(data.isEqual(Self.bytes))
        #expect(data.isEqual(to: Self.bytes))
        #expect(!data.isEqual(other))
        #expect(!other.isEqual(data))
        #expect(!data.isEqual(Self.make(Data())))
        #expect(!data.isEqual(to: Data()))
        #expect(!data.isEqual(to: Data(repeating: 0, count: 1000)))
        #expect(!data.isEqual(Data(repeating: 0, count: 1000)))
        #expect(!data.isEqual("data"))
        #expect(!data.isEqual(nil))
        #expect(Self.make(Data()).isEqual(NSData()))
        #expect(Self.make(Data()).isEqual(to: Data()))
        #expect(data.hash == same.hash)
        #expect(data.hash == plain.hash)
        #expect(Self.make(Data()).hash == NSData().hash)
        #expect(NSSet(array: [data, plain]).count == 1)
    }

    @Test func copies_ofTheData_haveTheBytes() {
        let data = Self.make()
        #expect(data.copy() as? NSData === data)
        let mutable = data.mutableCopy() as? NSMutableData
        mutable?.append(Data([1]))
        #expect(mutable?.length == 1001)
        #expect(data.length == 1000)
        #expect(NSData(data: data as Data).length == 1000)
        #expect(Data(referencing: data) == Self.bytes)
        #expect((Self.make(Data()).mutableCopy() as? NSMutableData)?.length == 0)
    }

    @Test func parts_ofTheData_areThoseOfTheBytes() {
        let data = Self.make()
        #expect(data.subdata(with: NSRange(location: 3, length: 5)) == Self.bytes.subdata(in: 3..<8))
        #expect(data.subdata(with: NSRange(location: 0, length: 1000)) == Self.bytes)
        #expect(data.subdata(with: NSRange(location: 1000, length: 0)) == Data())
        #expect(
            data.range(of: Self.bytes[100..<140], options: [], in: NSRange(location: 0, length: 1000)).location == 100
        )
        var buffer = [UInt8](repeating: 0, count: 4)
        data.getBytes(&buffer, length: 4)
        #expect(buffer == [0, 7, 14, 21])
        data.getBytes(&buffer, range: NSRange(location: 1, length: 4))
        #expect(buffer == [7, 14, 21, 28])
        var enumerated = Data()
        data.enumerateBytes { bytes, range, _ in enumerated.append(Data(bytes: bytes, count: range.length)) }
        #expect(enumerated == Self.bytes)
    }

    @Test func encodings_ofTheData_areThoseOfTheBytes() throws {
        #expect(Self.make().base64EncodedString(options: []) == Self.bytes.base64EncodedString())
        #expect(Self.make().base64EncodedData(options: []) == Self.bytes.base64EncodedData())
        #expect(Self.make(Data()).base64EncodedString(options: []) == "")
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("ResultDataTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Self.make().write(to: url, options: .atomic)
        #expect(try Data(contentsOf: url) == Self.bytes)
    }

    @Test func archive_ofTheData_isThatOfPlainData() throws {
        for bytes in [Self.bytes, Data()] {
            let result = Self.make(bytes)
            let archive = try NSKeyedArchiver.archivedData(withRootObject: result, requiringSecureCoding: true)
            let data = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSData.self, from: archive)
            #expect(data as Data? == bytes)
        }
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["data": Self.make()] as NSDictionary, format: .binary, options: 0
        )
        let read = try PropertyListSerialization.propertyList(from: list, options: [], format: nil)
        #expect((read as? [String: Data])?["data"] == Self.bytes)
    }

    // MARK: Secrecy

    @Test func lastReference_isGone_bytesAreWiped() throws {
        let memory = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/mem"))
        defer { try? memory.close() }
        for count in [64, 1_000, 5_000, 50_000] {
            let bytes = [UInt8](repeating: UInt8(count % 251), count: count)
            var address: UInt = 0
            do {
                let data = bytes.withUnsafeBytes { ResultData(copying: $0) }
                address = UInt(bitPattern: data.bytes)
            }
            var now = [UInt8](repeating: 0, count: count)
            let read = pread(memory.fileDescriptor, &now, count, off_t(address))
            // The allocator writes into the first bytes. Memory that is no longer mapped is gone.
            #expect(read <= 32 || now[32...] != bytes[32...], "\(count) bytes are left")
        }
    }

    @Test func descriptions_ofTheData_showNoBytes() {
        let secret = ResultData(Data("hunter2-hunter2".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        let texts = [
            secret.description, secret.debugDescription, "\(secret)", String(reflecting: secret), dumped,
            "\(["data": secret] as NSDictionary)", "\([secret] as NSArray)", "\(["data": secret] as [String: Any])",
        ]
        for text in texts {
            #expect(!text.contains("hunter"), "\(text)")
            // The beginning in hexadecimal, and the first two bytes in decimal.
            #expect(!text.lowercased().contains("68756e74"), "\(text)")
            #expect(!text.contains("104"), "\(text)")
        }
    }
}
