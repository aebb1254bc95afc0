// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Runs the shape with the given name, in a process and on a store of its own. Without a name, lists all shapes.
@main
enum Shapes {
    static let all: [(name: String, check: @Sendable () async throws -> Void)] = [
        ("AccessGroups", checkAccessGroups),
        ("ActorKeychain", checkActorKeychain),
        ("AnyHashableReading", checkAnyHashableReading),
        ("ArchivedObjects", checkArchivedObjects),
        ("AuthenticationContexts", checkAuthenticationContexts),
        ("BundleNames", checkBundleNames),
        ("CapturingClosures", checkCapturingClosures),
        ("Certificates", checkCertificates),
        ("CodableStore", checkCodableStore),
        ("ConcurrentQueues", checkConcurrentQueues),
        ("CoreFoundationDictionaries", checkCoreFoundationDictionaries),
        ("CoreFoundationErrors", checkCoreFoundationErrors),
        ("CoreFoundationFunctions", checkCoreFoundationFunctions),
        ("Entitlements", checkEntitlements),
        ("EnumeratedConstants", checkEnumeratedConstants),
        ("FoundationDictionaries", checkFoundationDictionaries),
        ("InternetPasswords", checkInternetPasswords),
        ("KeyOperations", checkKeyOperations),
        (
            "KeychainArchives",
            {
                try checkKeychainArchives()
                try checkKeychainTexts()
            }
        ),
        ("KeychainDictionary", checkKeychainDictionary),
        ("KeychainMutableDictionary", checkKeychainMutableDictionary),
        ("Listing", checkListing),
        ("LiveKeys", checkLiveKeys),
        ("Migration", checkMigration),
        ("NumbersAndBooleans", checkNumbersAndBooleans),
        ("ObjectsByReference", checkObjectsByReference),
        ("OptionalValues", checkOptionalValues),
        ("OwnMembers", checkOwnMembers),
        ("PersistentReferences", checkPersistentReferences),
        ("PinnedCertificates", checkPinnedCertificates),
        ("PropertyWrapper", checkPropertyWrapper),
        ("Protection", checkProtection),
        ("RandomBytes", checkRandomBytes),
        ("Rights", checkRights),
        ("SharedInstance", checkSharedInstance),
        ("SignatureVerification", checkSignatureVerification),
        ("StatusErrors", checkStatusErrors),
        ("TypedQueryBuilder", checkTypedQueryBuilder),
        ("WeakInstances", checkWeakInstances),
    ]

    static func main() async {
        guard CommandLine.arguments.count > 1 else { return all.forEach { print($0.name) } }
        guard let shape = all.first(where: { $0.name == CommandLine.arguments[1] }) else { exit(64) }
        do {
            try await shape.check()
            print("works")
        } catch {
            print(error)
            exit(1)
        }
    }
}
