#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that the headers declare is a symbol of the library, and constants have the values of Data/constants.tsv.

Usage: symbols.py LIBRARY FOUNDATION HEADERS DATA
"""
import ctypes
import pathlib
import re
import subprocess
import sys

library = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
foundation = ctypes.CDLL(sys.argv[2])
foundation.CFStringGetCString.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_long, ctypes.c_uint32]
headers = "".join(path.read_text() for path in sorted(pathlib.Path(sys.argv[3]).glob("*.h")))
functions = set(re.findall(r"^[^/\n]*?\b(Sec\w+)\([^\n]*\);$", headers, re.MULTILINE))
constants = set(re.findall(r"^extern const \w+ (kSec\w+);", headers, re.MULTILINE))
values = {row[0]: row[2] for row in (line.split("\t") for line in pathlib.Path(sys.argv[4]).read_text().splitlines()) if len(row) == 4}

wrong = [name for name in functions if not hasattr(library, name)]
for name in constants - {"kSecRandomDefault"}:
    buffer = ctypes.create_string_buffer(1000)
    try:
        string = ctypes.c_void_p.in_dll(library, name)
    except ValueError:
        wrong.append(name)
        continue
    foundation.CFStringGetCString(string, buffer, len(buffer), 0x08000100)
    if name in values and buffer.value.decode() != values[name]:
        wrong.append(f"{name}: {buffer.value.decode()}")
symbols = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]], check=True, capture_output=True, text=True).stdout
exported = {line.split()[-1] for line in symbols.splitlines()}
wrong += sorted(
    f"{name} is declared nowhere" for name in exported if re.match("k?Sec", name) and name not in functions | constants)
print(f"symbols: {len(functions)} functions, {len(constants)} constants")
print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
sys.exit(bool(wrong) or len(functions) < 50 or len(constants) < 300)
