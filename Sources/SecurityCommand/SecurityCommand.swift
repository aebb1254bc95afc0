import ArgumentParser

/// The command `security`.
@main
struct SecurityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "security", abstract: "Looks into the keychain, changes it and keeps it.")
}
