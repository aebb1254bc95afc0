// SPDX-License-Identifier: Apache-2.0

// An `LAContext` that is kept with the options and passed in each query.

import LocalAuthentication
import Security

private struct Prompting {
    var context: LAContext?

    func query(_ account: String) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
            kSecUseOperationPrompt as String: "Please",
        ]
        #if canImport(LocalAuthentication)
            if let context { query[kSecUseAuthenticationContext as String] = context }
        #endif
        return query
    }
}

private func biometry(_ context: LAContext) -> String {
    var error: NSError?
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
        if let error = error as? LAError {
            switch error.code {
            case .biometryNotAvailable: return "not available"
            case .biometryNotEnrolled, .passcodeNotSet: return "not set up"
            default: return "other"
            }
        }
        return error?.domain == LAErrorDomain ? "\(error?.code ?? 0)" : "none"
    }
    switch context.biometryType {
    case .touchID: return "finger"
    case .faceID: return "face"
    case .opticID: return "eyes"
    case .none: return "none"
    @unknown default: return "new"
    }
}

@MainActor private final class LoginModel {
    let context = LAContext()
    var message = ""

    func unlock() async {
        context.localizedCancelTitle = "Not now"
        do {
            let isOwner = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Log in")
            message = "\(isOwner)"
        } catch LAError.passcodeNotSet {
            message = "no passcode"
        } catch {
            message = "\(error)"
        }
    }

    func unlockWithReply(_ done: @escaping @Sendable (String) -> Void) {
        context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Log in") { success, error in
            DispatchQueue.main.async { done(success ? "in" : error?.localizedDescription ?? "") }
        }
    }
}

@Sendable func checkAuthenticationContexts() async throws {
    let context = LAContext()
    context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
    context.localizedFallbackTitle = ""
    try expectEqual(biometry(context), "not available")

    let prompting = Prompting(context: context)
    for interactionNotAllowed in [false, true] {
        context.interactionNotAllowed = interactionNotAllowed
        let item = prompting.query("anna").merging([kSecValueData as String: Data("secret".utf8)]) { $1 }
        try expectEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
        var result: AnyObject?
        let query = prompting.query("anna").merging([kSecReturnData as String: true]) { $1 }
        try expect(query[kSecUseAuthenticationContext as String] as? LAContext === context)
        try expectEqual(SecItemCopyMatching(query as CFDictionary, &result), errSecSuccess)
        try expectEqual(result as? Data, Data("secret".utf8))
        let change = [kSecValueData as String: Data("other".utf8)]
        try expectEqual(SecItemUpdate(prompting.query("anna") as CFDictionary, change as CFDictionary), errSecSuccess)
        try expectEqual(SecItemDelete(prompting.query("anna") as CFDictionary), errSecSuccess)
    }

    let model = await MainActor.run { LoginModel() }
    await model.unlock()
    try expectEqual(await model.message, "no passcode")
    let message = await withCheckedContinuation { continuation in
        Task { @MainActor in model.unlockWithReply { continuation.resume(returning: $0) } }
    }
    try expect(!message.isEmpty && message != "in")
    context.invalidate()
    try expectEqual(biometry(context), "other")
}
