// SPDX-License-Identifier: Apache-2.0

/// What this program stores. Any `Codable` type would do.
struct Login: Codable {
    var site: String
    var user: String
    var password: String
}
