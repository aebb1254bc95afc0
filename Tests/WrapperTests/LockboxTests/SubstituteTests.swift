// SPDX-License-Identifier: Apache-2.0

import Foundation
import Lockbox
import Security
import Testing
import WrapperProbe

extension WrapperTests {
    /// Objects that ask for something else to be written in their place. Each is written only as what it asked for.
    @Suite struct SubstituteTests {
        private let box: Lockbox = Lockbox(keyPrefix: "com.example.substitutes")

        private func copy<Copy>(of object: any NSSecureCoding, as type: Copy.Type = Copy.self) -> Copy? {
            guard box.archiveObject(object, forKey: "key") else { return nil }
            return box.unarchiveObject(forKey: "key") as? Copy
        }

        private func expectRefused(_ object: any NSSecureCoding, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(box.archiveObject("kept" as NSString, forKey: "key"), sourceLocation: sourceLocation)
            #expect(!box.archiveObject(object, forKey: "key"), sourceLocation: sourceLocation)
            #expect(box.lastStatus == errSecParam, sourceLocation: sourceLocation)
            #expect(box.unarchiveObject(forKey: "key") as? String == "kept", sourceLocation: sourceLocation)
        }

        // MARK: Another object

        @Test func replacement_isWrittenWhereverTheObjectIs() throws {
            try TestStore.memory.run { (_) throws in
                for mask in ["text" as NSString, Badge(number: 7), NSNumber(value: 5), ["a"] as NSArray] as [NSObject] {
                    let read = copy(of: MaskedBadge(mask), as: NSObject.self)
                    #expect(isSame(read, mask))
                    let list = copy(of: [1, MaskedBadge(mask)] as NSArray, as: [NSObject].self)
                    #expect(isSame(list?.last, mask))
                    let dictionary = copy(of: ["k": MaskedBadge(mask)] as NSDictionary, as: [String: NSObject].self)
                    #expect(isSame(dictionary?["k"], mask))
                }
                let badge = Badge(number: 3)
                #expect(
                    copy(of: PairBadge(badge, MaskedBadge(Badge(number: 4))), as: PairBadge.self)?.second?.number == 4)
                #expect(copy(of: KeyedMaskedBadge(number: 8), as: Badge.self)?.number == 9)
            }
        }

        private func isSame(_ copy: NSObject?, _ object: NSObject) -> Bool {
            if let badge = object as? Badge { return (copy as? Badge)?.number == badge.number }
            return copy == object
        }

        @Test func replacement_isAskedForOnce_andStaysOneObject() throws {
            try TestStore.memory.run { (_) throws in
                let masked = MaskedBadge(Badge(number: 7))
                let list = copy(of: [masked, masked] as NSArray, as: [Badge].self)
                #expect(list?.map(\.number) == [7, 7] && list?.first === list?.last)
                // The object is written, and read again as a check.
                #expect(masked.questions == 1)
                // A conditional reference refers to the replacement.
                let pair = copy(of: PairBadge(masked, masked), as: PairBadge.self)
                #expect(pair?.first?.number == 7 && pair?.first === pair?.second)
                let alone = copy(of: PairBadge(masked, Badge(number: 1)), as: PairBadge.self)
                #expect(alone != nil && alone?.first == nil)
                // A replacement is not replaced itself.
                #expect(copy(of: MaskedBadge(MaskedBadge("x")), as: MaskedBadge.self)?.number == -1)
            }
        }

        @Test func nothingInPlace_isNilInAField_andNoObjectElsewhere() throws {
            try TestStore.memory.run { (_) throws in
                let pair = copy(of: PairBadge(Badge(number: 1), MaskedBadge(nil)), as: PairBadge.self)
                #expect(pair != nil && pair?.second == nil)
                expectRefused(MaskedBadge(nil))
                expectRefused([MaskedBadge(nil)] as NSArray)
            }
        }

        @Test func replacementThatCannotBeArchived_isRefused() throws {
            struct Stranger {}
            try TestStore.memory.run { (_) throws in
                expectRefused(MaskedBadge(CarelessBadge()))
                expectRefused(MaskedBadge(Stranger()))
                expectRefused(MaskedBadge(NSObject()))
                expectRefused(EndlessBadge(number: 1))
            }
        }

        // MARK: Another class

        @Test func class_isTheOneThatTheObjectAsksFor() throws {
            try TestStore.memory.run { (_) throws in
                #expect(copy(of: DisguisedBadge(7, as: GoldenBadge.self), as: GoldenBadge.self)?.number == 7)
                #expect(copy(of: DisguisedBadge(8, as: nil), as: DisguisedBadge.self)?.number == 8)
                #expect(copy(of: RebornBadge(number: 9), as: GoldenBadge.self)?.number == 9)
                for other in [NSArray.self, NSString.self, NSObject.self, CarelessBadge.self] as [AnyClass] {
                    expectRefused(DisguisedBadge(7, as: other))
                }
            }
        }

        @Test func allowedClasses_areThoseThatComeToLife() throws {
            try TestStore.memory.run { (_) throws in
                #expect(box.archiveObject(RebornBadge(number: 9), forKey: "reborn"))
                #expect(box.unarchiveObject(ofClasses: [RebornBadge.self], forKey: "reborn") == nil)
                #expect(box.unarchiveObject(ofClasses: [GoldenBadge.self], forKey: "reborn") is GoldenBadge)
            }
        }

        /// A subclass of one of Foundation's classes is written as that class, as in the original, or not at all.
        @Test func listOfOnesOwn_isAnArray_unlessItAsksForSomethingElse() throws {
            try TestStore.memory.run { (_) throws in
                #expect(copy(of: BadgeList(), as: [Int].self) == [0, 1])
                let list = DisguisedList()
                #expect(copy(of: list, as: [Int].self) == [0, 1])
                for other in [GoldenBadge.self, NSMutableArray.self, NSSet.self, NSObject.self] as [AnyClass] {
                    list.disguise = other
                    expectRefused(list)
                    expectRefused(["k": list] as NSDictionary)
                }
                list.mask = Badge(number: 7)
                #expect(copy(of: list, as: Badge.self)?.number == 7)
            }
        }

        // MARK: Links back

        /// Swift cannot give a child its parent before the parent is complete.
        @Test func linkToAParent_isRefused_andFineOnceTheParentIsNotWritten() throws {
            try TestStore.memory.run { (_) throws in
                let child = ChildBadge(number: 2)
                let parent = ParentBadge(child)
                expectRefused(parent)
                expectRefused([parent] as NSArray)
                let read = copy(of: child, as: ChildBadge.self)
                #expect(read?.number == 2 && read?.parent == nil)
                child.parent = nil
                #expect(copy(of: parent, as: ParentBadge.self)?.child?.number == 2)
            }
        }
    }
}
