import Foundation
import Security

/// git's credential helper over the keychain.
@main
enum GitCredentialKeychain {
    static func main() {
        exit(0)
    }
}
