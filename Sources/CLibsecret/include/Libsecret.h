// SPDX-License-Identifier: Apache-2.0

// The parts of libsecret and GLib that the package uses. They are declared here so that programs build and start
// without their headers and libraries. The libraries are loaded when the package first looks for a Secret Service.
//
// `Tests/LibsecretHeaders` compares every type, constant and layout with the real headers.

#ifndef SECITEM_LIBSECRET_H
#define SECITEM_LIBSECRET_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "LibsecretTypes.inc"

#define CONSTANT(type, name, value) static const type SECITEM_##name = value;
#include "LibsecretConstants.inc"
#undef CONSTANT

/// The functions of GLib that the package calls, under their own names.
typedef struct SecItemGLib {
#define FUNCTION(result, name, parameters) result (*_Nonnull name) parameters;
#include "GLibFunctions.inc"
#undef FUNCTION
} SecItemGLib;

/// The functions of libsecret that the package calls, under their own names.
typedef struct SecItemLibsecret {
#define FUNCTION(result, name, parameters) result (*_Nonnull name) parameters;
#include "LibsecretFunctions.inc"
#undef FUNCTION
} SecItemLibsecret;

#pragma clang assume_nonnull begin

/// GLib's functions, after `secitem_glib_bind` has found them.
extern SecItemGLib secitem_glib __attribute__((swift_name("glib"), swift_attr("nonisolated(unsafe)")));

/// libsecret's functions, after `secitem_libsecret_bind` has found them.
extern SecItemLibsecret secitem_libsecret
    __attribute__((swift_name("libsecret"), swift_attr("nonisolated(unsafe)")));

/// Looks up all functions of GLib. Only one thread at a time may call it.
///
/// - Parameter find: Returns the address of the function with that name, or NULL.
/// - Returns: NULL, or the name of the first missing function. If one is missing, nothing has changed.
const char *_Nullable secitem_glib_bind(
    const void *context, void *_Nullable (*_Nonnull find)(const void *context, const char *name));

/// The same for libsecret's functions.
const char *_Nullable secitem_libsecret_bind(
    const void *context, void *_Nullable (*_Nonnull find)(const void *context, const char *name));

/// The domain of an error.
uint32_t secitem_error_domain(const GError *error);

/// The number of an error in its domain.
int secitem_error_code(const GError *error);

/// An error's message, which is valid until the error is freed.
const char *_Nullable secitem_error_message(const GError *error);

/// Opens a separate session with the Secret Service on that connection. Returns NULL and sets the error if it fails.
///
/// The client loads no properties and listens to no signals, which saves five messages at the start.
SecretService *_Nullable secitem_service_open(
    GDBusConnection *connection, const char *owner, int timeout_milliseconds, GError *_Nullable *_Nullable error);

/// A position in an `a{ss}`.
typedef struct SecItemPairs {
    size_t storage[16];
} SecItemPairs;

/// Starts to read an `a{ss}`. Returns the number of its pairs.
size_t secitem_pairs_begin(SecItemPairs *pairs, GVariant *dictionary);

/// The next pair, which is valid as long as the dictionary. False at the end.
int secitem_pairs_next(
    SecItemPairs *pairs, const char *_Nullable *_Nonnull key, const char *_Nullable *_Nonnull value);

/// A floating dictionary `a{ss}` of `count` pairs.
GVariant *secitem_string_dictionary(
    const char *_Nullable const *_Nonnull keys, const char *_Nullable const *_Nonnull values, size_t count);

/// A floating dictionary `a{sv}` of `count` pairs. It takes over floating values.
GVariant *secitem_variant_dictionary(
    const char *_Nullable const *_Nonnull keys, GVariant *_Nullable const *_Nonnull values, size_t count);

#pragma clang assume_nonnull end

#endif
