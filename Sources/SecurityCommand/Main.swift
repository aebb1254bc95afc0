// SPDX-License-Identifier: Apache-2.0

import Foundation
import GitCredentialKeychain

/// Where the program begins.
@main
enum Main {
    static func main() {
        // An installation has one large program and not two.
        if GitCredentialKeychain.isCalled { GitCredentialKeychain.main() }
        CommandLog.begin()
        exit(Console.finish(CommandRunner.run(Array(CommandLine.arguments.dropFirst()))))
    }
}
