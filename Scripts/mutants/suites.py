# SPDX-License-Identifier: Apache-2.0

"""Runs the suites on the mutants: each suite once to see what it reaches, then each mutant on the suites that reach it."""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter, defaultdict

from tree import AREAS, COUNT

STORES = [
    "in-memory", "in-memory with passphrase", "SQLite with key file", "SQLite with passphrase",
    "two stores in memory", "SQLite with passphrase and a second store",
]
# Suites that test no code with mutants, or take too long.
LEFT_OUT = re.compile(r"^(ClientStyle|CompileUnchanged)|BrokenStoreTests|ConformanceTests\.ConformanceTests$|KeyAgreement|KeePassXC")
# Makes tests with many repetitions do fewer.
QUICK = {"SECITEM_FLIP_STEP": "307"}
FAILED = re.compile(r"recorded an issue|Fatal error|[✘✗]")


class Suite:
    def __init__(self, name, pattern, variables=None):
        self.name, self.pattern, self.variables = name, pattern, variables or {}


class Runs:
    def __init__(self, tree, jobs, longest, again):
        self.tree, self.jobs, self.longest, self.again = tree, jobs, longest, again
        self.results = tree.folder / ".mutants.results.json"
        self.covered = tree.folder / ".mutants.cover.json"
        self.lock = threading.Lock()
        here = pathlib.Path(__file__).parent / "equivalent.tsv"
        rows = [line.split("\t") for line in here.read_text().splitlines() if line and line[0] != "#"] if here.exists() else []
        self.equivalent = {tuple(row[:4]): row[4] for row in rows}

    # Programs

    @property
    def program(self):
        return str(next((self.tree.folder / ".build/debug").glob("*PackageTests.xctest")))

    def suites(self):
        command = [self.program, "--testing-library", "swift-testing", "--list-tests"]
        listed = subprocess.run(command, capture_output=True, text=True, cwd=self.tree.folder).stdout.split("\n")
        names = sorted({line.rsplit("/", 1)[0] for line in listed if "/" in line})
        found = [Suite(name, f"^{re.escape(name)}/") for name in names if not LEFT_OUT.search(name)]
        cases = r"ConformanceTests\.ConformanceTests/store_case_holds"
        return found + [Suite(f"Conformance on {s}", "^" + cases, {"SECITEM_TEST_STORES": s}) for s in STORES]

    def run_suite(self, suite, variables, limit):
        """How the suite ended, and how many seconds it took. It stops at the first failing test."""
        folder = tempfile.mkdtemp(prefix="mutant-")
        os.chmod(folder, 0o711)  # Some tests go on as another user.
        environment = {**os.environ, **QUICK, **suite.variables, **variables, "TMPDIR": folder}
        # The process namespace ends all processes in it. The private memory file system leaves nothing behind.
        isolate = ["unshare", "-m", "-p", "-f", "--kill-child", "--mount-proc", "sh", "-c",
                   'mount -t tmpfs tmpfs /dev/shm && exec "$@"', "sh"]
        command = [self.program, "--testing-library", "swift-testing", "--filter", suite.pattern]
        begin = time.monotonic()
        process = subprocess.Popen(
            isolate + command, cwd=self.tree.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, text=True, errors="replace")
        late = threading.Event()

        def stop():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop)
        timer.start()
        failure, lines = None, []
        try:
            for line in process.stdout:
                lines.append(line)
                if FAILED.search(line):
                    failure = line.strip()[:300]
                    break
        finally:
            timer.cancel()
            try:
                os.killpg(process.pid, signal.SIGKILL if failure else signal.SIGCONT)
            except ProcessLookupError:
                pass
            process.stdout.close()
            status = process.wait()
            shutil.rmtree(folder, ignore_errors=True)
        if late.is_set():
            failure = "takes too long"
        elif failure is None and status != 0:
            failure = f"status {status}: " + "".join(lines[-2:]).strip()[:200]
        return failure, time.monotonic() - begin

    # Coverage

    def cover(self, area, numbers):
        known = json.loads(self.covered.read_text()) if self.covered.exists() else {}

        def one(suite):
            with tempfile.NamedTemporaryFile() as reached:
                reached.truncate(COUNT)
                os.chmod(reached.name, 0o666)
                failure, seconds = self.run_suite(suite, {"SECITEM_MUTANTS_REACHED": reached.name}, min(900, self.longest))
                content = pathlib.Path(reached.name).read_bytes()
            with self.lock:
                print(f"{seconds:6.1f} s  {suite.name}: {sum(content)} mutants{' FAILED ' + failure if failure else ''}", flush=True)
                known[suite.name] = {
                    "seconds": seconds, "failure": failure, "reached": [i for i, b in enumerate(content) if b],
                    "pattern": suite.pattern, "variables": suite.variables,
                }
                self.covered.write_text(json.dumps(known))

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, [s for s in self.suites() if not numbers or any(re.search(n, s.name) for n in numbers)]))

    # Mutants

    def key(self, mutant):
        return mutant["file"], mutant["rule"], mutant["template"], mutant["text"]

    def run(self, area, numbers):
        covered = json.loads(self.covered.read_text())
        results = json.loads(self.results.read_text()) if self.results.exists() else {}
        suites_of = defaultdict(list)
        for name, suite in covered.items():
            if not suite["failure"] and suite["seconds"] <= self.longest:
                for number in suite["reached"]:
                    # A suite that reaches little code probably tests that code.
                    cost = suite["seconds"] * len(suite["reached"]) ** 0.5
                    suites_of[number].append((cost, suite["seconds"], name))
        todo = [m for m in self.tree.mutants if not m.get("dropped")]
        if numbers:
            todo = [m for m in todo if str(m["id"]) in numbers]
        else:
            done = results if not self.again else {n for n, outcome in results.items() if outcome["killed"]}
            todo = [m for m in todo if str(m["id"]) not in done and self.key(m) not in self.equivalent]
        if area:
            todo = [m for m in todo if m["area"] in area.split(",")]
        # In random order, so that an interrupted run is a sample too.
        random.Random(len(todo)).shuffle(todo)

        def one(mutant):
            outcome = {"killed": None, "suites": 0}
            begin = time.monotonic()
            of_area = re.compile(AREAS[mutant["area"]][2])
            for _, seconds, name in sorted(suites_of[mutant["id"]]):
                if not of_area.search(name):
                    continue
                suite = Suite(name, covered[name]["pattern"], covered[name]["variables"])
                failure, _ = self.run_suite(suite, {"SECITEM_MUTANT": str(mutant["id"])}, 20 + 5 * seconds)
                outcome["suites"] += 1
                if failure:
                    outcome["killed"] = f"{name}: {failure}"
                    break
            outcome["seconds"] = time.monotonic() - begin
            with self.lock:
                results[str(mutant["id"])] = outcome
                self.results.write_text(json.dumps(results, indent=0))
                verdict = "killed" if outcome["killed"] else "SURVIVED"
                print(f"{outcome['seconds']:6.1f} s  {verdict} {self.line(mutant)}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, todo))

    def line(self, mutant):
        return f"{mutant['id']} {mutant['file']}:{mutant['line'] + 1} [{mutant['rule']}] {mutant['template'][:90]} <- {mutant['text'][:110]}"

    # Report

    def report(self, area, numbers):
        results = json.loads(self.results.read_text())
        reached = {i for suite in json.loads(self.covered.read_text()).values() for i in suite["reached"]}
        count = defaultdict(Counter)
        for mutant in self.tree.mutants:
            outcome = results.get(str(mutant["id"]))
            if mutant.get("dropped"):
                verdict = "do not compile"
            elif self.key(mutant) in self.equivalent:
                verdict = "equivalent"
            elif outcome is None:
                verdict = "not tried"
            elif outcome["killed"]:
                verdict = "killed"
            else:
                verdict = "survived"
                where = "" if mutant["id"] in reached else " (never reached)"
                if not area or mutant["area"] in area.split(","):
                    print(f"survived{where}: {self.line(mutant)}")
            count[mutant["area"]][verdict] += 1
            count["All"][verdict] += 1
        for name, verdicts in count.items():
            tried = verdicts["killed"] + verdicts["survived"]
            score = f"{100 * verdicts['killed'] / tried:.1f} %" if tried else "-"
            print(f"{name:12} {score:>8}  " + ", ".join(f"{n} {v}" for v, n in sorted(verdicts.items())))
