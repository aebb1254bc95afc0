// SPDX-License-Identifier: Apache-2.0

#include "Libsecret.h"

#include "Layouts.h"

SecItemGLib secitem_glib;
SecItemLibsecret secitem_libsecret;

// According to POSIX, the address of a function fits into a pointer to data.
#define FUNCTION(result, name, parameters) \
    *(void **)&found.name = find(context, #name); \
    if (found.name == NULL) \
        return #name;

const char *secitem_glib_bind(const void *context, void *(*find)(const void *context, const char *name))
{
    SecItemGLib found;
#include "GLibFunctions.inc"
    secitem_glib = found;
    return NULL;
}

const char *secitem_libsecret_bind(const void *context, void *(*find)(const void *context, const char *name))
{
    SecItemLibsecret found;
#include "LibsecretFunctions.inc"
    secitem_libsecret = found;
    return NULL;
}

#undef FUNCTION

uint32_t secitem_error_domain(const GError *error)
{
    return ((const ErrorLayout *)error)->domain;
}

int secitem_error_code(const GError *error)
{
    return ((const ErrorLayout *)error)->code;
}

const char *secitem_error_message(const GError *error)
{
    return ((const ErrorLayout *)error)->message;
}
