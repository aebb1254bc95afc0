// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SecItemGnome

/// What the environment says about the Secret Service.
@Suite struct ConfigurationTests {
    private static let displays: [(environment: [String: String], canPrompt: Bool)] = [
        ([:], false), (["DISPLAY": ""], false), (["WAYLAND_DISPLAY": ""], false),
        (["DISPLAY": "", "WAYLAND_DISPLAY": ""], false), (["DISPLAY": ":0"], true),
        (["WAYLAND_DISPLAY": "wayland-0"], true), (["DISPLAY": "", "WAYLAND_DISPLAY": "wayland-0"], true),
        (["DISPLAY": ":0", "WAYLAND_DISPLAY": ""], true), (["DISPLAYS": ":0"], false),
    ]

    /// The service shows its prompts on a display. Without one, nobody would answer them.
    @Test(arguments: displays.indices) func prompts_needADisplay(_ index: Int) {
        let (environment, canPrompt) = Self.displays[index]
        #expect(LibsecretStore.Configuration(environment: environment).canPrompt == canPrompt)
    }

    @Test(arguments: [nil, "", "0", "1", "2", "true", "yes", "1 ", " 1"])
    func plainSessions_areAllowedByOneWord(_ word: String?) {
        var environment: [String: String] = [:]
        environment["SECITEM_ALLOW_PLAIN_SESSION"] = word
        #expect(LibsecretStore.Configuration(environment: environment).allowsPlainSession == (word == "1"))
    }
}
