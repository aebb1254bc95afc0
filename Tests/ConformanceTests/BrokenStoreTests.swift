// SPDX-License-Identifier: Apache-2.0

import SecItemConformance
import Testing

/// The suite must fail on a wrong store.
@Suite struct BrokenStoreTests {
    /// A case that must fail for each fault. Other cases may fail too.
    private static let noticedBy: [BrokenStore.Fault: String] = [
        .forgetsUpdates: "update_data_changesIt",
        .updatesTheFirstOnly: "update_severalMatches_changesAll",
        .updatesHalfBeforeFailing: "update_oneOfSeveralFails_changesNone",
        .ignoresAccessGroups: "application_another_seesNothing",
        .dropsUniqueness: "add_samePrimaryKey_isDuplicate",
        .keepsWhatIsDeleted: "delete_byPrimaryKey_takesThatItem",
        .deletesTheWholeClass: "application_deletingAll_sparesOthers",
        .losesTheData: "add_genericPassword_isFound",
        .cutsTextAtNUL: "text_withNUL_isKeptWhole",
        .normalisesText: "text_composedAndDecomposed_areDistinct",
        .foldsCase: "matching_anyDifference_findsNothing",
        .ignoresReferences: "reference_toNoItem_isNotFound",
        .ignoresTheLimit: "limit_constantOrWholeNumber_isAccepted",
        .ignoresTheLock: "lockedStore_dataOfLockedItem_isInteractionNotAllowed",
        .takesAnyPassphrase: "lockedStore_wrongPassphrase_staysLocked",
        .seemsEmptyWhenLocked: "lockedStore_dataOfLockedItem_isInteractionNotAllowed",
        .changesTheReference: "reference_afterUpdate_isTheSame",
        .turnsNumbersIntoText: "numberAttribute_boolean_castsToBoolAndInt",
        .keepsTheOldDate: "update_settingModificationDate_isIgnored",
        .roundsDates: "dateAttribute_date_isKept",
        .ignoresTheGreatestCount: "greatestCount_exceeded_changesNothing",
    ]

    @Test(arguments: BrokenStore.Fault.allCases)
    func faultyStore_isNoticed(_ fault: BrokenStore.Fault) throws {
        let name = try #require(Self.noticedBy[fault])
        let conformanceCase = try #require(ConformanceSuite.cases.first { $0.name == name }, "no case \(name)")
        #expect(throws: ConformanceFailure.self, "\(name) passes on a store that \(fault)") {
            try conformanceCase.run(on: ConformanceKeychain(store: BrokenStore(fault)))
        }
    }

    /// Random dictionaries also find most of the faults.
    @Test(arguments: [
        BrokenStore.Fault.forgetsUpdates, .updatesTheFirstOnly, .ignoresAccessGroups, .dropsUniqueness,
        .keepsWhatIsDeleted, .deletesTheWholeClass, .losesTheData, .normalisesText, .ignoresReferences,
        .turnsNumbersIntoText, .changesTheReference,
    ])
    func faultyStore_isNoticedByRandomDictionaries(_ fault: BrokenStore.Fault) {
        let random = ConformanceSuite.cases.filter { $0.name.hasPrefix("randomDictionaries") }.prefix(10)
        let failing = random.filter { random in
            (try? random.run(on: ConformanceKeychain(store: BrokenStore(fault)))) == nil
        }
        #expect(!failing.isEmpty, "\(failing.count) of \(random.count) seeds failed on a store that \(fault)")
    }
}
