import Foundation

/// Where the program begins.
@main
enum Main {
    static func main() {
        CommandLog.begin()
        exit(CommandRunner.run(Array(CommandLine.arguments.dropFirst())))
    }
}
