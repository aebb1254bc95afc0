# SPDX-License-Identifier: Apache-2.0

# What Scripts/test, Scripts/demo and .ci/run share: to be sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# One build folder for the package, its examples and its benchmarks: they share the built dependencies.
build=$root/.build
# SwiftPM passes the enabled traits of a package to the compiler in the order of a set. The order changes from run to run, and
# then the whole package is compiled again. Without random hashes, the order stays the same. Tests run with random hashes.
export SWIFT_DETERMINISTIC_HASHING=1
# The options of debug builds in the shared folder. Several packages share it: what was planned for one is not to be taken for
# another's. Nobody looks at these builds in a debugger, and without what it needs, they take a fifth less work. A build that
# names other options compiles everything again.
debug_build_options=(--disable-build-manifest-caching -debug-info-format none)
# Gone when the script ends, however it ends.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/secitem.XXXXXXXX")
children=()
# What else is to go then.
leftovers=()

# What a script still has to say when it ends before its time; it may define its own.
last_words() { :; }

cleanup() {
    local status=$?
    trap - EXIT INT TERM HUP
    last_words || true
    for child in "${children[@]}"; do end_session "$child"; done
    rm -rf "$scratch" "${leftovers[@]}"
    exit "$status"
}

# end_session LEADER: ends what a child of `run` has started. Each leads a session; groups say less, as the test runner's
# tests have one of their own. What tests started may have inherited a blocked SIGTERM.
end_session() {
    signal_session "$1" TERM || return 0
    local attempt
    for attempt in {1..40}; do
        sleep 0.05
        signal_session "$1" 0 || return 0
    done
    signal_session "$1" KILL || true
}

# signal_session LEADER SIGNAL: fails when nobody is left.
signal_session() {
    local stat line fields found=1
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        # After the name, which may hold anything: state, parent, group, session.
        read -ra fields <<<"${line##*) }"
        [[ ${fields[3]-} == "$1" && ${fields[0]} != Z ]] || continue
        kill "-$2" "${line%% *}" 2>/dev/null && found=0
    done
    return "$found"
}

trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '\n== %s\n' "$*"; }

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# forget CHILD: it has ended, and its process id may soon belong to another.
forget() {
    local index
    for index in "${!children[@]}"; do
        if [[ ${children[index]} == "$1" ]]; then unset "children[$index]"; fi
    done
}

# start_session COMMAND…: replaces this shell by the command, in a session of its own. Linux divides the processors among
# sessions first, so a new one takes over the priority of the old one.
start_session() {
    local old nice=
    if [[ -r /proc/self/autogroup ]]; then read -r old </proc/self/autogroup && nice=${old##* }; fi
    exec setsid bash -c '{ echo "$0" >/proc/self/autogroup; } 2>/dev/null; exec "$@"' "$nice" "$@"
}

# How long a command may take, in seconds. One that hangs is ended, and named.
longest=${LONGEST_COMMAND:-2400}

# run LOG COMMAND…: runs a command without input, and keeps its output in LOG. A terminal shows that it moves, and the end of what
# failed; a file gets it all.
run() {
    local log=$1 child viewer status=0 start=$SECONDS
    shift
    : >"$log"
    start_session timeout --kill-after=30 "$longest" "$@" </dev/null >"$log" 2>&1 &
    child=$!
    children+=("$child")
    if [[ -t 1 ]]; then
        show_progress "$child" "$log" &
    else
        tail -n +1 -s 0.2 -f --pid="$child" "$log" &
    fi
    viewer=$!
    wait "$child" || status=$?
    wait "$viewer" || true
    # `timeout` has several statuses, and so may the command.
    if ((status && SECONDS - start >= longest)); then
        printf 'Ended after %s s: %s\n' "$longest" "$*" >&2
        end_session "$child"
    fi
    forget "$child"
    if [[ -t 1 ]] && ((status)); then tail -n 100 "$log"; fi
    return "$status"
}

# show_progress CHILD LOG: the current step, the time so far and the last line of the log, in one line of the terminal.
current=
show_progress() {
    local start=$SECONDS width line
    width=$(tput cols 2>/dev/null || echo 80)
    while kill -0 "$1" 2>/dev/null; do
        line=$(tail -n 1 "$2" | tr -cd '[:print:]')
        line="${current:+$current, }$((SECONDS - start)) s: $line"
        printf '\r\033[K%s' "${line:0:width-1}"
        sleep 0.5
    done
    printf '\r\033[K'
}

# A home that can be written to, for Swift's caches, and an environment without settings of the caller's keychain.
use_clean_environment() {
    if [[ -z ${HOME:-} || ! -d $HOME || ! -w $HOME ]]; then
        mkdir "$scratch/home"
        export HOME=$scratch/home
    fi
    local name
    for name in "${!SECITEM_@}" CREDENTIALS_DIRECTORY; do
        # What is said to tests alone stays.
        case $name in
            SECITEM_SEED | SECITEM_RANDOM_ROUNDS | SECITEM_TEST_STORES) ;;
            *) unset "$name" ;;
        esac
    done
}

# Where programs leave their temporary files behind. Tests run programs as other users there, who may pass through and list
# nothing. Not before packages are installed: apt's user writes to it.
use_own_temporary_folder() {
    mkdir "$scratch/tmp"
    chmod 711 "$scratch" "$scratch/tmp"
    export TMPDIR=$scratch/tmp
}

require_swift() {
    local version
    version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | grep -oE '[0-9.]+') ||
        fail 'no Swift compiler in PATH; install Swift 6.1 or newer from https://www.swift.org/install/linux/'
    [[ $(printf '6.1\n%s\n' "$version" | sort -V | head -n 1) == 6.1 ]] ||
        fail "Swift $version is too old; 6.1 is the oldest that builds this package"
}

# swift_target_info NAME: a text that the compiler says of its target. `swift` may be a link to a program that chooses the tool
# chain, so that its own path tells nothing.
swift_target_info() { swift -print-target-info | sed -n "s/^ *\"$1\": \"\(.*\)\",*\$/\1/p"; }

# require_packages NAME…: installs the Debian packages that are missing, as root or through sudo.
require_packages() {
    local name missing=() as_root=()
    if ! command -v dpkg-query >/dev/null; then
        printf 'This is no Debian; the counterparts of these packages have to be there: %s\n' "$*"
        return
    fi
    for name in "$@"; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed$' || missing+=("$name")
    done
    if ((${#missing[@]} == 0)); then return; fi
    if ((EUID != 0)); then
        if ! sudo -n true 2>/dev/null; then
            fail "packages are missing, and there is neither root nor sudo to install them. As root, run:
  apt-get install ${missing[*]}"
        fi
        as_root=(sudo -n)
    fi
    say "Installing ${missing[*]}"
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    run "$scratch/apt.log" "${as_root[@]}" update || fail 'apt-get update failed'
    run "$scratch/apt.log" "${as_root[@]}" install --no-install-recommends "${missing[@]}" ||
        fail 'apt-get install failed'
}

# The one list of Debian packages: what the build needs, then what the tests need beside it.
build_packages=(libsqlite3-dev)
test_packages=(binutils chrpath dpkg-dev libpam-wrapper strace openssl libssl3 libnettle8 libtss2-dev libtss2-tcti-swtpm0 swtpm valgrind)
# polkit and what it asks, with stand-ins for logind and for a reader of fingers.
test_packages+=(dbus fprintd libglib2.0-bin libpam-fprintd polkitd python3-dbusmock python3-gi)
# The trait PostgreSQL needs libpq's headers; its tests run servers and a pooler of their own.
test_packages+=(libpq-dev pgbouncer postgresql)
# What the store on the Secret Service loads when it runs, and the headers that its declarations are compared with.
if [[ -d $root/Sources/SecItemGnome ]]; then test_packages+=(libsecret-1-0 libsecret-1-dev libglib2.0-dev pkg-config); fi
if [[ -x $root/Scripts/keyring/with-gnome-keyring ]]; then
    test_packages+=(dbus gnome-keyring libglib2.0-bin libsecret-tools python3-gi python3-venv gcc libc6-dev git)
fi
# A browser that looks at the documentation. Ubuntu has none that is not a snap: there, only the data of the pages is checked.
if grep -qx 'ID=debian' /etc/os-release 2>/dev/null; then test_packages+=(chromium-headless-shell); fi
# For those who ask for tests on them: other programs that are a Secret Service, and a cluster of PostgreSQL servers.
provider_packages=(keepassxc libkf5wallet-bin libqca-qt5-2-plugins patroni etcd-server)

# The lines with which the test runner closes.
closing_lines() {
    grep -E 'Executed [1-9][0-9]* tests?|Test run with [0-9]+ tests?' "$1" || true
}
