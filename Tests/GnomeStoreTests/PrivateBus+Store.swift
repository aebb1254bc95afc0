// SPDX-License-Identifier: Apache-2.0

import SecItemGnome
import TestSupport

extension PrivateBus {
    /// A store on this bus.
    func store(canPrompt: Bool = false, promptTimeLimit: Double = 20, callTimeLimit: Double = 120) -> LibsecretStore {
        var configuration = LibsecretStore.Configuration(environment: environment)
        configuration.canPrompt = canPrompt
        configuration.promptTimeLimit = promptTimeLimit
        configuration.callTimeLimit = callTimeLimit
        return LibsecretStore(configuration: configuration)
    }
}
