// SPDX-License-Identifier: Apache-2.0

// The other process in tests of connections to PostgreSQL. Usage: PostgreSQLProbe COMMAND CONNECTION-STRING.
// It says "done" on standard output, or what went wrong, and then fails. Commands with more arguments: "add KEY-FILE COUNT",
// "load KEY-FILE BEGINNING-OF-NAMES", "list KEY-FILE".

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore

    func failure(_ message: String) -> Never {
        print(message)
        exit(1)
    }

    @main
    enum PostgreSQLProbe {
        static func main() throws {
            let arguments = CommandLine.arguments
            guard arguments.count >= 3 else { failure("PostgreSQLProbe COMMAND CONNECTION-STRING") }
            switch arguments[1] {
            case "churn": try churn(arguments[2], keyFile: arguments[3], folder: arguments[4])
            case "listen-late": try listenWithoutDescriptors(arguments[2], keyFile: arguments[3])
            case "add": try addItems(arguments[2], keyFile: arguments[3], count: Int(arguments[4]) ?? 0)
            case "load":
                let store = PostgreSQLStore(PostgreSQLServer(arguments[2]), keyFile: arguments[3])
                addWithoutEnd(store, prefix: arguments[4])
            case "list": try listItems(PostgreSQLStore(PostgreSQLServer(arguments[2]), keyFile: arguments[3]))
            case "invite", "join", "rekey": try useFleet(arguments)
            default: failure("there is no command \(arguments[1])")
            }
            print("done")
        }
    }
#else
    @main
    enum PostgreSQLProbe {
        static func main() {}
    }
#endif
