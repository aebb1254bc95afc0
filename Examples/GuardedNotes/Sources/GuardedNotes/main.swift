// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security

// guarded-notes write NAME: stores its standard input.
// guarded-notes read NAME: asks whether it is you, and prints the note.
// guarded-notes delete NAME

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("Usage: guarded-notes write|read|delete NAME")
    exit(64)
}
LinuxKeychain.applicationIdentifier = "org.example.guarded-notes"

do {
    let notes = GuardedNotes()
    switch arguments[1] {
    case "write": try notes.write(FileHandle.standardInput.readDataToEndOfFile(), name: arguments[2])
    case "read": try FileHandle.standardOutput.write(notes.read(name: arguments[2]))
    case "delete": try notes.delete(name: arguments[2])
    default: exit(64)
    }
} catch {
    FileHandle.standardError.write(Data("guarded-notes: \(error.localizedDescription)\n".utf8))
    exit(1)
}
