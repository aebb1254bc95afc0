// SPDX-License-Identifier: Apache-2.0

/// All conformance cases.
public enum ConformanceSuite {
    /// The cases, in the order of the rules they check.
    public static let cases: [ConformanceCase] =
        parsingCases + coercionCases + classCases + addCases + copyMatchingCases + resultCases
        + persistentReferenceCases + synchronizableCases + updateCases + deleteCases + accessGroupCases + adoptionCases
        + liveObjectCases + identityCases + permanentKeyCases + keyPermissionCases + protectionCases
        + constraintCases + fingerSetCases + askingTogetherCases + guardedKeyCases + openingTableCases + sealedItemCases
        + proofLawCases
        + applicationPasswordCases
        + applicationPasswordLawCases + rightCases
        + authenticationCases + matchCases + certificateRuleCases + meaningCases + matchLimitCases
        + foreignDictionaryCases
        + textCases + randomTextCases + valueCases + castCases + concurrencyCases + attributeCases
        + propertyCases + lawCases + sizeCases + importCases
}
