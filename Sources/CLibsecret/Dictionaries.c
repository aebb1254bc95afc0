// SPDX-License-Identifier: Apache-2.0

#include "Layouts.h"
#include "Libsecret.h"

// GLib's functions with variable arguments, which Swift cannot call.

_Static_assert(sizeof(SecItemPairs) == sizeof(VariantWalkLayout), "a place in a dictionary is GLib's iterator");

size_t secitem_pairs_begin(SecItemPairs *pairs, GVariant *dictionary)
{
    return secitem_glib.g_variant_iter_init((GVariantIter *)pairs, dictionary);
}

int secitem_pairs_next(SecItemPairs *pairs, const char **key, const char **value)
{
    return secitem_glib.g_variant_iter_next((GVariantIter *)pairs, "{&s&s}", key, value);
}

GVariant *secitem_string_dictionary(const char *const *keys, const char *const *values, size_t count)
{
    VariantWalkLayout storage;
    GVariantBuilder *builder = (GVariantBuilder *)&storage;
    // A type is the same as its text.
    secitem_glib.g_variant_builder_init(builder, (const GVariantType *)"a{ss}");
    for (size_t i = 0; i < count; i++)
        secitem_glib.g_variant_builder_add(builder, "{ss}", keys[i], values[i]);
    return secitem_glib.g_variant_builder_end(builder);
}

GVariant *secitem_variant_dictionary(const char *const *keys, GVariant *const *values, size_t count)
{
    VariantWalkLayout storage;
    GVariantBuilder *builder = (GVariantBuilder *)&storage;
    secitem_glib.g_variant_builder_init(builder, (const GVariantType *)"a{sv}");
    for (size_t i = 0; i < count; i++)
        secitem_glib.g_variant_builder_add(builder, "{sv}", keys[i], values[i]);
    return secitem_glib.g_variant_builder_end(builder);
}
