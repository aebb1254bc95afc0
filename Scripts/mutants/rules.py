# SPDX-License-Identifier: Apache-2.0

"""What may be changed in one line of Swift: rules over plain text. What does not compile is thrown out later."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """A change of part of a line. `template` has the original, the change, and a place for the mutant's number."""

    rule: str
    start: int
    end: int
    template: str


def masked(line):
    """The line with its texts and its comment replaced with spaces, so that operators are only found in code."""
    out, i, text = [], 0, False
    while i < len(line):
        c = line[i]
        if text:
            if c == "\\" and i + 1 < len(line) and line[i + 1] == "(":
                depth, j = 1, i + 2
                while j < len(line) and depth:
                    depth += {"(": 1, ")": -1}.get(line[j], 0)
                    j += 1
                out.append("S" * (j - i))
                i = j
                continue
            if c == "\\":
                out.append("SS")
                i += 2
                continue
            text = c != '"'
            out.append("S" if text else '"')
        elif c == '"':
            text = True
            out.append('"')
        elif line.startswith("//", i):
            out.append(" " * (len(line) - i))
            break
        else:
            out.append(c)
        i += 1
    return "".join(out)[: len(line)]


OPEN, CLOSE = "([{", ")]}"
LOW = [" ? ", " : ", " = ", " += ", " -= ", " |= ", " { ", " else ", " where ", " in "]


def left_of(code, at, stops):
    """The beginning of the operand that ends at `at`; None if it does not begin in this line."""
    depth, i = 0, at
    while i > 0:
        c = code[i - 1]
        if c in CLOSE:
            depth += 1
        elif c in OPEN:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and c in ",;":
            break
        elif depth == 0:
            stop = next((s for s in stops if code.endswith(s, 0, i)), None)
            word = re.search(r"(?:^|[\s(])(return|if|guard|while|where|in|else|case|throw|let|var)\s$", code[:i])
            if stop or word or re.search(r"\w: $", code[:i]):
                break
        i -= 1
    while i < at and code[i] == " ":
        i += 1
    return i if depth == 0 and i < at and code[i] not in ".?:&|" else None


def right_of(code, at, stops):
    """The end of the operand that begins at `at`, and whether it is certainly in this line."""
    depth, i = 0, at
    while i < len(code):
        c = code[i]
        if depth == 0 and any(code.startswith(s, i) for s in stops):
            break
        if c in OPEN:
            if c == "{" and depth == 0:
                break
            depth += 1
        elif c in CLOSE:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and c in ",;":
            break
        i += 1
    end = i
    while end > at and code[end - 1] == " ":
        end -= 1
    return (end if depth == 0 and end > at else None), i >= len(code)


def operators(line, code, following):
    swaps = [(" == ", "negated =="), (" != ", "negated !="), (" < ", "<="), (" <= ", "<"), (" > ", ">="), (" >= ", ">")]
    for operator, rule in swaps:
        for found in re.finditer(re.escape(operator), code):
            stops = LOW + [" && ", " || "]
            left = left_of(code, found.start(), stops)
            right, open_end = right_of(code, found.end(), stops)
            if left is None or right is None or (open_end and re.match(r"\s*([.+\-*?]|\?\?)", following)):
                continue
            whole = line[left:right]
            if rule.startswith("negated"):
                yield Change(rule, left, right, "mutantNot(#, " + whole + ")")
            else:
                other = line[left:found.start()] + " " + rule + " " + line[found.end():right]
                yield Change(operator.strip() + " to " + rule, left, right, f"(mutant(#) ? ({other}) : ({whole}))")
    for operator, other in ((" && ", " || "), (" || ", " && ")):
        for found in re.finditer(re.escape(operator), code):
            stops = LOW + ([" || "] if operator == " && " else [])
            left = left_of(code, found.start(), stops)
            right, open_end = right_of(code, found.end(), stops)
            if left is None or right is None or (open_end and re.match(r"\s*([.+\-*?]|&&|==|\?\?)", following)):
                continue
            first, second = line[left:found.start()], line[found.end():right]
            whole = line[left:right]
            yield Change(
                operator.strip() + " to " + other.strip(), left, right,
                f"(mutant(#) ? (({first}){other}({second})) : ({whole}))")
            yield Change("dropped left of " + operator.strip(), left, right, f"(mutant(#) ? ({second}) : ({whole}))")
            yield Change("dropped right of " + operator.strip(), left, right, f"(mutant(#) ? ({first}) : ({whole}))")
    for found in re.finditer(r" \+ ", code):
        stops = LOW + [" && ", " || ", " == ", " != ", " < ", " > ", " <= ", " >= ", "..<", "...", " ?? ", " - "]
        left = left_of(code, found.start(), stops)
        right, open_end = right_of(code, found.end(), stops + [" + "])
        if left is None or right is None or '"' in line[left:right] or open_end and re.match(r"\s*[.*]", following):
            continue
        whole = line[left:right]
        yield Change("dropped right of +", left, right, f"(mutant(#) ? ({line[left:found.start()]}) : ({whole}))")


def clauses(line, code):
    found = re.match(r"\s*(?:\} else )?(if|guard|while) ", code)
    if not found:
        return
    keyword, start = found.group(1), found.end()
    end = len(code)
    terminator = re.search(r" else( \{.*)?$" if keyword == "guard" else r" \{( .*)?$", code)
    if terminator:
        end = terminator.start()
    depth, parts, begin = 0, [], start
    for i in range(start, end):
        c = code[i]
        depth += (c in OPEN) - (c in CLOSE)
        if c == "," and depth == 0:
            parts.append((begin, i))
            begin = i + 1
    if terminator and depth == 0:
        parts.append((begin, end))
    for begin, end in parts:
        while begin < end and code[begin] == " ":
            begin += 1
        clause = line[begin:end]
        if not clause or re.match(r"(let|var|case|#)\b|#", clause) or re.search(r"\{", clause):
            continue
        forced = "mutantTrue" if keyword == "guard" or len(parts) > 1 else "mutantFalse"
        yield Change("negated condition", begin, end, "mutantNot(#, " + clause + ")")
        yield Change("dropped condition", begin, end, forced + "(#, " + clause + ")")


def ternaries(line, code):
    for found in re.finditer(r" \? ", code):
        left = left_of(code, found.start(), LOW)
        if left is not None and " : " in code[found.end():]:
            yield Change("negated ternary", left, found.start(), "mutantNot(#, " + line[left:found.start()] + ")")


def closures(line, code):
    for found in re.finditer(r"\.(filter|contains|allSatisfy|first|removeAll|drop|prefix)(?: |\((?:where|while): )\{ ([^{}]*) \}", code):
        begin, end = found.start(2), found.end(2)
        binding = re.match(r"[\w, ]+ in ", code[begin:end])
        begin += binding.end() if binding else 0
        yield Change("negated element rule", begin, end, "mutantNot(#, " + line[begin:end] + ")")
        yield Change("dropped element rule", begin, end, "mutantTrue(#, " + line[begin:end] + ")")
    for found in re.finditer(r"(?:: Bool|-> Bool) \{ ([^{}]*) \}$", code):
        yield Change("negated answer", found.start(1), found.end(1), "mutantNot(#, " + line[found.start(1):found.end(1)] + ")")


def constants(line, code):
    if re.match(r"\s*(case .*[^:]$|.*\b(func|init)\b)", code) or ": Bool = " in code or "@" in code:
        return
    for found in re.finditer(r"(?<=[ (])(true|false)\b", code):
        yield Change("flipped constant", found.start(), found.end(), f"mutantNot(#, {found.group(1)})")
    if re.match(r"\s*case ", code):
        return
    for found in re.finditer(r"(?<![\w.$#\\])\d[\d_]*(?![\w.]*\w|\s*\.\.)", code):
        if not re.search(r"(?:\.\.\.|\.\.<)$", code[: found.start()]):
            yield Change("number + 1", found.start(), found.end(), f"(mutant(#) ? {found.group(0)} + 1 : {found.group(0)})")


def statements(line, code, before, following):
    found = re.match(r"(\s*)((?:_ = )?(?:try[?!]? )?[\w.?!\[\]]+\(.*\))$", code)
    assigned = re.match(r"(\s*)((?!let |var |case |self\.)[\w.?!\[\]\"S]+ (?:=|\+=|-=|\|=) .*[^{(,\[])$", code)
    found = found or assigned
    deferred = re.match(r"(\s*defer \{ )([^{}]*)( \})$", code)
    if deferred:
        start, end = deferred.start(2), deferred.end(2)
        yield Change("dropped defer", start, end, "if !mutant(#) { " + line[start:end] + " }")
        return
    if not found:
        inner = re.search(r"(?:^\s*|\b(?:if|guard) .*)\{ ((?:try )?[\w.?!]+\([^{}]*\)) \}$", code)
        if inner and re.match(r"\s*if ", code) and "else" not in code:
            start, end = inner.start(1), inner.end(1)
            yield Change("dropped call", start, end, "if !mutant(#) { " + line[start:end] + " }")
        return
    text = found.group(2)
    if re.match(r"(return|throw|if|guard|for|while|switch|case|init|func|let|var|super|fatalError|precondition)\b", text):
        return
    if code.count("(") != code.count(")") or code.count("[") != code.count("]") or code.count("{") != code.count("}"):
        return
    last = before.rstrip()
    if re.search(r"(?:[(,=?:\[]|\breturn|&&|\|\||\?\?|->.*\{|\bvar .*\{|= \{|\bget\b.*\{)$", last):
        return
    if re.match(r"\s*([.?:+]|&&|\|\||\?\?|\{|else\b)", following):
        return
    if following.strip() in ("}", "})") and re.search(r"\{( .* in)?$", last) and not re.search(r"\b(if|for|while|else|do|case)\b|\bfunc [^>]*\{$", last):
        return
    start = found.start(2)
    yield Change("dropped call" if not assigned else "dropped assignment", start, len(code.rstrip()), "if !mutant(#) { " + line[start:].rstrip() + " }")


def is_initialization(codes, number):
    """Whether a line gives a property its first value, so that it does not compile without: a line in an `init`."""
    if not re.match(r"\s*\w+ = ", codes[number]):
        return False

    def depth(line):
        return len(line) - len(line.lstrip())

    inner = depth(codes[number])
    for at in range(number - 1, -1, -1):
        line = codes[at]
        if not line.strip() or depth(line) >= inner or line.lstrip().startswith(")"):
            continue
        if re.search(r"\binit[?!]?[(<]", line):
            return True
        if re.search(r"\b(func|struct|class|enum|extension|var)\b", line):
            return False
        inner = depth(line)
    return False


def answers(line, code):
    for found in re.finditer(r"\bStoreError\(\.(\w+)(?=,)", code):
        other = "corrupt" if found.group(1) == "unavailable" else "unavailable"
        start = found.start(1) - 1
        yield Change("other error", start, found.end(), f"mutant(#) ? .{other} : .{found.group(1)}")
    for found in re.finditer(r"\bKeychainError\((errSec\w+)(?=[,)])", code):
        other = "errSecIO" if found.group(1) != "errSecIO" else "errSecParam"
        yield Change("other status", found.start(1), found.end(1), f"mutant(#) ? {other} : {found.group(1)}")
    for found in re.finditer(r"\bthrow (\.\w+\(.*\))(?=$| \})", code):
        text = line[found.start(1):found.end(1)]
        yield Change("other status", found.start(1), found.end(1), f"(mutant(#) ? KeychainError(errSecIO, \"\") : {text})")
    for found in re.finditer(r"(?<![\w.])((?:[\w.?!]|\([^()]*\))+)\.(first|last)\b(?!\(|\s*\{)", code):
        other = "last" if found.group(2) == "first" else "first"
        whole = found.group(0)
        yield Change(f"{found.group(2)} to {other}", found.start(), found.end(), f"(mutant(#) ? {found.group(1)}.{other} : {whole})")
    for found in re.finditer(r"(?<![\w.])(min|max)(\([^()]*(?:\([^()]*\)[^()]*)*\))", code):
        other = "max" if found.group(1) == "min" else "min"
        yield Change(f"{found.group(1)} to {other}", found.start(), found.end(), f"(mutant(#) ? {other}{found.group(2)} : {found.group(0)})")


WORDS = [
    (r"synchronous = FULL", "synchronous = OFF"), (r"secure_delete = ON", "secure_delete = OFF"),
    (r"trusted_schema = OFF", "trusted_schema = ON"), (r"cell_size_check = ON", "cell_size_check = OFF"),
    (r" DESC\b", " ASC"), (r" ORDER BY i\.id\b", ""), (r" ORDER BY 1\b", ""), (r" LIMIT 1\b", " LIMIT 0"),
    (r" UNION ALL ", " UNION "), (r" AND item = \?2", ""), (r"LEFT JOIN", "JOIN"),
]


def words(line):
    """Changes to words of SQL in any text."""
    for pattern, other in WORDS:
        for found in re.finditer(pattern, line):
            if not line.lstrip().startswith("//"):
                yield Change(
                    f"SQL: {found.group(0).strip()} to {other.strip() or 'nothing'}", found.start(), found.end(),
                    f'\\(mutant(#) ? "{other}" : "{found.group(0)}")')


def safeguards(line, code):
    """Safeguards in arguments: flags and modes of files, questions to a person, and sets."""
    for found in re.finditer(r"\bO_(?:NOFOLLOW|EXCL|CLOEXEC)\b", code):
        yield Change("dropped flag", found.start(), found.end(), f"(mutant(#) ? 0 : {found.group(0)})")
    for found in re.finditer(r"\b0o(600|700)\b", code):
        other = {"600": "0o644", "700": "0o755"}[found.group(1)]
        yield Change("wider mode", found.start(), found.end(), f"(mutant(#) ? {other} : {found.group(0)})")
    for found in re.finditer(r"(?<=interaction: )\.(forbidden|skipped)\b", code):
        other = {"forbidden": ".allowed", "skipped": ".forbidden"}[found.group(1)]
        yield Change("other interaction", found.start(), found.end(), f"mutant(#) ? {other} : {found.group(0)}")
    for found in re.finditer(r"\.(union|formUnion|subtracting)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", code):
        start, end = found.start(2), found.end(2)
        yield Change(f"empty {found.group(1)}", start, end, "mutant(#) ? [] : " + line[start:end])


ROW = re.compile(r"\s*(?:case .*|default): (?:return )?(\.\w+)$")


def rows(code, neighbours):
    """A row of a table that is a `switch`, with the answer of a row beside it."""
    found = ROW.match(code)
    if not found:
        return
    answers = [other.group(1) for other in map(ROW.match, neighbours) if other]
    for other in answers:
        if other != found.group(1):
            yield Change("other row", found.start(1), found.end(1), f"mutant(#) ? {other} : {found.group(1)}")
            return


def changes(lines):
    """All changes of a file: each a line's number and the change."""
    in_text = False
    codes = []
    for line in lines:
        fence = line.count('"""')
        codes.append("" if in_text or fence else masked(line))
        in_text ^= fence % 2 == 1
    for number, (line, code) in enumerate(zip(lines, codes)):
        for change in words(line):
            yield number, change
        plain = code.strip()
        if not plain or re.match(r"(#|@|import |\}$|///|(package |public |private |fileprivate |static |final )*(struct|enum|class|protocol|extension|typealias)\b)", plain):
            continue
        before = next((c for c in reversed(codes[:number]) if c.strip()), "")
        following = codes[number + 1] if number + 1 < len(codes) else ""
        if not re.search(r"\b(func|init)\b.*\{?$", code) or re.search(r"\{ .* \}$", code):
            for rule in (ternaries(line, code), operators(line, code, following), clauses(line, code)):
                for change in rule:
                    yield number, change
            for change in answers(line, code):
                yield number, change
        neighbours = codes[max(0, number - 1):number] + codes[number + 1:number + 2]
        for rule in (
            closures(line, code), constants(line, code), statements(line, code, before, following),
            safeguards(line, code), rows(code, neighbours),
        ):
            for change in rule:
                if change.rule != "dropped assignment" or not is_initialization(codes, number):
                    yield number, change
