// SPDX-License-Identifier: Apache-2.0

// What is used of libsecret and GLib, declared here so that neither their headers nor the libraries are needed to build
// or to start a program: the libraries are loaded when a Secret Service is looked for.
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

/// The functions of GLib that are called, by their own names.
typedef struct SecItemGLib {
#define FUNCTION(result, name, parameters) result (*_Nonnull name) parameters;
#include "GLibFunctions.inc"
#undef FUNCTION
} SecItemGLib;

/// The functions of libsecret that are called, by their own names.
typedef struct SecItemLibsecret {
#define FUNCTION(result, name, parameters) result (*_Nonnull name) parameters;
#include "LibsecretFunctions.inc"
#undef FUNCTION
} SecItemLibsecret;

#pragma clang assume_nonnull begin

/// All the functions of GLib, once `secitem_glib_bind` has found them.
extern SecItemGLib secitem_glib __attribute__((swift_name("glib"), swift_attr("nonisolated(unsafe)")));

/// All the functions of libsecret, once `secitem_libsecret_bind` has found them.
extern SecItemLibsecret secitem_libsecret
    __attribute__((swift_name("libsecret"), swift_attr("nonisolated(unsafe)")));

/// Looks all functions of GLib up. One thread may call it at a time.
///
/// - Parameter find: Gives the address of the function with that name, or NULL.
/// - Returns: NULL, or the name of the first function that was not found; then nothing has changed.
const char *_Nullable secitem_glib_bind(
    const void *context, void *_Nullable (*_Nonnull find)(const void *context, const char *name));

/// The same for the functions of libsecret.
const char *_Nullable secitem_libsecret_bind(
    const void *context, void *_Nullable (*_Nonnull find)(const void *context, const char *name));

/// The domain of an error.
uint32_t secitem_error_domain(const GError *error);

/// The number of an error in its domain.
int secitem_error_code(const GError *error);

/// What an error says, lent until it is freed.
const char *_Nullable secitem_error_message(const GError *error);

/// A Secret Service client with a session of its own on that connection, or NULL with an error.
///
/// It loads no properties and listens to no signals: that saves five messages at start.
SecretService *_Nullable secitem_service_open(
    GDBusConnection *connection, const char *owner, int timeout_milliseconds, GError *_Nullable *_Nullable error);

/// A place in an `a{ss}`.
typedef struct SecItemPairs {
    size_t storage[16];
} SecItemPairs;

/// Begins to read an `a{ss}`. Returns the number of its pairs.
size_t secitem_pairs_begin(SecItemPairs *pairs, GVariant *dictionary);

/// The next pair, lent until the dictionary goes away. False at the end.
int secitem_pairs_next(
    SecItemPairs *pairs, const char *_Nullable *_Nonnull key, const char *_Nullable *_Nonnull value);

/// A dictionary `a{ss}` of `count` pairs; floating.
GVariant *secitem_string_dictionary(
    const char *_Nullable const *_Nonnull keys, const char *_Nullable const *_Nonnull values, size_t count);

/// A dictionary `a{sv}` of `count` pairs, which takes floating values; floating.
GVariant *secitem_variant_dictionary(
    const char *_Nullable const *_Nonnull keys, GVariant *_Nullable const *_Nonnull values, size_t count);

#pragma clang assume_nonnull end

#endif
