# SPDX-License-Identifier: Apache-2.0

# The scripts beside this one source it. It makes a private session bus in a temporary folder, with programs on it. Each
# program is stopped by its process id.

# Prints the variables of the world in folder $1, as shell commands.
world_environment() {
    cat <<END
export HOME='$1/home' XDG_RUNTIME_DIR='$1/run' XDG_DATA_HOME='$1/data' XDG_CONFIG_HOME='$1/config'
export XDG_CACHE_HOME='$1/cache' XDG_STATE_HOME='$1/state' DBUS_SESSION_BUS_ADDRESS='unix:path=$1/bus'
export GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1 LC_ALL=C.UTF-8 SECITEM_KEYRING_WORLD='$1'
unset DISPLAY WAYLAND_DISPLAY GNOME_KEYRING_CONTROL GNOME_KEYRING_PID SSH_AUTH_SOCK
unset XDG_SESSION_ID XDG_CURRENT_DESKTOP DESKTOP_SESSION
END
}

# Makes the folders of a world and enters it.
world_make() {
    mkdir -p "$1"/{home,run,data,config,cache,state,control,services}
    chmod 700 "$1" "$1/run" "$1/control"
    world_environment "$1" >"$1/env"
    . "$1/env"
}

# Starts a bus that starts only the services that a test describes in the folder "services", so that no service appears
# without the test's knowledge.
bus_start() {
    local world=$1 pid
    cat >"$world/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=$world/bus</listen>
  <servicedir>$world/services</servicedir>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <limit name="max_message_size">1000000000</limit>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_completed_connections">100000</limit>
  <limit name="max_connections_per_user">100000</limit>
  <limit name="max_replies_per_connection">50000</limit>
  <limit name="max_match_rules_per_connection">50000</limit>
</busconfig>
END
    # The bus writes its process id when the socket listens, so reading the id waits for that.
    exec {reader}< <(exec dbus-daemon --config-file="$world/bus.conf" --nofork --nopidfile --nosyslog --print-pid=1 \
        2>>"$world/bus.log")
    read -r -t 120 -u "$reader" pid || { echo "the bus did not start" >&2; return 1; }
    echo "$pid" >"$world/bus.pid"
}

# Waits until the bus has noticed that the last provider ended. Until then, the next one cannot get the name.
wait_for_free_name() {
    for _ in $(seq 100); do
        gdbus call --session -d org.freedesktop.DBus -o /org/freedesktop/DBus -m org.freedesktop.DBus.NameHasOwner \
            org.freedesktop.secrets | grep -q true || return 0
        sleep 0.02
    done
}

# Starts gnome-keyring in world $1. With the second word "unlocked", it makes the login keyring and unlocks it with the
# password $KEYRING_PASSWORD. With "locked", the keyring stays as it is.
gnome_keyring_start() {
    local world=$1 options=()
    [ "${2:-unlocked}" = unlocked ] && options=(--unlock)
    wait_for_free_name
    printf %s "${KEYRING_PASSWORD-test}" | setsid gnome-keyring-daemon --foreground --components=secrets \
        --control-directory="$world/control" "${options[@]}" >>"$world/provider.log" 2>&1 &
    echo $! >"$world/provider.pid"
    disown
    # The daemon reads all items before it takes its name. With thousands of items, this takes minutes on a busy
    # machine.
    for _ in $(seq 50); do
        gdbus wait --session --timeout 5 org.freedesktop.secrets 2>>"$world/provider.log" && return
        is_alive "$(cat "$world/provider.pid")" || return 1
    done
    return 1
}

# Starts KWallet in world $1 and opens its wallet as the login manager does, with a key derived from the password.
kwallet_start() {
    local world=$1
    wait_for_free_name
    QT_QPA_PLATFORM=offscreen setsid kwalletd5 >>"$world/provider.log" 2>&1 </dev/null &
    echo $! >"$world/provider.pid"
    disown
    gdbus wait --session --timeout 120 org.freedesktop.secrets || return 1
    /usr/bin/python3 - "${KEYRING_PASSWORD-test}" <<'END'
import hashlib
import os
import sys

from gi.repository import Gio, GLib

folder = os.environ["XDG_DATA_HOME"] + "/kwalletd"
os.makedirs(folder, 0o700, exist_ok=True)
salt = folder + "/kdewallet.salt"
if not os.path.exists(salt):
    open(salt, "wb").write(os.urandom(56))
key = hashlib.pbkdf2_hmac("sha512", sys.argv[1].encode(), open(salt, "rb").read(), 50000, 56)
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
arguments = GLib.Variant("(sayi)", ("kdewallet", key, 0))
bus.call_sync(
    "org.kde.kwalletd5", "/modules/kwalletd5", "org.kde.KWallet", "pamOpen", arguments, None, 0, 8000, None
)
END
}

# Starts KeePassXC in world $1, with the database that with-keepassxc has made.
keepassxc_start() {
    local world=$1
    wait_for_free_name
    printf '%s\n' "${KEYRING_PASSWORD-test}" | QT_QPA_PLATFORM=offscreen setsid keepassxc \
        --config "$world/config/keepassxc/keepassxc.ini" --localconfig "$world/local.ini" --pw-stdin \
        "$world/test.kdbx" >>"$world/provider.log" 2>&1 &
    echo $! >"$world/provider.pid"
    disown
    gdbus wait --session --timeout 120 org.freedesktop.secrets || return 1
    # The name is on the bus before the database is open.
    for _ in $(seq 600); do
        gdbus call --session -d org.freedesktop.secrets -o /org/freedesktop/secrets/aliases/default \
            -m org.freedesktop.DBus.Properties.Get org.freedesktop.Secret.Collection Locked 2>/dev/null |
            grep -q false && return
        sleep 0.1
    done
    return 1
}

# Starts the scripted prompter in world $1. $2 is its mode.
prompter_start() {
    local here
    here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
    setsid /usr/bin/python3 "$here/prompter.py" "${KEYRING_PASSWORD-test}" "$2" >>"$1/prompter.log" 2>&1 &
    echo $! >"$1/prompter.pid"
    disown
    gdbus wait --session --timeout 120 org.gnome.keyring.SystemPrompter
}

# Whether a process runs. A zombie does not.
is_alive() {
    local state
    read -r state _ < <(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) && [[ $state != [ZX] ]]
}

# Stops the process whose id is in file $1. Waits only briefly for SIGTERM, because a program that a test started may
# have inherited a blocked SIGTERM. $2 is the number of waits of 20 ms, for a program that saves before it ends.
stop_pid_file() {
    local pid
    pid=$(cat "$1" 2>/dev/null) || return 0
    kill -TERM "$pid" 2>/dev/null
    for _ in $(seq "${2-15}"); do
        is_alive "$pid" || break
        sleep 0.02
    done
    is_alive "$pid" && kill -KILL "$pid" 2>/dev/null
    rm -f "$1"
}

# If the provider in world $1 died by itself, keeps the end of its log for those who run the tests. $2 is the world in
# which the tests run, if any.
keep_death_log() {
    local pid
    pid=$(cat "$1/provider.pid" 2>/dev/null) || return 0
    is_alive "$pid" && return 0
    { echo "The Secret Service had died; the end of its log:"; tail -n 40 "$1/provider.log"; } >>"${2:-$1}/death.log"
}

# Stops everything in world $1.
world_stop() {
    keep_death_log "$1" "${outer_world-}"
    stop_pid_file "$1/prompter.pid"
    stop_pid_file "$1/provider.pid"
    stop_pid_file "$1/bus.pid"
}

# Stops everything in world $1, shows the log of a provider that died in it, and removes the folder.
world_end() {
    world_stop "$1"
    if [[ -e $1/death.log ]]; then cat "$1/death.log" >&2; fi
    rm -rf "$1"
}
