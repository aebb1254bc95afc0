// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProcessKeychain
import SecItemConformance
import Security
import Testing

@testable import GitCredentialKeychain

/// Random requests, compared with a model of git's rule: values that the request names must be equal, and others may be
/// anything.
@Suite(.serialized, .processKeychain) struct MatchingTests {
    /// A credential as git has it, in bytes.
    private struct Credential {
        var fields: [String: [UInt8]] = [:]
        var secret: [String: [UInt8]] = [:]

        var request: [UInt8] {
            let lines = fields.merging(secret) { $1 }.map { Array("\($0)=".utf8) + $1 + [10] }
            return lines.flatMap { $0 }
        }

        func isNamed(by request: Credential) -> Bool {
            request.fields.allSatisfy { fields[$0] ?? [] == $1 }
        }
    }

    private static let hosts = ["a", "b", "a:80", "a:8080", "[::1]", "[::1]:80", "::1", "a:"].map { Array($0.utf8) }

    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            let byte = UInt8.random(in: 1...255, using: &random)
            return byte == 10 ? 61 : byte
        }
    }

    /// There are few values, so that requests match. One of them is not text.
    private static func request(_ random: inout SeededGenerator, whole: Bool) -> Credential {
        let names: [[UInt8]] = [[], Array("anna".utf8), [0xFF, 0x41], Array("ä=b".utf8)]
        var credential = Credential()
        credential.fields["protocol"] = Array((["https", "http", "smtp"].randomElement(using: &random) ?? "ftp").utf8)
        credential.fields["host"] = (hosts + [[0xC3, 0x28]]).randomElement(using: &random)
        if whole || Bool.random(using: &random) { credential.fields["username"] = names.randomElement(using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            credential.fields["path"] = names.randomElement(using: &random)
        }
        return credential
    }

    private func perform(_ action: Action, _ request: [UInt8]) throws -> [String: [UInt8]] {
        var rest = request[...]
        let output = try GitCredentialKeychain.perform(
            action,
            StandardInput { count in
                defer { rest = rest.dropFirst(min(count, 7)) }
                return Array(rest.prefix(min(count, 7)))
            })
        var answer: [String: [UInt8]] = [:]
        for line in output.split(separator: 10) {
            let equals = try #require(line.firstIndex(of: 61))
            answer[String(decoding: line[..<equals], as: UTF8.self)] = Array(line[(equals + 1)...])
        }
        return answer
    }

    /// A host with an empty port is the same as the host without a port. All other values are distinguished.
    private func key(_ credential: Credential) -> [String: [UInt8]] {
        var key = credential.fields
        if key["host"] == Array("a:".utf8) { key["host"] = Array("a".utf8) }
        key["path"] = key["path"] ?? []
        return key
    }

    @Test func randomRequests_agreeWithGitsRule() throws {
        LinuxKeychain.use(.inMemory)
        var random = SeededGenerator()
        var model: [[String: [UInt8]]: Credential] = [:]
        for _ in RandomRounds.usually(800) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                var credential = Self.request(&random, whole: true)
                credential.secret["password"] = Self.bytes(&random)
                if Bool.random(using: &random) { credential.secret["oauth_refresh_token"] = Self.bytes(&random) }
                if Bool.random(using: &random) { credential.secret["password_expiry_utc"] = Array("9999999999".utf8) }
                #expect(try perform(.store, credential.request) == [:])
                model[key(credential)] = Credential(fields: key(credential), secret: credential.secret)
            case 2, 3:
                let request = Self.request(&random, whole: false)
                try check(try perform(.get, request.request), request, model)
            default:
                var request = Self.request(&random, whole: false)
                let wanted = Credential(fields: normalized(request))
                let named = model.filter { $1.isNamed(by: wanted) }
                request.secret["password"] =
                    Bool.random(using: &random) ? named.values.randomElement(using: &random)?.secret["password"] : nil
                #expect(try perform(.erase, request.request) == [:])
                for (key, credential) in named
                where request.secret["password"] == nil || request.secret["password"] == credential.secret["password"] {
                    model[key] = nil
                }
            }
        }
        #expect(!model.isEmpty)
    }

    private func normalized(_ request: Credential) -> [String: [UInt8]] {
        var fields = key(request)
        if request.fields["path"] == nil { fields["path"] = nil }
        return fields
    }

    private func check(
        _ answer: [String: [UInt8]], _ request: Credential, _ model: [[String: [UInt8]]: Credential]
    ) throws {
        let named = model.values.filter { $0.isNamed(by: Credential(fields: normalized(request))) }
        guard !named.isEmpty else { return #expect(answer == [:]) }
        // The answer is one whole credential, never parts of two. One for the whole host is preferred.
        let fitting = named.filter { credential in
            var expected = credential.secret
            if request.fields["username"] == nil { expected["username"] = credential.fields["username"] }
            return expected == answer
        }
        #expect(!fitting.isEmpty)
        if named.contains(where: { $0.fields["path"] == [] }) {
            #expect(fitting.contains { $0.fields["path"] == [] })
        }
    }

    @Test func secret_comesBackFromItsData() {
        var random = SeededGenerator()
        for _ in RandomRounds.usually(1000) {
            var secret = CredentialSecret()
            secret.password = Self.bytes(&random)
            for key in CredentialSecret.Key.allCases where key != .authenticationType && Bool.random(using: &random) {
                secret.take(key.rawValue, Self.bytes(&random))
            }
            if secret.credential != nil {
                secret.password = nil
                secret.take("authtype", Self.bytes(&random))
            }
            #expect(CredentialSecret(data: secret.data) == secret)
        }
    }

    /// Data that another program has put into an item never becomes a line for git.
    @Test func dataOfOthers_neverNamesAnotherHost() {
        var random = SeededGenerator()
        let words = [
            "p", "\n", "host=evil", "protocol=http", "=", "password=x", "quit=1", "authtype=B", "credential=c",
        ]
        for _ in RandomRounds.usually(1000) {
            let text = (0..<8).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            let answer = String(decoding: CredentialSecret(data: text.utf8).answer, as: UTF8.self)
            for (number, line) in answer.split(separator: "\n").enumerated() {
                let key = line.prefix { $0 != "=" }
                #expect(
                    key == "password" && number == 0 || CredentialSecret.Key(rawValue: String(key)) != nil, "\(line)")
            }
        }
    }

    @Test func junk_isRefusedOrPassedOver() throws {
        LinuxKeychain.use(.inMemory)
        var random = SeededGenerator()
        let words = [
            "protocol=", "https", "host=", "a:", "\n", "=", "\0", "é", "capability[]=", "path=", "username=", "9",
        ]
        for _ in RandomRounds.usually(1000) {
            let text = (0..<12).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            for action in [Action.get, .store, .erase] {
                do { #expect(try perform(action, Array(text.utf8)) == [:]) } catch { #expect(error is HelperFailure) }
            }
        }
    }
}
