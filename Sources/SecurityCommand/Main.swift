// SPDX-License-Identifier: Apache-2.0

import Foundation
import GitCredentialKeychain

/// Where the program begins.
@main
enum Main {
    static func main() {
        StandardDescriptors.keepReserved()
        // An installation has one large program and not two.
        if GitCredentialKeychain.isCalled { GitCredentialKeychain.main() }
        CommandLog.begin()
        guard let arguments = ArgumentText.all else {
            Console.error("security: \(ArgumentText.failure.message ?? "")")
            exit(ArgumentText.failure.exitStatus)
        }
        exit(Console.finish(CommandRunner.run(arguments)))
    }
}
