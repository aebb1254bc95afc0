// SPDX-License-Identifier: Apache-2.0

// The other process in tests of connections to PostgreSQL. Usage: PostgreSQLProbe COMMAND CONNECTION-STRING.
// It says "done" on standard output, or what went wrong, and then fails. Commands with more arguments: "add KEY-FILE COUNT",
// "load KEY-FILE BEGINNING-OF-NAMES", "list KEY-FILE".

#if PostgreSQL
    import Foundation
    import SecItemPostgreSQL
    import SecItemStore
    import Synchronization

    func failure(_ message: String) -> Never {
        print(message)
        exit(1)
    }

    /// Threads that use a database until they are told to stop.
    final class Users: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let answers = Atomic<Int>(0)
        private let running = DispatchGroup()

        init(_ database: PostgreSQLDatabase, count: Int) {
            for number in 0..<count {
                running.enter()
                Thread { [self] in
                    while !isOver.load(ordering: .relaxed) {
                        use(database, Int64(number))
                        answers.add(1, ordering: .relaxed)
                    }
                    running.leave()
                }.start()
            }
        }

        var answerCount: Int { answers.load(ordering: .relaxed) }

        func stop() {
            isOver.store(true, ordering: .relaxed)
            running.wait()
        }
    }

    /// Asks for a number and a long text, and fails if anything else comes.
    func use(_ database: PostgreSQLDatabase, _ number: Int64) {
        do {
            let rows = try database.transaction(.snapshot) { (transaction) throws(StoreError) in
                try transaction.run(
                    PostgreSQLCommand("SELECT $1::bigint, repeat('x', 10000)", .integer(number)))
            }
            guard try rows.integer(0, 0) == number, rows.bytes(0, 1).count == 10_000 else {
                failure("another's answer")
            }
        } catch {
            failure("\(error)")
        }
    }

    /// Forks while threads use the database. Both sides go on, and each child has sessions of its own.
    func forkWhileInUse(_ database: PostgreSQLDatabase, processes: Int = 10) throws {
        let users = Users(database, count: 6)
        for _ in 0..<processes {
            let count = users.answerCount
            while users.answerCount < count + 12 { usleep(1_000) }
            let process = fork()
            if process == 0 {
                alarm(60)
                for number in 0..<10 { use(database, Int64(number)) }
                let others = Users(database, count: 6)
                while others.answerCount < 30 { usleep(1_000) }
                others.stop()
                _exit(0)
            }
            var status: Int32 = 0
            guard process > 0, waitpid(process, &status, 0) == process, status == 0 else {
                failure("a child ended with \(status)")
            }
        }
        users.stop()
    }

    @main
    enum PostgreSQLProbe {
        static func main() throws {
            let arguments = CommandLine.arguments
            guard arguments.count >= 3 else { failure("PostgreSQLProbe COMMAND CONNECTION-STRING") }
            let database = PostgreSQLDatabase(PostgreSQLServer(arguments[2]))
            switch arguments[1] {
            case "fork": try forkWhileInUse(database)
            case "churn": try churn(arguments[2], keyFile: arguments[3], folder: arguments[4])
            case "listen": try forkWhileListening(arguments[2], keyFile: arguments[3])
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
