# SPDX-License-Identifier: Apache-2.0
"""The C form of the library: headers, constants as symbols, and entry points. Used by Scripts/make-constants.

Data/functions.tsv has a row for each function: name, result, parameters, a sentence, and "by hand" if its entry point is not
written here. The constants and statuses are those of the other two tables. Functions with blocks are for compilers that have
them.
"""
import re
import sys
import textwrap

WIDTH = 120
NULLABLE = " _Nullable"

# The types of objects, in the order of the headers, and what their references stand for.
OBJECTS = {
    "SecAccessControl": "The conditions under which an item can be used.",
    "SecKey": "A key.",
    "SecCertificate": "A certificate.",
    "SecIdentity": "A certificate and its private key.",
    "SecTrust": "An evaluation of trust.",
    "SecPolicy": "What a trust evaluation demands.",
    "SecTask": "A process.",
    "SecAccess": "The access object of a macOS file keychain. Nothing makes one here.",
    "SecKeychain": "A macOS file keychain. Nothing makes one here.",
}

# The types of blocks, with the headers that have them.
BLOCKS = {
    "SecKey": [(
        "SecKeyGeneratePairBlock", "SecKeyRef _Nullable publicKey, SecKeyRef _Nullable privateKey, CFErrorRef _Nullable error",
        "Receives new keys, or an error.")],
    "SecTrust": [
        ("SecTrustCallback", "SecTrustRef trustRef, SecTrustResultType trustResult", "Receives the outcome of an evaluation."),
        (
            "SecTrustWithErrorCallback", "SecTrustRef trustRef, bool result, CFErrorRef _Nullable error",
            "Receives whether the certificates are trusted, and why not.")],
}

# The header of each file of constants.
HEADER_OF_CONSTANTS = {
    "AccessControlCreateFlags": "SecAccessControl", "AttributeKeys": "SecItem", "AttributeValuesInternetPassword": "SecItem",
    "AttributeValuesKey": "SecItem", "AttributeValuesSharing": "SecItem", "CertificateExtensionOIDs": "SecCertificateOIDs",
    "CertificateFieldOIDs": "SecCertificateOIDs", "CertificateNameOIDs": "SecCertificateOIDs",
    "CertificateProperty": "SecCertificateOIDs", "CertificatePurposeOIDs": "SecCertificateOIDs", "Class": "SecItem",
    "ExternalFormat": "SecImportExport", "IdentityDomain": "SecIdentity", "ImportExport": "SecImportExport",
    "KeyAlgorithms": "SecKey", "KeyExchangeParameters": "SecKey", "KeyGeneration": "SecItem", "KeyItemAttributes": "SecKey",
    "KeyOperations": "SecKey", "KeyUsage": "SecCertificate", "Match": "SecItem", "Policy": "SecPolicy", "Return": "SecItem",
    "RevocationFlags": "SecPolicy", "SharedCredential": "SecSharedCredential", "Trust": "SecTrust", "TrustResults": "SecTrust",
    "TrustSettings": "SecTrustSettings", "Use": "SecItem", "Value": "SecItem",
}

# Headers with constants only.
TITLES = {
    "SecCertificateOIDs": "The fields and extensions of certificates.", "SecTrustSettings": "The trust that users and administrators give to certificates.",
}

INCLUDES = {
    "SecBase": [
        "CoreFoundation/CFBase.h", "CoreFoundation/CFArray.h", "CoreFoundation/CFData.h", "CoreFoundation/CFDate.h",
        "CoreFoundation/CFDictionary.h", "CoreFoundation/CFError.h", "CoreFoundation/CFNumber.h",
        "CoreFoundation/CFSet.h", "CoreFoundation/CFString.h", "CoreFoundation/CFURL.h", "CoreFoundation/CFUUID.h",
        "stdarg.h", "stdbool.h", "stddef.h", "stdint.h"],
    "SecKey": ["Security/SecItem.h"],
    "SecItem": ["Security/SecAccessControl.h"],
    "SecImportExport": ["Security/SecKey.h"],
}


def read_functions(path):
    headers, names = [], set()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("# "):
            name, about = line[2:].split(": ", 1)
            headers.append((name, about, []))
        elif line:
            row = line.split("\t")
            if len(row) not in (4, 5) or row[0] in names or not headers:
                sys.exit(f"Data/functions.tsv:{number}: name, result, parameters and a sentence are wanted, and each name once")
            names.add(row[0])
            headers[-1][2].append(Function(*row))
    return headers


class Function:
    def __init__(self, name, result, parameters, about, by_hand=""):
        self.name, self.result, self.about, self.by_hand = name, result, about, bool(by_hand)
        # A block's own parameters are in parentheses.
        parts = re.split(r", (?![^()]*\))", parameters) if parameters else []
        self.parameters = [tuple(part.rsplit(" ", 1)) for part in parts]

    def declaration(self):
        parameters = ", ".join(declared(type, name) for type, name in self.parameters) or "void"
        text = comment(self.about) + f"{spelled(self.result)}{self.name}({parameters});\n"
        return if_blocks(text) if any(is_block(type) for type, _ in self.parameters) else text


def is_block(type):
    return "(^)" in type or any(type == name for blocks in BLOCKS.values() for name, *_ in blocks)


def if_blocks(text):
    return f"#if defined(__BLOCKS__)\n{text}#endif\n"


def declared(type, name):
    return type.replace("(^)", f"(^{name})") if "(^)" in type else spelled(type) + name


def spelled(type):
    """A type as C writes it before a name."""
    if type.endswith(f"{NULLABLE} *"):
        # Where one of two levels has a word, clang wants one for the other.
        type += " _Nonnull"
    type = type.replace("* _N", "*_N")
    return type if type.endswith("*") else type + " "


def comment(text, indent=""):
    start = f"{indent}/// "
    return "\n".join(
        textwrap.fill(
            part, WIDTH, initial_indent=start, subsequent_indent=start, break_long_words=False, break_on_hyphens=False)
        for part in text.replace("``", "`").split("\\n")) + "\n"


# Headers


def value_in_c(value):
    """The number of a constant as C writes it."""
    if value == "[]":
        return "0"
    return re.sub(r"\b1 << (\d+)", lambda found: f"1{'u' if int(found[1]) < 32 else 'ul'} << {found[1]}", value.replace("_", ""))


def is_symbol(row, types):
    """Whether a constant is an object."""
    return row[1] == "CFString" or ("." in row[1] and types[row[1].split(".")[0]].kind == "names")


def about_in_c(row, names):
    """What is said of a constant, with the names that C has."""
    text = row[3].replace(" As on Apple's platforms it is spelt `[]` in Swift.", "")
    type = row[1].split(".")[0]
    return re.sub("`(\\w+)`", lambda found: f"`{names.get(f'{type}.{found[1]}', found[1])}`", text)


def constants_in_c(lines, types, c_values):
    """The declarations of a file of constants."""
    text, enumeration = "", None
    names = {row[1]: row[0] for kind, row in lines if kind == "constant"}
    c_types = {"CFIndex": "CFIndex", "UInt32": "uint32_t", "CFOptionFlags": "CFOptionFlags", "Int32": "int32_t"}
    for kind, content in lines:
        if enumeration and (kind != "constant" or content[1].split(".")[0] != enumeration):
            text, enumeration = text + "};\n", None
        if kind == "type" and content.kind == "names":
            text += "\n" + comment(content.about) + f"typedef CFStringRef {content.name};\n"
        elif kind == "type":
            macro = "CF_OPTIONS" if content.kind == "options" else "CF_ENUM"
            text += "\n" + comment(content.about) + f"typedef {macro}({c_types[content.raw]}, {content.name}) {{\n"
            enumeration = content.name
        elif kind == "section":
            text += f"\n// {content}\n"
        elif is_symbol(content, types):
            type = content[1].split(".")[0] if "." in content[1] else "CFStringRef"
            text += "\n" + comment(about_in_c(content, names)) + f"extern const {type} {content[0]};\n"
        else:
            type = content[1].split(".")[0]
            if enumeration != type:
                raw = c_types[types[type].raw if type in types else type]
                text += f"\nCF_ENUM({raw}) {{\n"
                enumeration = type
            text += comment(about_in_c(content, names), "    ") + f"    {content[0]} = {c_values[content[0]]},\n"
    return text + ("};\n" if enumeration else "")


def header(name, about, functions, files, families, types, c_values):
    includes = INCLUDES.get(name, []) if name == "SecBase" else ["Security/SecBase.h", *INCLUDES.get(name, [])]
    body = ""
    if name == "SecBase":
        body += base_types() + statuses_in_c(families)
    for file, _, title, lines in files:
        if HEADER_OF_CONSTANTS[file] == name:
            body += f"\n// MARK: - {title.split('. ')[0].rstrip('.')}\n" + constants_in_c(lines, types, c_values)
    if name == "SecImportExport":
        body += PARAMETERS
    if name == "SecRandom":
        body += RANDOM
    if name in OBJECTS:
        body += "\n" + comment("Gives the identifier of the type, to compare with the result of `CFGetTypeID`.")
        body += f"CFTypeID {name}GetTypeID(void);\n"
    if name in BLOCKS:
        blocks = [comment(text) + f"typedef void (^{block})({parameters});\n" for block, parameters, text in BLOCKS[name]]
        body += "\n" + if_blocks("\n".join(blocks))
    for function in functions:
        body += "\n" + function.declaration()
    lines = "".join(f"#include <{path}>\n" for path in includes)
    if name == "SecBase":
        lines += "#if defined(__BLOCKS__)\n// The rest of Core Foundation, whose headers need blocks.\n#include <CoreFoundation/CoreFoundation.h>\n#include <dispatch/dispatch.h>\n#endif\n"
    return (
        f"{SYSTEM_HEADER}// SPDX-License-Identifier: Apache-2.0\n\n// Made by Scripts/make-constants from Data: change it there.\n//\n"
        f"{comment(about).replace('///', '//')}\n#pragma once\n\n{lines}\nCF_EXTERN_C_BEGIN\nCF_ASSUME_NONNULL_BEGIN\n{body}\n"
        "CF_ASSUME_NONNULL_END\nCF_EXTERN_C_END\n")


# The first line of each header: -pedantic-errors would refuse nullability, and `//` where C is that of 1990.
SYSTEM_HEADER = "#pragma GCC system_header\n"


def base_types():
    text = ""
    for name, about in OBJECTS.items():
        text += "\n" + comment(about) + f"typedef struct __{name} *{name}Ref;\n"
    return text


def statuses_in_c(families):
    text = "\n// MARK: - Statuses\n\nCF_ENUM(OSStatus) {\n"
    for title, rows in families:
        text += f"    // {title}\n"
        for name, number, sentence, *_ in rows:
            text += comment(sentence, "    ") + f"    {name} = {number},\n"
    return text + "};\n"


RANDOM = """
/// A source of random bytes.
typedef const struct __SecRandom *SecRandomRef;

/// The only source of random bytes: the operating system's.
extern const SecRandomRef kSecRandomDefault;
"""

PARAMETERS = """
/// The only version of `SecItemImportExportKeyParameters`.
#define SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION 0

/// How the keys of a file are read or written. Each field may be zero.
typedef struct {
    /// `SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION`.
    uint32_t version;
    SecKeyImportExportFlags flags;
    /// The passphrase, a string, or data in UTF-8.
    CFTypeRef _Nullable passphrase;
    /// Ignored: there is no window that asks for the passphrase.
    CFStringRef _Nullable alertTitle;
    /// Ignored: there is no window that asks for the passphrase.
    CFStringRef _Nullable alertPrompt;
    /// Ignored.
    SecAccessRef _Nullable accessRef;
    /// Has to be NULL, which permits all uses.
    CFArrayRef _Nullable keyUsage;
    /// NULL, or an array with `kSecAttrIsExtractable` alone.
    CFArrayRef _Nullable keyAttributes;
} SecItemImportExportKeyParameters;
"""


# Entry points

SCALARS = {
    "OSStatus": "OSStatus", "CFOptionFlags": "UInt", "CFIndex": "Int", "size_t": "Int", "int": "Int32", "bool": "Bool",
    "CFAbsoluteTime": "Double", "Boolean": "Bool", "void * _Nullable": "UnsafeMutableRawPointer?",
    "SecRandomRef _Nullable": "OpaquePointer?",
}
POINTERS = {
    "const uint8_t *": "UnsafePointer<UInt8>", "uint8_t *": "UnsafeMutablePointer<UInt8>", "size_t *": "UnsafeMutablePointer<Int>",
    "void *": "UnsafeMutableRawPointer",
}
CLASSES = {
    "CFDictionaryRef": "NSDictionary", "CFDataRef": "NSData", "CFStringRef": "NSString", "CFArrayRef": "NSArray",
    "CFDateRef": "NSDate", "CFTypeRef": "AnyObject", **{f"{name}Ref": name for name in OBJECTS},
}
RAW = {
    "SecPadding": "UInt32", "SecKeyOperationType": "Int", "SecAccessControlCreateFlags": "UInt", "SecTrustOptionFlags": "UInt32",
    "SecExternalFormat": "UInt32", "SecItemImportExportFlags": "UInt32", "SecExternalItemType": "UInt32",
    "SecTrustResultType": "UInt32",
}
REFUSAL = {"OSStatus": "refusalStatus()", "Boolean": "false", "bool": "false", "CFAbsoluteTime": "0", "CFIndex": "0", "size_t": "0", "int": "refusalStatus()"}


class Entry:
    """The entry point of a function, in Swift."""

    def __init__(self, function):
        self.function = function
        self.signature, self.guards, self.arguments, self.receivers = [], [], [], []
        self.error = None
        for type, name in function.parameters:
            self.add(type, name)

    def add(self, type, name):
        plain = type.removesuffix(NULLABLE)
        nullable = plain != type
        argument = name
        if type == "CFErrorRef _Nullable * _Nullable":
            self.signature.append((name, "ReceivedObject?"))
            self.error = name
            self.receivers.append(("receiveError", name))
        elif plain == "CFAllocatorRef":
            self.signature.append((name, "UnsafeRawPointer?"))
            argument = "nil"
        elif plain.endswith(" *") and plain[:-2].removesuffix(NULLABLE) in CLASSES:
            self.signature.append((name, "ReceivedObject?"))
            if not nullable:
                self.guards.append(f"let {name}")
            self.receivers.append(("receive" if nullable else "receiveObject", name))
        elif plain.endswith(" *") and plain[:-2] in RAW:
            self.signature.append((name, f"UnsafeMutablePointer<{RAW[plain[:-2]]}>?"))
            if not nullable:
                self.guards.append(f"let {name}")
            self.receivers.append(("exchangeValue" if nullable else "receiveValue", name))
        elif plain == "const SecItemImportExportKeyParameters *":
            self.signature.append((name, "UnsafeRawPointer?"))
            argument = f"{name}?.assumingMemoryBound(to: SecItemImportExportKeyParameters.self)"
        elif plain in CLASSES:
            self.signature.append((name, "UnsafeRawPointer?"))
            called = "optionalArgument" if nullable else "argument"
            self.guards.append(f"let {name} = {called}({name}, {CLASSES[plain]}.self)")
        elif type == "SecKeyAlgorithm":
            self.signature.append((name, "UnsafeRawPointer?"))
            self.guards.append(f"let {name} = argument({name}, NSString.self).map({type}.init)")
        elif type in RAW:
            self.signature.append((name, RAW[type]))
            if type in ("SecKeyOperationType", "SecExternalFormat"):
                self.guards.append(f"let {name} = {type}(rawValue: {name})")
            else:
                argument = f"{type}(rawValue: {name})"
        elif type == "Boolean":
            self.signature.append((name, "UInt8"))
            argument = f"{name} != 0"
        elif type == "Boolean *":
            self.signature.append((name, "UnsafeMutablePointer<UInt8>?"))
            self.guards.append(f"let {name} = UnsafeMutableRawPointer({name})?.assumingMemoryBound(to: DarwinBoolean.self)")
        elif type in POINTERS:
            self.signature.append((name, f"{POINTERS[type]}?"))
            self.guards.append(f"let {name}")
        else:
            self.signature.append((name, SCALARS[type]))
        self.arguments.append(argument)

    @property
    def is_object(self):
        return self.function.result.removesuffix(NULLABLE) in CLASSES

    def text(self):
        name = self.function.name
        result = "UnsafeRawPointer?" if self.is_object else SCALARS[self.function.result]
        parameters = ",\n    ".join(f"_ {name}: {type}" for name, type in self.signature)
        text = f'\n/// `{name}` for programs in C.\n@_cdecl("{name}")\npublic func c{name}(' + (f"\n    {parameters}\n" if parameters else "") + f") -> {result} {{\n"
        if self.guards:
            conditions = ",\n        ".join(self.guards)
            refusal = "nil" if self.is_object else REFUSAL[self.function.result]
            refuse = f"refuse({self.error}, {refusal})" if self.error else refusal
            text += f"    guard\n        {conditions}\n    else {{ return {refuse} }}\n"
        return text + "    return " + self.expression() + "\n}\n"

    def expression(self):
        arguments = list(self.arguments)
        for _, name in self.receivers:
            arguments[arguments.index(name)] = f"{name}Pointer"
        call = f"{self.function.name}({', '.join(arguments)})"
        if self.is_object:
            call = f"copied({call})"
        for receiver, name in reversed(self.receivers):
            call = f"{receiver}({name}) {{ {name}Pointer in\n        {call}\n    }}"
        return call


def entry_points(headers):
    text = (
        "// SPDX-License-Identifier: Apache-2.0\n\n// Made by Scripts/make-constants from Data/functions.tsv: change it there.\n"
        "// swift-format-ignore-file\n\nimport Foundation\nimport SecItemShim\n")
    declared = {name for name, _, _ in headers}
    for name in OBJECTS:
        if name not in declared:
            continue
        member = name.removeprefix("Sec")
        member = member[0].lower() + member[1:]
        text += f'\n/// `{name}GetTypeID` for programs in C.\n@_cdecl("{name}GetTypeID")\npublic func c{name}GetTypeID() -> UInt {{\n    Reference.identifier(of: TypeIdentifier.{member})\n}}\n'
    for _, _, functions in headers:
        text += "".join(Entry(function).text() for function in functions if not function.by_hand)
    return text


# Symbols


def symbols(files, types, of_c):
    text = (
        "// SPDX-License-Identifier: Apache-2.0\n\n// Made by Scripts/make-constants from Data: change it there.\n\n"
        '#include "ConstantString.h"\n\n')
    for _, _, _, lines in files:
        for kind, row in lines:
            if kind == "constant" and is_symbol(row, types):
                text += f'CONSTANT({row[0]}, "{row[2]}")\n'
    for name, value, _ in of_c:
        text += f'CONSTANT({name}, "{value}")\n'
    return text


# What C programs use beyond the public headers.
OF_C = [
    ("kSecUseTombstones", "u_Tomb", "Whether a delete leaves tombstones. Boolean. Without it, none is left."),
    ("kSecAttrTombstone", "tomb", "Whether it is the tombstone of a deleted item. Boolean. Queries without it find no tombstones."),
    ("kSecAttrStartDate", "sdat", "When the key becomes valid. Date, part of the primary key. Keys."),
    ("kSecAttrEndDate", "edat", "When the key becomes invalid. Date, part of the primary key. Keys."),
    ("kSecAttrSHA1", "sha1", "The SHA-1 digest of an item's attributes and secrets, as a result has it. Data."),
]


def private_header():
    body = "".join("\n" + comment(about) + f"extern const CFStringRef {name};\n" for name, _, about in OF_C)
    return (
        f"{SYSTEM_HEADER}// SPDX-License-Identifier: Apache-2.0\n\n// Made by Scripts/make-constants: change it there.\n//\n"
        "// What programs in C use beyond the public headers.\n\n#pragma once\n\n#include <Security/SecItem.h>\n\n"
        f"CF_EXTERN_C_BEGIN\nCF_ASSUME_NONNULL_BEGIN\n{body}\nCF_ASSUME_NONNULL_END\nCF_EXTERN_C_END\n")


def c_texts(root, families, files, types):
    """The files, by path."""
    headers = read_functions(root / "Data/functions.tsv")
    own = {name for name, *_ in headers}
    headers += [(name, about, []) for name, about in TITLES.items() if name not in own]
    c_values = {}
    members = {}
    for *_, lines in files:
        for kind, row in lines:
            if kind == "constant" and not is_symbol(row, types):
                value = row[2]
                if value.startswith("."):
                    value = members[row[1].split(".")[0] + value]
                c_values[row[0]] = value_in_c(value)
                if "." in row[1]:
                    members[row[1]] = value
    texts = {
        root / f"include/Security/{name}.h": header(name, about, functions, files, families, types, c_values)
        for name, about, functions in headers
    }
    includes = "".join(f"#include <Security/{name}.h>\n" for name in sorted(name for name, *_ in headers))
    texts[root / "include/Security/Security.h"] = (
        f"{SYSTEM_HEADER}// SPDX-License-Identifier: Apache-2.0\n\n// Made by Scripts/make-constants from Data: change it there.\n//\n"
        f"// All headers.\n\n#pragma once\n\n{includes}")
    texts[root / "include/Security/SecItemPriv.h"] = private_header()
    texts[root / "Sources/CSecItem/Constants.c"] = symbols(files, types, OF_C)
    texts[root / "Sources/SecItemC/EntryPoints.swift"] = entry_points(headers)
    return texts
