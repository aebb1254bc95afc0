// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Dispatch
    import Foundation
    import SecItemStore

    /// The place that a host's name means.
    enum HostAddress: Sendable {
        /// A Unix socket.
        case socket
        /// An address in numbers.
        case network(String, isThisMachine: Bool)

        /// Whether what is sent there stays on this machine.
        var isThisMachine: Bool {
            switch self {
            case .socket: true
            case .network(_, let isThisMachine): isThisMachine
            }
        }

        /// The addresses of a host.
        ///
        /// libpq would look the name up itself, and wait for as long as the name servers let it.
        ///
        /// - Throws: ``StoreError/Code/unavailable`` if there is none, or the time limit passes.
        static func addresses(of host: ConnectionOptions.Host, _ limit: TimeLimit) throws(StoreError) -> [HostAddress] {
            if host.isSocket { return [.socket] }
            let name = host.address ?? host.name ?? ""
            // Without a name server.
            let known = lookUp(name, AI_NUMERICHOST)
            if !known.isEmpty { return known }
            guard host.address == nil else { throw unknown }
            let found = try ask(name, limit)
            guard !found.isEmpty else { throw unknown }
            if isOwnName(name) { return found }
            // Otherwise whoever answers for the name server could lead to a program of this machine, without TLS.
            return found.map { address in
                guard case .network(let numeric, _) = address else { return address }
                return .network(numeric, isThisMachine: false)
            }
        }

        /// Whether the name means this machine, whatever a name server says.
        private static func isOwnName(_ name: String) -> Bool {
            let name = name.lowercased()
            return name == "localhost" || name.hasSuffix(".localhost")
        }

        private static let unknown = StoreError(
            .unavailable, "PostgreSQL: a host of the connection string has no address",
            underlying: PostgreSQLFailure(.unreachable))

        // MARK: A thread that asks

        private final class Question: Sendable {
            let name: String
            let answered = DispatchSemaphore(value: 0)
            let answer = LockedValue<[HostAddress]>([])

            init(_ name: String) {
                self.name = name
            }
        }

        /// The number of threads of this process that still wait for a name server.
        private static let waiting = ProcessValue { 0 }
        /// A name server that does not answer must not be asked by ever more threads.
        private static let mostWaiting = 16

        private static func ask(_ name: String, _ limit: TimeLimit) throws(StoreError) -> [HostAddress] {
            let isAllowed = waiting.withLock { waiting in
                if waiting == mostWaiting { return false }
                waiting += 1
                return true
            }
            guard isAllowed else { throw StoreError.timeLimit("no name server answers") }
            let question = Question(name)
            let isStarted = DetachedThread.start {
                let found = lookUp(question.name, 0)
                question.answer.withLock { $0 = found }
                waiting.withLock { $0 -= 1 }
                question.answered.signal()
            }
            guard isStarted else {
                waiting.withLock { $0 -= 1 }
                throw StoreError(.unavailable, "PostgreSQL: no thread can be started")
            }
            guard question.answered.wait(timeout: .now() + limit.seconds) == .success else {
                throw StoreError.timeLimit("no name server answers")
            }
            return question.answer.withLock { $0 }
        }

        // MARK: The C library

        private static func lookUp(_ name: String, _ flags: Int32) -> [HostAddress] {
            var hints = addrinfo()
            hints.ai_family = AF_UNSPEC
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = flags
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(name, nil, &hints, &list) == 0, let first = list else { return [] }
            defer { freeaddrinfo(first) }
            var result: [HostAddress] = []
            var next: UnsafeMutablePointer<addrinfo>? = first
            // A name server could send any number of addresses, and each takes its time.
            while let entry = next?.pointee, result.count < 16 {
                next = entry.ai_next
                guard let address = entry.ai_addr else { continue }
                var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                guard
                    getnameinfo(address, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
                else { continue }
                let numeric = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                result.append(.network(numeric, isThisMachine: isLoopback(address, numeric)))
            }
            return result
        }

        private static func isLoopback(_ address: UnsafePointer<sockaddr>, _ numeric: String) -> Bool {
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 == 127
                }
            // An IPv4 address in IPv6's form counts as another machine's, which is the safe choice.
            case AF_INET6: return numeric == "::1"
            default: return false
            }
        }
    }
#endif
