// SPDX-License-Identifier: Apache-2.0

#include <pthread.h>

#include "Layouts.h"
#include "Libsecret.h"

// libsecret's client without its own constructor. That constructor insists on the connection that the whole program
// shares, and this connection ends the program when the bus disappears.

static pthread_once_t once = PTHREAD_ONCE_INIT;
static size_t service_type;

static void *construct(size_t type, unsigned count, void *properties)
{
    const ObjectClassLayout *proxy_class =
        secitem_glib.g_type_class_peek(secitem_glib.g_dbus_proxy_get_type());
    return proxy_class->constructor(type, count, properties);
}

static void class_init(void *service_class, void *data)
{
    (void)data;
    ((ObjectClassLayout *)service_class)->constructor = construct;
}

static void register_type(void)
{
    size_t parent = secitem_libsecret.secret_service_get_type();
    TypeQueryLayout query;
    secitem_glib.g_type_query(parent, (GTypeQuery *)&query);
    service_type = secitem_glib.g_type_register_static_simple(
        parent, "SecItemSecretService", query.class_size, class_init, query.instance_size, NULL, 0);
}

SecretService *secitem_service_open(
    GDBusConnection *connection, const char *owner, int timeout_milliseconds, GError **error)
{
    pthread_once(&once, register_type);
    unsigned flags =
        SECITEM_G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | SECITEM_G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS;
    return secitem_glib.g_initable_new(
        service_type, NULL, error,
        "g-connection", connection, "g-name", owner, "g-object-path", "/org/freedesktop/secrets",
        "g-interface-name", "org.freedesktop.Secret.Service", "g-default-timeout", timeout_milliseconds,
        "g-flags", flags, "flags", SECITEM_SECRET_SERVICE_OPEN_SESSION, NULL);
}
