// SPDX-License-Identifier: Apache-2.0

// A constant string of Core Foundation, as `CFSTR` in CFString.h lays it out: SwiftPM gives targets in C no path to that header.

#pragma once

#include <stdint.h>

// Foundation's class of constant strings.
extern void *constantStringClass[] __asm__("$s10Foundation19_NSCFConstantStringCN");

struct ConstantString {
    uintptr_t class;
    uintptr_t retainCount;
    uint64_t information;
    const char *bytes;
    uint32_t length;
};

#define CONSTANT(name, text) \
    static const struct ConstantString name##String = { \
        (uintptr_t)&constantStringClass, 0x80000004ffffffff, 0x07C8, text, sizeof(text) - 1}; \
    const void *const name = &name##String;
