// SPDX-License-Identifier: Apache-2.0

// Declarations that Swift's modules leave out: how a type of objects is made known to Core Foundation (CFRuntime.h), and what
// blocks and queues of callers need. References are plain pointers here, because SwiftPM gives targets in C no path to its
// headers.

#pragma once

#include <stdint.h>

/// A type of objects. Core Foundation keeps the address.
struct RuntimeClass {
    intptr_t version;
    const char *name;
    void (*initialize)(const void *object);
    const void *(*copy)(const void *allocator, const void *object);
    void (*finalize)(const void *object);
    unsigned char (*equal)(const void *first, const void *second);
    uintptr_t (*hash)(const void *object);
    const void *(*copyFormattingDescription)(const void *object, const void *options);
    const void *(*copyDebugDescription)(const void *object);
    void (*reclaim)(const void *object);
    uint32_t (*referenceCount)(intptr_t operation, const void *object);
    uintptr_t requiredAlignment;
};

uintptr_t _CFRuntimeRegisterClass(const struct RuntimeClass *type);

/// Makes an object with one reference, and that many bytes after its base, which are zero.
const void *_CFRuntimeCreateInstance(const void *allocator, uintptr_t type, intptr_t extraBytes, unsigned char *category);

/// Functions on callers' blocks and queues, as plain pointers: Swift's Dispatch has none that take these.
void *copyBlock(const void *block) __asm__("_Block_copy");
void releaseBlock(const void *block) __asm__("_Block_release");
void retainQueue(void *queue) __asm__("dispatch_retain");
void releaseQueue(void *queue) __asm__("dispatch_release");
void callOnQueue(void *queue, void *context, void (*work)(void *context)) __asm__("dispatch_async_f");

/// The base of each object, which is Core Foundation's.
struct ReferenceBase {
    uintptr_t class;
    uintptr_t retainCount;
    uint64_t information;
};

/// An object of one of this library's types.
struct Reference {
    struct ReferenceBase base;
    /// The Swift object that it stands for, which it retains.
    const void *referent;
    /// The objects that it lends, which it releases at its end.
    const void *lent;
};
