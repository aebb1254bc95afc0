// SPDX-License-Identifier: Apache-2.0

// The beginnings of GLib's structures that are looked into. They are part of its binary interface;
// `Tests/LibsecretHeaders` compares them with the headers.

#ifndef SECITEM_LIBSECRET_LAYOUTS_H
#define SECITEM_LIBSECRET_LAYOUTS_H

#include <stddef.h>
#include <stdint.h>

/// GError
typedef struct ErrorLayout {
    uint32_t domain;
    int code;
    char *message;
} ErrorLayout;

/// GTypeQuery
typedef struct TypeQueryLayout {
    size_t type;
    const char *type_name;
    unsigned class_size;
    unsigned instance_size;
} TypeQueryLayout;

/// The beginning of GObjectClass.
typedef struct ObjectClassLayout {
    size_t g_type_class;
    void *construct_properties;
    void *(*constructor)(size_t type, unsigned count, void *properties);
} ObjectClassLayout;

/// GVariantBuilder and GVariantIter
typedef struct VariantWalkLayout {
    size_t storage[16];
} VariantWalkLayout;

#endif
