# SPDX-License-Identifier: Apache-2.0

# Sourced by Scripts/install and Scripts/uninstall. Manages a list of the installed files, in the format of sha256sum
# (for a link, the checksum of the name in it), and of the folders that were made for them ("# folder PATH"). All paths
# are relative to the prefix.

manifest=share/secitem/manifest

# require_manifest PREFIX: fails if the list names anything outside the prefix.
require_manifest() {
    local line path
    while IFS= read -r line; do
        path=${line:66}
        if [[ $line == '# folder '* ]]; then
            path=${line#'# folder '}
        elif [[ ! $line =~ ^[0-9a-f]{64}\ \  ]]; then
            path=
        fi
        if [[ -z $path || $path == /* || /$path/ == */../* ]]; then
            fail "$1/$manifest is not a list of installed files; nothing was changed"
        fi
    done <"$1/$manifest"
}

# installed_files PREFIX: a line "SUM  PATH" for each file.
installed_files() { grep -v '^#' "$1/$manifest" || true; }

# installed_folders PREFIX: outer folders come before inner ones.
installed_folders() { sed -n 's/^# folder //p' "$1/$manifest" | sort -u; }

# checksum PATH: of a file's content, or of the name in a link; empty for anything else.
checksum() {
    if [[ -L $1 ]]; then
        readlink -n "$1" | sha256sum | head -c 64
    elif [[ -f $1 ]]; then
        sha256sum <"$1" | head -c 64
    fi
}

# install_with_manifest FROM PREFIX: installs all files of a folder, and removes files that are no longer needed. One of them
# that was changed since stays, and is named.
install_with_manifest() {
    local from=$1 prefix=$2 line path temporary folders=()
    local -A owned=([$manifest]=1) wanted=()
    if [[ -e $prefix/$manifest ]]; then
        require_manifest "$prefix"
        while IFS= read -r line; do owned[${line:66}]=${line:0:64}; done < <(installed_files "$prefix")
        mapfile -t folders < <(installed_folders "$prefix")
    fi
    while IFS= read -r path; do
        printf '%s  %s\n' "$(checksum "$from/$path")" "$path"
        wanted[$path]=1
    done < <(cd "$from" && find . -type f -printf '%P\n' -o -type l -printf '%P\n' | sort) >"$scratch/files"

    for path in "${!wanted[@]}"; do
        if [[ (-e $prefix/$path || -L $prefix/$path) && -z ${owned[$path]-} ]]; then
            fail "$prefix/$path exists and was not installed by this script; nothing was changed"
        fi
    done
    while IFS= read -r path; do
        if [[ -d $prefix/$path ]]; then continue; fi
        mkdir -p "$prefix/$path"
        folders+=("$path")
    done < <({ cd "$from" && find . -mindepth 1 -type d -printf '%P\n' && dirname "$manifest"; } | sort -u)

    for path in "${!owned[@]}"; do
        if [[ -n ${wanted[$path]-} || $path == "$manifest" ]]; then continue; fi
        if [[ ! -e $prefix/$path && ! -L $prefix/$path ]]; then continue; fi
        if [[ $(checksum "$prefix/$path") == "${owned[$path]}" ]]; then
            rm "$prefix/$path"
        else
            printf '%s was changed since it was installed, and stays\n' "$prefix/$path" >&2
        fi
    done
    # The list comes before the files, so that another run can finish an interrupted installation. Each gets its name when it is
    # complete; until then, it has one that nothing else has.
    temporary=$(mktemp "$prefix/$manifest.XXXXXXXX")
    leftovers+=("$temporary")
    {
        if ((${#folders[@]})); then printf '# folder %s\n' "${folders[@]}"; fi
        cat "$scratch/files"
    } >"$temporary"
    chmod 644 "$temporary"
    mv "$temporary" "$prefix/$manifest"
    unset 'leftovers[-1]'
    for path in "${!wanted[@]}"; do
        # A running program keeps its old file.
        temporary=$(mktemp "$prefix/$path.XXXXXXXX")
        leftovers+=("$temporary")
        cp -Pp --remove-destination "$from/$path" "$temporary"
        mv "$temporary" "$prefix/$path"
        unset 'leftovers[-1]'
    done
}
