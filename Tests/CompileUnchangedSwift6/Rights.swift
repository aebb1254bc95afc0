// SPDX-License-Identifier: Apache-2.0

// Rights that guard a login, a token and a key, as their documentation shows them.

import LocalAuthentication

@MainActor private final class Login {
    private var right = LARight(requirement: .biometry(fallback: .devicePasscode))
    private(set) var section = "public"

    func login() async {
        do {
            try await right.checkCanAuthorize()
            try await right.authorize(localizedReason: "Show your notes")
            section = "protected"
        } catch LAError.passcodeNotSet {
            section = "no passcode"
        } catch {
            section = "\(error)"
        }
    }

    func logout() async {
        await right.deauthorize()
        section = "public"
    }

    var state: LARight.State { right.state }
}

/// A right that is always granted, for previews.
private final class GrantedRight: LARight, @unchecked Sendable {
    override var state: State { .authorized }

    override init() {
        super.init()
        tag = 7
    }

    override func authorize(localizedReason: String) async throws {}
}

private enum Vault {
    static func store(_ token: Data) async throws {
        let right = LARight(requirement: .biometryCurrentSet)
        _ = try await LARightStore.shared.saveRight(right, identifier: "token", secret: token)
    }

    static func token() async throws -> Data {
        let right = try await LARightStore.shared.right(forIdentifier: "token")
        try await right.authorize(localizedReason: "Sign in")
        return try await right.secret.rawData
    }

    static func newKey() async throws -> Data {
        let right = try await LARightStore.shared.saveRight(LARight(), identifier: "2fa")
        return try await right.key.publicKey.bytes
    }

    static func sign(_ challenge: Data, algorithm: SecKeyAlgorithm) async throws -> Data? {
        let right = try await LARightStore.shared.right(forIdentifier: "2fa")
        guard right.key.canSign(using: algorithm) else { return nil }
        return try await right.key.sign(challenge, algorithm: algorithm)
    }
}

@Sendable func checkRights() async throws {
    let login = await MainActor.run { Login() }
    try expectEqual(await login.state, .unknown)
    await login.login()
    try expectEqual(await login.section, "no passcode")
    await login.logout()
    try expectEqual(await login.state, .notAuthorized)

    let granted: LARight = GrantedRight()
    try await granted.authorize(localizedReason: "Preview")
    switch granted.state {
    case .authorized: try expectEqual(granted.tag, 7)
    case .unknown, .authorizing, .notAuthorized: try expect(false)
    @unknown default: try expect(false)
    }

    let bytes = try await Vault.newKey()
    try expectEqual(bytes.count, 65)
    var refusal: LAError.Code?
    do {
        _ = try await Vault.sign(Data("challenge".utf8), algorithm: .ecdsaSignatureMessageX962SHA256)
    } catch let error as LAError {
        refusal = error.code
    }
    try expectEqual(refusal, .notInteractive)
    var code: Int?
    do {
        _ = try await Vault.token()
    } catch {
        code = (error as NSError).code
    }
    try expectEqual(code, -1019)
    try await LARightStore.shared.removeRight(forIdentifier: "2fa")
    try await LARightStore.shared.removeAllRights()
    let gone = await withCheckedContinuation { continuation in
        LARightStore.shared.right(forIdentifier: "2fa") { right, error in
            continuation.resume(returning: right == nil && error != nil)
        }
    }
    try expect(gone)
}
