// SPDX-License-Identifier: Apache-2.0

// Measures libsecret's calls, used as its manual shows, with the same items as the keychain calls.

#include <libsecret/secret.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const SecretSchema schema = {
    "org.freedesktop.Secret.Generic", SECRET_SCHEMA_DONT_MATCH_NAME,
    {{"service", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"username", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}}};

#define SERVICE "secitem-benchmark"

static void check(GError *error, gboolean is_right, const char *what)
{
    if (!error && is_right) return;
    printf("%s: %s\n", what, error ? error->message : "wrong");
    exit(1);
}

static void lookup(int number)
{
    char account[32];
    snprintf(account, sizeof account, "%d", number);
    GError *error = NULL;
    char *secret = secret_password_lookup_sync(&schema, NULL, &error, "service", SERVICE, "username", account, NULL);
    check(error, secret && strlen(secret) == 6, "lookup");
    secret_password_free(secret);
}

static void search_all(int count)
{
    GError *error = NULL;
    GHashTable *attributes = secret_attributes_build(&schema, "service", SERVICE, NULL);
    GList *items = secret_service_search_sync(
        NULL, &schema, attributes, SECRET_SEARCH_ALL | SECRET_SEARCH_LOAD_SECRETS, NULL, &error);
    check(error, (int)g_list_length(items) >= count, "search");
    g_list_free_full(items, g_object_unref);
    g_hash_table_unref(attributes);
}

static void store(int number)
{
    char account[32];
    snprintf(account, sizeof account, "peer %d", number);
    GError *error = NULL;
    secret_password_store_sync(
        &schema, SECRET_COLLECTION_DEFAULT, account, "secret", NULL, &error, "service", SERVICE, "username", account,
        NULL);
    check(error, TRUE, "store");
}

static void clear(int number)
{
    char account[32];
    snprintf(account, sizeof account, "peer %d", number);
    secret_password_clear_sync(&schema, NULL, NULL, "service", SERVICE, "username", account, NULL);
}

static void ping(int number)
{
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    GVariant *reply = g_dbus_connection_call_sync(
        bus, "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.DBus.Peer", "Ping", NULL, NULL, 0,
        -1, NULL, NULL);
    check(NULL, reply != NULL, "ping");
    g_variant_unref(reply);
}

static int compare(const void *a, const void *b)
{
    return *(const gint64 *)a < *(const gint64 *)b ? -1 : 1;
}

static void measure(const char *name, int rounds, int argument, void (*body)(int))
{
    gint64 times[200];
    for (int i = 0; i < rounds; i++) {
        gint64 start = g_get_monotonic_time();
        body(argument < 0 ? i % -argument : argument);
        times[i] = g_get_monotonic_time() - start;
    }
    qsort(times, rounds, sizeof times[0], compare);
    printf("%s %ld\n", name, (long)times[rounds / 2]);
}

// peer COUNT known|all|add
int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 10;
    const char *verb = argc > 2 ? argv[2] : "known";
    lookup(0);
    if (strcmp(verb, "known") == 0) {
        measure("ping", 200, 0, ping);
        measure("lookup", count < 200 ? count : 200, -count, lookup);
        measure("lookup-repeated", 200, 5, lookup);
    } else if (strcmp(verb, "all") == 0) {
        measure("all", 3, count, search_all);
    } else {
        measure("add", 10, -10, store);
        for (int i = 0; i < 10; i++) clear(i);
    }
    return 0;
}
