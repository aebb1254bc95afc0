// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The secret of a saved right. It can be read while the right is authorized.
///
/// Names and behaviour are those of
/// [LASecret](https://developer.apple.com/documentation/localauthentication/lasecret).
public final class LASecret: NSObject, Sendable {
    private let saved: SavedRight
    private let session: RightSession

    init(_ saved: SavedRight, _ session: RightSession) {
        self.saved = saved
        self.session = session
        super.init()
    }

    /// Reads the secret from the keychain. Asks nobody.
    ///
    /// - Parameter handler: Called once, on any thread, with the secret, or with an error: `LAError.notInteractive` if the
    ///   right is not authorized, code -1019 if it has no secret or was removed, and else the errors of ``LARightStore``.
    @preconcurrency
    public func loadData(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        onThread(answering: handler) { [saved, session] in
            let context = try session.authorized
            guard saved.hasSecret else { throw RightError.notFound("The right has no secret.") }
            return try saved.secret(context, prompt: nil)
        }
    }

    /// The secret, read from the keychain. Asks nobody. Throws the error that ``loadData(completion:)`` gives.
    public var rawData: Data {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                loadData { continuation.resume(with: Result($0, $1)) }
            }
        }
    }
}
