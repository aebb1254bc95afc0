// What Swift cannot reach of libsecret and GLib: macros, and functions with variable arguments.

#ifndef SECITEM_LIBSECRET_SHIM_H
#define SECITEM_LIBSECRET_SHIM_H

// The functions that encode and decode secrets for D-Bus are declared under this name only.
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>

static GObject *secitem_service_construct(GType type, guint count, GObjectConstructParam *properties)
{
    return G_OBJECT_CLASS(g_type_class_peek(G_TYPE_DBUS_PROXY))->constructor(type, count, properties);
}

static void secitem_service_class_init(gpointer service_class, gpointer data)
{
    G_OBJECT_CLASS(service_class)->constructor = secitem_service_construct;
}

/// libsecret's client, without its constructor, which insists on the connection that the whole program shares: that one
/// ends the program when the bus goes.
static inline GType secitem_service_type(void)
{
    static gsize once = 0;
    if (g_once_init_enter(&once)) {
        GTypeQuery parent;
        g_type_query(SECRET_TYPE_SERVICE, &parent);
        gsize type = g_type_register_static_simple(
            SECRET_TYPE_SERVICE, "SecItemSecretService", parent.class_size, secitem_service_class_init,
            parent.instance_size, NULL, (GTypeFlags)0);
        g_once_init_leave(&once, type);
    }
    return once;
}

/// A Secret Service client with a session of its own on that connection, or NULL with an error.
///
/// It loads no properties and listens to no signals: that saves five messages at start.
static inline SecretService *secitem_service_open(
    GDBusConnection *connection, const char *owner, int timeout_milliseconds, GError **error)
{
    GDBusProxyFlags flags = G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS;
    return (SecretService *)g_initable_new(
        secitem_service_type(), NULL, error,
        "g-connection", connection, "g-name", owner, "g-object-path", "/org/freedesktop/secrets",
        "g-interface-name", "org.freedesktop.Secret.Service", "g-default-timeout", timeout_milliseconds,
        "g-flags", flags, "flags", SECRET_SERVICE_OPEN_SESSION, NULL);
}

/// The next pair of an `a{ss}`, lent until the iterated value goes away. False at the end.
static inline gboolean secitem_next_pair(GVariantIter *iterator, const char **key, const char **value)
{
    return g_variant_iter_next(iterator, "{&s&s}", key, value);
}

/// A dictionary `a{ss}` of `count` pairs; floating.
static inline GVariant *secitem_string_dictionary(const char *const *keys, const char *const *values, gsize count)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{ss}"));
    for (gsize i = 0; i < count; i++)
        g_variant_builder_add(&builder, "{ss}", keys[i], values[i]);
    return g_variant_builder_end(&builder);
}

/// A dictionary `a{sv}` of `count` pairs, which takes floating values; floating.
static inline GVariant *secitem_variant_dictionary(const char *const *keys, GVariant *const *values, gsize count)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sv}"));
    for (gsize i = 0; i < count; i++)
        g_variant_builder_add(&builder, "{sv}", keys[i], values[i]);
    return g_variant_builder_end(&builder);
}

/// Whether the message is a signal of that interface.
static inline gboolean secitem_is_signal(GDBusMessage *message, const char *interface)
{
    return g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_SIGNAL &&
        g_strcmp0(g_dbus_message_get_interface(message), interface) == 0;
}

#endif
