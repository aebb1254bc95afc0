import SecItemStore

extension MatchRules {
    /// Whether a record passes all the rules. It has its attributes, and its secrets where a digest is asked for.
    func accept(_ record: ItemRecord) -> Bool {
        acceptHost(of: record) && acceptDigest(of: record)
    }

    /// The item's server must be the host or lie in its domain.
    private func acceptHost(of record: ItemRecord) -> Bool {
        guard let host else { return true }
        guard let server = record.attributes[.server]?.string else { return false }
        let domain = Array(".\(host)".utf8)
        return server.utf8.elementsEqual(host.utf8) || server.utf8.suffix(domain.count).elementsEqual(domain)
    }

    private func acceptDigest(of record: ItemRecord) -> Bool {
        guard let digest else { return true }
        return digest.matchKey == AttributeValue.data(record.digest).matchKey
    }
}
