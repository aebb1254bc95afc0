#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stores a password in the keychain, reads it back and deletes it, through ctypes. Usage: keychain.py LIBSECURITY LIBFOUNDATION"""
import ctypes
import os
import sys

# Otherwise the items would belong to all scripts of this interpreter.
os.environ["SECITEM_APPLICATION_IDENTIFIER"] = "org.example.python"

security = ctypes.CDLL(sys.argv[1])
foundation = ctypes.CDLL(sys.argv[2])
pointer, size = ctypes.c_void_p, ctypes.c_long
for name, arguments in {"CFStringCreateWithCString": [pointer, ctypes.c_char_p, ctypes.c_uint32],
                        "CFDataCreate": [pointer, ctypes.c_char_p, size], "CFDataGetBytePtr": [pointer],
                        "CFDictionaryCreate": [pointer, pointer, pointer, size, pointer, pointer]}.items():
    getattr(foundation, name).argtypes, getattr(foundation, name).restype = arguments, pointer
foundation.CFDataGetLength.argtypes, foundation.CFDataGetLength.restype = [pointer], size
foundation.CFRelease.argtypes = [pointer]


def constant(name):
    return pointer.in_dll(foundation if name.startswith("kCF") else security, name).value


def dictionary(entries):
    keys = (pointer * len(entries))(*map(constant, entries))
    return foundation.CFDictionaryCreate(None, keys, (pointer * len(entries))(*entries.values()), len(entries), None, None)


service = foundation.CFStringCreateWithCString(None, b"org.example.python", 0x08000100)
account = foundation.CFStringCreateWithCString(None, b"anna", 0x08000100)
item = {"kSecClass": constant("kSecClassGenericPassword"), "kSecAttrService": service, "kSecAttrAccount": account}
security.SecItemDelete(pointer(dictionary(item)))
added = security.SecItemAdd(pointer(dictionary(item | {"kSecValueData": foundation.CFDataCreate(None, b"secret", 6)})), None)
result = pointer()
query = dictionary(item | {"kSecReturnData": constant("kCFBooleanTrue")})
found = security.SecItemCopyMatching(pointer(query), ctypes.byref(result))
secret = ctypes.string_at(foundation.CFDataGetBytePtr(result), foundation.CFDataGetLength(result)) if found == 0 else b""
if result:
    foundation.CFRelease(result)
deleted = security.SecItemDelete(pointer(dictionary(item)))
print(f"added: {added}, found: {found} {secret.decode()}, deleted: {deleted}")
sys.exit((added, found, deleted, secret) != (0, 0, 0, b"secret"))
