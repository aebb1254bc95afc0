// SPDX-License-Identifier: Apache-2.0

/// What this program keeps: any `Codable` type would do.
struct Login: Codable {
    var site: String
    var user: String
    var password: String
}
