// SPDX-License-Identifier: Apache-2.0

// Compares what `Sources/CLibsecret` declares of libsecret and GLib with their headers. `Scripts/test` compiles it, with
// warnings as errors; there is nothing to run.

#define SECRET_API_SUBJECT_TO_CHANGE
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <libsecret/secret.h>

#include "../../Sources/CLibsecret/Layouts.h"

#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

// A second declaration of a type or of a function has to agree with the first.
#include "../../Sources/CLibsecret/include/LibsecretTypes.inc"

// The parentheses keep a macro of the same name away.
#define FUNCTION(result, name, parameters) extern result (name) parameters;
#include "../../Sources/CLibsecret/include/GLibFunctions.inc"
#include "../../Sources/CLibsecret/include/LibsecretFunctions.inc"

#define CONSTANT(type, name, value) \
    _Static_assert((name) == (value), #name); \
    _Static_assert(sizeof(type) == sizeof(name), #name);
#include "../../Sources/CLibsecret/include/LibsecretConstants.inc"

#define FIELD(type, layout, field) \
    _Static_assert(offsetof(type, field) == offsetof(layout, field), #type "." #field); \
    _Static_assert(sizeof(((type *)0)->field) == sizeof(((layout *)0)->field), #type "." #field);

FIELD(GError, ErrorLayout, domain)
FIELD(GError, ErrorLayout, code)
FIELD(GError, ErrorLayout, message)
FIELD(GTypeQuery, TypeQueryLayout, type)
FIELD(GTypeQuery, TypeQueryLayout, type_name)
FIELD(GTypeQuery, TypeQueryLayout, class_size)
FIELD(GTypeQuery, TypeQueryLayout, instance_size)
_Static_assert(sizeof(GTypeQuery) == sizeof(TypeQueryLayout), "GTypeQuery");
FIELD(GObjectClass, ObjectClassLayout, g_type_class)
FIELD(GObjectClass, ObjectClassLayout, construct_properties)
FIELD(GObjectClass, ObjectClassLayout, constructor)
_Static_assert(sizeof(GVariantIter) == sizeof(VariantWalkLayout), "GVariantIter");
_Static_assert(sizeof(GVariantBuilder) == sizeof(VariantWalkLayout), "GVariantBuilder");
_Static_assert(_Alignof(GVariantBuilder) <= _Alignof(VariantWalkLayout), "GVariantBuilder");
_Static_assert(sizeof(GType) == sizeof(size_t) && sizeof(gboolean) == sizeof(int), "GType and gboolean");
