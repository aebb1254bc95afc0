# SPDX-License-Identifier: Apache-2.0

"""A copy of the sources that holds all mutants, each behind a switch that is set when a program starts."""

import json
import pathlib
import random
import re
import shutil
import subprocess
from collections import defaultdict

import rules

# For each area: its folders, how many mutants are tried if not all, and the suites that should notice them.
AREAS = {
    "Selection": (["Sources/SecItemSelection"], None,
        r"SelectionTests|PortalTests|MaintenanceTests|SecurityCommandTests.(Maintenance|ItemsElsewhere)|PostgreSQLStoreTests.Synchroniz"),
    "Engine": (["Sources/SecItemShim/Engine", "Sources/SecItemShim/Calls"], 110,
        r"Conformance|ShimTests|SelectionTests.DefaultStoreTests|LocalAuthenticationTests|MaintenanceTests"),
    "Sealing": (["Sources/SecItemSQLite/Sealing", "Sources/SecItemSealing"], 90,
        r"SQLiteStoreTests|on SQLite|PortalTests|MaintenanceTests"),
    "Database": (["Sources/SecItemSQLite/Database"], 60,
        r"SQLiteStoreTests|on SQLite|MaintenanceTests"),
    "Store": (["Sources/SecItemStore"], 45,
        r"Conformance|SQLiteStoreTests|SelectionTests|GnomeStoreTests.WriteLock|MaintenanceTests"),
    "Parsing": (["Sources/SecItemShim/Parsing", "Sources/SecItemShim/Queries", "Sources/SecItemObjects/Parameters"], 50, r"Conformance|ShimTests"),
    "Results": (["Sources/SecItemShim/Results", "Sources/SecItemShim/LiveObjects", "Sources/SecItemObjects/Results"], 30, r"Conformance|ShimTests"),
    "Application": (["Sources/SecItemShim/Application", "Sources/SecItemShim/AccessControl"], 40,
        r"SelectionTests|ShimTests|on in-memory|LocalAuthenticationTests"),
    "Keys": (["Sources/SecItemObjects/Keys", "Sources/SecItemObjects/Certificates", "Sources/SecItemObjects/Random"], 50, r"ShimTests|on in-memory$"),
    "Trust": (["Sources/SecItemObjects/Trust"], 25, r"ShimTests"),
    "Wrappers": (["Sources/Wrappers"], 60, r"WrapperTests"),
    "Gnome": (["Sources/SecItemGnome", "Sources/SecItemBus"], 40, r"GnomeStoreTests|PortalTests|SelectionTests|MaintenanceTests"),
    "Synchronizing": (["Sources/SecItemSynchronizing"], 50,
        r"two stores in memory|and a second store|ConformanceTests\.(Divided|Comparison)|MaintenanceTests|PostgreSQLStoreTests"),
    "Maintenance": (["Sources/SecItemMaintenance"], 50, r"MaintenanceTests|SecurityCommandTests"),
    "Command": (["Sources/SecurityCommand"], 50, r"SecurityCommandTests|GitCredentialTests"),
    "Presence": (["Sources/LocalAuthentication"], 40, r"LocalAuthenticationTests|Conformance on"),
}

SWITCH = """
import Glibc

// Which mutant this process is, and the file with a byte for each that is reached.
private nonisolated(unsafe) let chosen: Int = getenv("SECITEM_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1
private nonisolated(unsafe) let reached: UnsafeMutablePointer<UInt8>? = {
    guard let path = getenv("SECITEM_MUTANTS_REACHED") else { return nil }
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let pages = mmap(nil, COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    return pages == MAP_FAILED ? nil : pages?.assumingMemoryBound(to: UInt8.self)
}()

func mutant(_ id: Int) -> Bool {
    if let reached { reached[id] = 1 }
    return id == chosen
}

func mutantNot(_ id: Int, _ value: Bool) -> Bool { mutant(id) ? !value : value }
func mutantTrue(_ id: Int, _ value: Bool) -> Bool { mutant(id) ? true : value }
func mutantFalse(_ id: Int, _ value: Bool) -> Bool { mutant(id) ? false : value }
"""
COUNT = 65536

# The traits of a usual build. Lines that need another one have no mutants.
TRAITS = {"Desktop", "Gnome", "Polkit"}

# Lines without mutants, because only tests and logs see their effect.
UNTOUCHED = re.compile(r"\b[lL]ogger\b|\blog\(|Logger\(|metadata:|debugDescription|reason: \"")


class Tree:
    def __init__(self, repository, folder):
        self.repository, self.folder = pathlib.Path(repository), pathlib.Path(folder)
        self.file = self.folder / ".mutants.json"
        self.mutants = json.loads(self.file.read_text()) if self.file.exists() else []

    def save(self):
        self.file.write_text(json.dumps(self.mutants, indent=1))

    # Making

    def make(self, seed, share):
        """Copies the package and puts the mutants into the copy."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.mutants = []
        self.copy()
        chance = random.Random(seed)
        for area, (folders, wanted, _) in AREAS.items():
            found = [m for folder in folders for m in self.candidates(area, folder, chance)]
            # A few more than wanted, because some will not compile.
            size = round(len(found) * share) if wanted is None else round(wanted * share * 1.3)
            found = chance.sample(found, min(len(found), size))
            self.mutants += found
        for number, mutant in enumerate(self.mutants):
            mutant["id"] = number
        for module in sorted({self.module(m["file"]) for m in self.mutants}):
            (self.folder / module / "MutantSwitch.swift").write_text(SWITCH.replace("COUNT", str(COUNT)))
        self.pass_switch_on()
        self.write(sorted({m["file"] for m in self.mutants}))
        self.save()

    def copy(self):
        """Updates the copy, except files with mutants. Does not touch unchanged files, to avoid building them again."""
        mutated = {mutant["file"] for mutant in self.mutants}
        command = ["git", "-C", str(self.repository), "ls-files", "-coz", "--exclude-standard"]
        for name in filter(None, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")):
            source, target = self.repository / name, self.folder / name
            if name not in mutated and source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)

    @staticmethod
    def module(path):
        parts = pathlib.Path(path).parts
        return "/".join(parts[: 3 if parts[1] == "Wrappers" else 2])

    def candidates(self, area, folder, chance):
        """Mutants, of which no two on a line overlap."""
        for path in sorted((self.repository / folder).rglob("*.swift")):
            name = str(path.relative_to(self.repository))
            lines = path.read_text().split("\n")
            by_line = defaultdict(list)
            absent = self.absent(lines)
            for number, change in rules.changes(lines):
                if number in absent:
                    continue
                # Changed numbers are frequent, and most of them are sizes and limits of the same kind.
                if not UNTOUCHED.search(lines[number]) and (change.rule != "number + 1" or chance.random() < 0.3):
                    by_line[number].append(change)
            for number, found in sorted(by_line.items()):
                chance.shuffle(found)
                taken = []
                for change in found:
                    if all(change.end <= other.start or change.start >= other.end for other in taken):
                        taken.append(change)
                for change in taken:
                    yield {
                        "area": area, "file": name, "line": number, "text": lines[number].strip(), "rule": change.rule,
                        "start": change.start, "end": change.end, "template": change.template,
                    }

    @staticmethod
    def absent(lines):
        """The lines that a build with the usual traits does not have."""
        found, open_conditions = set(), []
        for number, line in enumerate(lines):
            words = line.split()
            if words[:1] == ["#if"]:
                open_conditions.append(None if words[1].startswith("arch") else not TRAITS.isdisjoint(words[1:]))
            elif words[:1] == ["#else"]:
                open_conditions[-1] = None if open_conditions[-1] is None else not open_conditions[-1]
            elif words[:1] == ["#endif"]:
                open_conditions.pop()
            elif False in open_conditions:
                found.add(number)
        return found

    def pass_switch_on(self):
        """Passes the mutant's number to programs that tests start with another environment."""
        old = "program.environment.map {"
        new = (
            "program.environment.merging(ProcessInfo.processInfo.environment.filter "
            '{ $0.key.hasPrefix("SECITEM_MUTANT") }) { $1 }.map {')
        for name in ["RunningProgram", "TerminalSession"]:
            path = self.folder / f"Tests/TestSupport/{name}.swift"
            text = path.read_text()
            if new in text:
                continue
            if old not in text:
                raise SystemExit(f"{path} no longer has the line that starts programs")
            path.write_text(text.replace(old, new))

    def write(self, names):
        for name in names:
            lines = (self.repository / name).read_text().split("\n")
            here = [m for m in self.mutants if m["file"] == name and not m.get("dropped")]
            for mutant in sorted(here, key=lambda m: -m["start"]):
                line = lines[mutant["line"]]
                changed = mutant["template"].replace("#", str(mutant["id"]), 1)
                lines[mutant["line"]] = line[: mutant["start"]] + changed + line[mutant["end"]:]
            path = self.folder / name
            text = "\n".join(lines)
            if path.read_text() != text:
                path.write_text(text)

    # Building

    def build(self, command):
        """Builds the copy with the current tests, and drops mutants until it compiles."""
        self.copy()
        self.pass_switch_on()
        for attempt in range(30):
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
            output = done.stdout + done.stderr
            (self.folder / ".mutants.log").write_text(output)
            if done.returncode == 0:
                return
            dropped = self.drop_broken(output)
            print(f"build {attempt + 1}: {dropped} mutants do not compile", flush=True)
            if not dropped:
                raise SystemExit(output[-4000:])
        raise SystemExit("it never compiles")

    def drop_broken(self, output):
        alive = [m for m in self.mutants if not m.get("dropped")]
        dropped = []
        for found in set(re.findall(r"^(/\S+\.swift):(\d+):\d+: error: ", output, re.M)):
            name = str(pathlib.Path(found[0]).relative_to(self.folder)) if found[0].startswith(str(self.folder)) else None
            here = [m for m in alive if m["file"] == name]
            near = sorted(here, key=lambda m: abs(m["line"] + 1 - int(found[1])) + (m["line"] + 1 > int(found[1])))
            if not near:
                continue
            best = abs(near[0]["line"] + 1 - int(found[1]))
            for mutant in here:
                if abs(mutant["line"] + 1 - int(found[1])) == best and mutant not in dropped:
                    dropped.append(mutant)
        for mutant in dropped:
            mutant["dropped"] = True
        self.write(sorted({m["file"] for m in dropped}))
        self.save()
        return len(dropped)
