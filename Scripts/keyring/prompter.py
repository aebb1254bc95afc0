#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the person at gnome-keyring's prompt: answers by a script, shows nothing.

usage: prompter.py PASSWORD answer|dismiss|hang|wrong-then-answer|die

Owns org.gnome.keyring.SystemPrompter on the session bus and speaks gcr's prompter protocol with its exchange sx-aes-1:
Diffie-Hellman in the 1536-bit group, HKDF-SHA256, AES-128-CBC. Prints every request: an empty log means that no
prompt was shown. Needs python3-gi and libcrypto.
"""
import base64
import ctypes
import hashlib
import hmac
import os
import sys

from gi.repository import Gio, GLib

PASSWORD = sys.argv[1].encode()
MODE = sys.argv[2]

# The 1536-bit MODP group of RFC 3526.
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA237327FFFFFFFFFFFFFFFF",
    16,
)

INTERFACE = "org.gnome.keyring.internal.Prompter"
DESCRIPTION = f"""
<node><interface name="{INTERFACE}">
  <method name="BeginPrompting"><arg type="o" direction="in"/></method>
  <method name="PerformPrompt">
    <arg type="o" direction="in"/><arg type="s" direction="in"/>
    <arg type="a{{sv}}" direction="in"/><arg type="s" direction="in"/>
  </method>
  <method name="StopPrompting"><arg type="o" direction="in"/></method>
</interface></node>"""

crypto = ctypes.CDLL("libcrypto.so.3")
crypto.EVP_CIPHER_CTX_new.restype = crypto.EVP_aes_128_cbc.restype = ctypes.c_void_p


def encrypt(key, vector, data):
    context = ctypes.c_void_p(crypto.EVP_CIPHER_CTX_new())
    output = ctypes.create_string_buffer(len(data) + 32)
    written, rest = ctypes.c_int(), ctypes.c_int()
    crypto.EVP_EncryptInit_ex(context, ctypes.c_void_p(crypto.EVP_aes_128_cbc()), None, key, vector)
    crypto.EVP_EncryptUpdate(context, output, ctypes.byref(written), data, len(data))
    crypto.EVP_EncryptFinal_ex(context, ctypes.byref(output, written.value), ctypes.byref(rest))
    crypto.EVP_CIPHER_CTX_free(context)
    return output.raw[: written.value + rest.value]


# gcr keeps the first key of a prompt as long as the prompt exists, so a second answer needs the same private number.
private_numbers = {}


def exchange(path, received, secret):
    """The reply with a password, encrypted for the asker whose half of the exchange is `received`."""
    line = next(line for line in received.splitlines() if line.startswith("public="))
    theirs = int.from_bytes(base64.b64decode(line[len("public="):]), "big")
    mine = private_numbers.setdefault(path, int.from_bytes(os.urandom(24), "big"))
    # gcr leaves out leading zeros of the number, which occur once in 256 times.
    shared = pow(theirs, mine, PRIME)
    shared = shared.to_bytes((shared.bit_length() + 7) // 8, "big")
    extracted = hmac.new(b"\0" * 32, shared, hashlib.sha256).digest()
    key = hmac.new(extracted, b"\x01", hashlib.sha256).digest()[:16]
    vector = os.urandom(16)
    public = pow(2, mine, PRIME).to_bytes(192, "big")
    fields = {"public": public, "secret": encrypt(key, vector, secret), "iv": vector}
    lines = [f"{name}={base64.b64encode(value).decode()}" for name, value in fields.items()]
    return "\n".join(["[sx-aes-1]"] + lines) + "\n"


bus = Gio.bus_get_sync(Gio.BusType.SESSION)
answers = {}


def call_back(destination, path, method, arguments):
    def done(_, result):
        try:
            bus.call_finish(result)
        except GLib.Error as error:
            print("callback failed:", error.message, flush=True)

    bus.call(destination, path, INTERFACE + ".Callback", method, arguments, None, 0, -1, None, done)


def ready(destination, path, answer, options, reply):
    call_back(destination, path, "PromptReady", GLib.Variant("(sa{sv}s)", (answer, options, reply)))


def perform(sender, path, kind, received):
    if MODE == "die":
        os._exit(1)
    if MODE == "dismiss":
        return ready(sender, path, "no", {}, "")
    answers[path] = answers.get(path, 0) + 1
    is_wrong = MODE == "wrong-then-answer" and answers[path] == 1
    reply = exchange(path, received, b"wrong" if is_wrong else PASSWORD) if kind == "password" else ""
    ready(sender, path, "yes", {"password-strength": GLib.Variant("i", 1)}, reply)


def on_call(connection, sender, path, interface, method, parameters, invocation):
    arguments = parameters.unpack()
    print(method, arguments[0], *arguments[1:2], flush=True)
    invocation.return_value(None)
    if MODE == "hang":
        return
    if method == "BeginPrompting":
        ready(sender, arguments[0], "", {}, "")
    elif method == "StopPrompting":
        call_back(sender, arguments[0], "PromptDone", None)
    else:
        perform(sender, arguments[0], arguments[1], arguments[3])


description = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0]
bus.register_object("/org/gnome/keyring/Prompter", description, on_call, None, None)
Gio.bus_own_name_on_connection(bus, "org.gnome.keyring.SystemPrompter", 0, None, lambda *_: os._exit(3))
GLib.MainLoop().run()
