# SPDX-License-Identifier: Apache-2.0

# The steps of a long script, what runs beside them, and where the time went: to be sourced after common.sh.

# step NAME COMMAND…: a step of the script. What is wrong in one does not hide what the others say.
step_names=()
step_commands=()
step() {
    step_names+=("$1")
    shift
    step_commands+=("$(printf '%q ' "$@")")
}

# needed_step NAME COMMAND…: a step without which those after it can say nothing.
declare -A needed=()
needed_step() {
    needed[$1]=1
    step "$@"
}

# processor_times: what the machine's processors have worked so far, and what they could have, in hundredths of a second.
processor_times() {
    local user nice system idle wait rest
    read -r _ user nice system idle wait rest </proc/stat
    printf '%s %s\n' $((user + nice + system)) $((user + nice + system + idle + wait))
}

failures=()
durations=()
run_steps() {
    local index before status busy all busy_then all_then
    for index in "${!step_names[@]}"; do
        current="[$((index + 1))/${#step_names[@]}] ${step_names[index]}"
        say "$current (after $SECONDS s)"
        before=$SECONDS status=0
        read -r busy_then all_then < <(processor_times)
        eval "${step_commands[index]}" || status=$?
        read -r busy all < <(processor_times)
        durations+=("$((SECONDS - before)) ${step_names[index]}, processors busy $((
            100 * (busy - busy_then) / (all > all_then ? all - all_then : 1))) %")
        ((status == 0)) && continue
        failures+=("${step_names[index]}")
        if [[ ${needed[${step_names[index]}]-} ]]; then break; fi
    done
    current=
}

# begin LOG COMMAND…: runs a command beside what follows.
declare -A beside=()
begin() {
    local log=$build/$1
    shift
    printf 'Running beside what follows; the output goes to %s.\n' "$(realpath --relative-to=. "$log")"
    setsid timeout --kill-after=30 "$longest" "$@" </dev/null >"$log" 2>&1 &
    beside[$log]=$!
    children+=("$!")
}

# end LOG: waits for it, shows what it said, and gives its status.
end() {
    local log=$build/$1 status=0
    if [[ -z ${beside[$log]-} ]]; then return; fi
    wait "${beside[$log]}" || status=$?
    if ((status == 124 || status == 137)); then
        printf 'Killed, or ended after %s s: %s\n' "$longest" "$1"
        end_session "${beside[$log]}"
    fi
    forget "${beside[$log]}"
    unset "beside[$log]"
    cat "$log"
    return "$status"
}

# What runs beside has shown nothing yet, and may be what all wait for.
last_words() {
    local log
    for log in "${!beside[@]}"; do
        say "Not finished: $log ends with"
        tail -n 50 "$log"
    done
    if [[ $current ]]; then say "Ended in $current, after $SECONDS s"; fi
}

# slowest KIND LOG…: the twenty slowest of the runner's lines "Test NAME passed after 1.5 seconds" or "Suite …".
slowest() {
    grep -haE "(^|[^[:alnum:]])$1 .* (passed|failed) after [0-9.]+ seconds" "${@:2}" 2>/dev/null |
        sed -E "s/.*$1 (.*) (passed|failed) after ([0-9.]+) seconds.*/\3 \1/" | sort -rn | head -n 20 || true
}

# report LOG…: where the time went, and what failed.
report() {
    say 'Seconds of each step'
    printf '%s\n' "${durations[@]}" | sort -rn
    say 'Seconds of the slowest suites (they run beside each other)'
    slowest Suite "$@"
    say 'Seconds of the slowest tests'
    slowest Test "$@"
    if ((${#failures[@]} == 0)); then
        say "All is well, after $SECONDS s"
        return
    fi
    say "Failed, after $SECONDS s:"
    printf '%s\n' "${failures[@]}"
    grep -haE 'recorded an issue|: error: [A-Za-z]+\.[^ ]+ : ' "$@" | head -n 50 || true
}
