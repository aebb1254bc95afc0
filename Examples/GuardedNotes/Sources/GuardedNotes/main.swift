// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security

// Run it on a terminal, or on a desktop with a polkit agent:
//
//     echo "Buy milk" | swift run guarded-notes write shopping
//     swift run guarded-notes read shopping      asks whether it is you, and prints the note
//     swift run guarded-notes delete shopping

let arguments = CommandLine.arguments
guard arguments.count == 3, ["write", "read", "delete"].contains(arguments[1]) else {
    FileHandle.standardError.write(Data("Usage: guarded-notes write|read|delete NAME\n".utf8))
    exit(64)
}
LinuxKeychain.applicationIdentifier = "org.example.guarded-notes"

do {
    let notes = GuardedNotes()
    switch arguments[1] {
    case "write": try notes.write(FileHandle.standardInput.readDataToEndOfFile(), name: arguments[2])
    case "read": try FileHandle.standardOutput.write(notes.read(name: arguments[2]))
    default: try notes.delete(name: arguments[2])
    }
} catch let error where (error as NSError).code == Int(errSecDuplicateItem) {
    let name = arguments[2]
    FileHandle.standardError.write(Data("guarded-notes: there is a note \(name) already: delete it first\n".utf8))
    exit(1)
} catch {
    FileHandle.standardError.write(Data("guarded-notes: \(error.localizedDescription)\n".utf8))
    exit(1)
}
