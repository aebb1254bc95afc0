import Foundation
import Logging
import SecItemStore
import Testing

@testable import SecItemSQLite

/// A folder that goes when the test is over.
final class TemporaryFolder {
    let path: String

    init(in parent: String = NSTemporaryDirectory()) throws {
        var template = Array((parent + "/secitem-test-XXXXXX").utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var location: StoreLocation { StoreLocation(folder: path + "/secitem") }
}

/// A handler that keeps what is logged.
struct CollectedLog: Sendable {
    final class Lines: @unchecked Sendable {
        private let lock = NSLock()
        private var all: [String] = []

        func append(_ line: String) { lock.withLock { all.append(line) } }
        var text: String { lock.withLock { all.joined(separator: "\n") } }
    }

    private struct Handler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.append("\(event.level): \(event.message) \(event.metadata ?? [:])")
        }
    }

    let lines = Lines()

    var logger: Logger {
        Logger(label: "test") { _ in Handler(lines: lines) }
    }

    var text: String { lines.text }
}

/// A store as most tests want it: cheap, and keeping keys nowhere.
func openStore(
    _ location: StoreLocation, passphrase: String? = nil, cache: FirstUnlockCache = .none,
    logger: Logger = CollectedLog().logger
) throws -> SQLiteStore {
    let protector: any RootKeyProtector =
        passphrase.map { passphrase in
            PassphraseProtector(sources: [.closure { Secret(Data(passphrase.utf8)) }], cost: .lowest)
        } ?? KeyFileProtector()
    return try SQLiteStore(location: location, protector: protector, cache: cache, logger: logger)
}

extension ItemRecord {
    /// A generic password.
    static func password(
        service: String = "service", account: String = "account", group: String = "group", label: String? = nil,
        accessible: Accessible = .whenUnlocked, secret: Data? = Data("secret".utf8),
        more: [ItemAttribute: AttributeValue] = [:]
    ) -> ItemRecord {
        var attributes: [ItemAttribute: AttributeValue] = [
            .service: .string(service), .account: .string(account), .accessGroup: .string(group),
            .accessible: .string(accessible.rawValue), .synchronizable: .integer(0), .tombstone: .integer(0),
            .multiUser: .data(Data()), .creationDate: .date(Date()), .modificationDate: .date(Date()),
        ]
        attributes[.label] = label.map(AttributeValue.string)
        attributes.merge(more) { _, new in new }
        return ItemRecord(
            reference: PersistentReference(itemClass: .genericPassword), attributes: attributes,
            secrets: secret.map { [.valueData: Secret($0)] } ?? [:]
        )
    }

    var secretData: Data? { secrets[.valueData]?.data() }
    var accountName: String? { attributes[.account]?.string }
}

extension RecordFilter {
    /// A filter for generic passwords.
    static func password(
        service: String? = nil, account: String? = nil, groups: [String]? = ["group"],
        more: [ItemAttribute: AttributeValue] = [:]
    ) -> RecordFilter {
        var attributes: [ItemAttribute: AttributeValue] = [.synchronizable: .integer(0)]
        attributes[.service] = service.map(AttributeValue.string)
        attributes[.account] = account.map(AttributeValue.string)
        attributes.merge(more) { _, new in new }
        return RecordFilter(itemClass: .genericPassword, attributes: attributes, accessGroups: groups)
    }
}

extension KeychainStore {
    func insert(_ record: ItemRecord) throws { try insert(record, interaction: .allowed) }

    func find(
        _ filter: RecordFilter, _ parts: RecordParts = [.attributes, .secrets], limit: Int? = nil,
        interaction: Interaction = .allowed
    ) throws -> [ItemRecord] {
        try records(matching: filter, parts: parts, limit: limit, interaction: interaction)
    }

    @discardableResult
    func update(
        _ filter: RecordFilter, _ attributes: [ItemAttribute: AttributeValue] = [:],
        secret: Data? = nil
    ) throws -> Int {
        let secrets = secret.map { [ItemAttribute.valueData: Secret($0)] } ?? [:]
        return try update(
            matching: filter, applying: RecordChanges(attributes: attributes, secrets: secrets), interaction: .allowed)
    }

    @discardableResult
    func delete(_ filter: RecordFilter) throws -> Int { try delete(matching: filter, interaction: .allowed) }
}

/// Expects an error of that code.
func expect(
    _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("no error, but \(code.name) was expected", sourceLocation: sourceLocation)
    } catch let error as StoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
    }
}

/// What the other process of a test says.
struct Probe {
    let process = Process()
    private let output = Pipe()
    private let input = Pipe()

    init(_ arguments: String..., environment: [String: String] = [:]) throws {
        let folder = Bundle.module.bundleURL.deletingLastPathComponent()
        process.executableURL = folder.appendingPathComponent("StoreProbe")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for the line.
    func waitFor(_ line: String) {
        var seen = Data()
        while !seen.ends(with: Data((line + "\n").utf8)) {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            if byte.isEmpty { return }
            seen.append(byte)
        }
    }

    /// Lets a process go on that waits.
    func go() {
        try? input.fileHandleForWriting.close()
    }

    /// Everything it says, whole lines only, until its end.
    func lines() -> [String] {
        let all = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        var lines = String(decoding: all, as: UTF8.self).components(separatedBy: "\n")
        lines.removeLast()
        return lines
    }
}

extension Data {
    fileprivate func ends(with other: Data) -> Bool { suffix(other.count) == other }
}

extension StoreLocation {
    /// What the folder's files hold.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
    }
}
