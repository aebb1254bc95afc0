// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A range, point, size or rectangle in an archive: Foundation's values that are structures of numbers.
enum GeometryFields {
    private static let point: Int64 = 1
    private static let size: Int64 = 2
    private static let rectangle: Int64 = 3
    private static let range: Int64 = 4

    static func fields(of value: NSValue, _ writer: ArchiveWriter) throws(CodingFailure) -> [ExactText: PropertyList] {
        // Foundation ends the process if a value is asked for a type that it does not hold.
        switch String(cString: value.objCType) {
        case "{_NSRange=QQ}":
            return [
                "NS.special": .integer(range),
                "NS.rangeval.location": try writer.reference(to: NSNumber(value: value.rangeValue.location)),
                "NS.rangeval.length": try writer.reference(to: NSNumber(value: value.rangeValue.length)),
            ]
        case "{CGPoint=dd}":
            let numbers = [value.pointValue.x, value.pointValue.y]
            return ["NS.special": .integer(point), "NS.pointval": try writer.reference(to: text(numbers))]
        case "{CGSize=dd}":
            let numbers = [value.sizeValue.width, value.sizeValue.height]
            return ["NS.special": .integer(size), "NS.sizeval": try writer.reference(to: text(numbers))]
        case "{CGRect={CGPoint=dd}{CGSize=dd}}":
            let origin = text([value.rectValue.origin.x, value.rectValue.origin.y])
            let extent = text([value.rectValue.size.width, value.rectValue.size.height])
            return [
                "NS.special": .integer(rectangle), "NS.rectval": try writer.reference(to: "{\(origin), \(extent)}"),
            ]
        default: throw CodingFailure(.unsupported, typeName: "NSValue")
        }
    }

    static func value(_ fields: [ExactText: PropertyList], _ reader: ArchiveReader) throws(CodingFailure) -> NSValue {
        switch fields["NS.special"]?.whole {
        case range:
            let location = try reader.whole(fields["NS.rangeval.location"])
            let length = try reader.whole(fields["NS.rangeval.length"])
            return NSValue(range: NSRange(location: location, length: length))
        case point:
            let numbers = try numbers(fields["NS.pointval"], 2, reader)
            return NSValue(point: CGPoint(x: numbers[0], y: numbers[1]))
        case size:
            let numbers = try numbers(fields["NS.sizeval"], 2, reader)
            return NSValue(size: CGSize(width: numbers[0], height: numbers[1]))
        case rectangle:
            let numbers = try numbers(fields["NS.rectval"], 4, reader)
            return NSValue(rect: CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        default: throw .damaged
        }
    }

    private static func text(_ numbers: [CGFloat]) -> String {
        "{\(numbers.map { "\(Double($0))" }.joined(separator: ", "))}"
    }

    /// The numbers between the braces.
    private static func numbers(
        _ field: PropertyList?, _ count: Int, _ reader: ArchiveReader
    ) throws(CodingFailure) -> [Double] {
        let text = try reader.text(field)
        let numbers = text.components(separatedBy: CharacterSet(charactersIn: "{}, ")).filter { !$0.isEmpty }
            .compactMap(Double.init)
        guard numbers.count == count else { throw .damaged }
        return numbers
    }
}
