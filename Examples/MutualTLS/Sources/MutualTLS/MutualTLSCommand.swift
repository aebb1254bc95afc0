// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Security

/// The program. Each run executes one command.
@main
enum MutualTLSCommand {
    static let usage = """
        Usage: mutual-tls import FILE.p12           keep the identity of a file; the passphrase comes on standard input
               mutual-tls get HOST PORT ROOTS.pem   fetch a server's page, as a client that the identity stands for
               mutual-tls remove                    forget the identity
        """

    static let identity = ClientIdentity(label: "org.example.mutual-tls")

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("mutual-tls: \(error.localizedDescription)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        switch (arguments.first, arguments.count) {
        case ("import", 2):
            let file = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
            print("\(try identity.add(file: file, passphrase: readLine() ?? "")) identities")
        case ("get", 4):
            guard let port = Int(arguments[2]) else { fallthrough }
            print(try await page(host: arguments[1], port: port, roots: arguments[3]))
        case ("remove", 1): try identity.remove()
        default:
            print(usage)
            exit(64)
        }
    }

    /// Fetches a page over TLS. The server needs a certificate of one of the roots, and sees the client's certificates.
    private static func page(host: String, port: Int, roots: String) async throws -> String {
        let context = try NIOSSLContext(configuration: configuration(roots: roots))
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: host)
                    try channel.pipeline.syncOperations.addHandler(handler)
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET / HTTP/1.0\r\nHost: \(host)\r\n\r\n"))
            var page = ByteBuffer()
            for try await part in inbound { page.writeImmutableBuffer(part) }
            return String(buffer: page)
        }
    }

    private static func configuration(roots: String) throws -> TLSConfiguration {
        let (key, chain) = try identity.keyAndChain()
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(roots)
        configuration.certificateChain = try chain.map { certificate in
            let bytes = [UInt8](SecCertificateCopyData(certificate) as Data)
            return .certificate(try NIOSSLCertificate(bytes: bytes, format: .der))
        }
        configuration.privateKey = .privateKey(NIOSSLPrivateKey(customPrivateKey: KeychainKey(key)))
        return configuration
    }
}
