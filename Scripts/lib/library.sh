# SPDX-License-Identifier: Apache-2.0

# Sourced by Scripts/install: builds libSecurity.so for programs in C, and stages it.

# The number changes when programs that were linked before no longer run.
soname=libSecurity.so.0

# The symbols that the library offers: Apple's functions and constants. Swift's own names, and those of other packages inside,
# stay hidden, so that a program may have other versions of them.
write_symbols() { printf '{\n  global:\n    Sec*;\n    kSec*;\n  local: *;\n};\n' >"$1"; }

build_library() {
    local folder=${scratch_path:-$build} options
    if [[ $configuration == release ]]; then folder=${scratch_path:-$build/library}; fi
    mkdir -p "$folder"
    write_symbols "$scratch/symbols"
    # Written only if it differs: with a new date, SwiftPM would link the library again.
    cmp -s "$scratch/symbols" "$folder/library-symbols" || cp "$scratch/symbols" "$folder/library-symbols"
    options=(--package-path "$root" --scratch-path "$folder" -c "$configuration")
    if [[ $configuration == release ]]; then
        # The programs that use it find Swift's own libraries beside it.
        options+=(-Xlinker -soname -Xlinker "$soname" -Xlinker "--version-script=$folder/library-symbols"
            -Xlinker -rpath -Xlinker '$ORIGIN/secitem')
    fi
    if [[ -z $skip_build ]]; then
        run "$scratch/build.log" swift build "${options[@]}" --product SecItemC || fail 'the library could not be built'
    fi
    products=$(swift build "${options[@]}" --show-bin-path)
}

# The libraries of Swift that a library needs, and those that they need.
swift_libraries() {
    local runtime=$1
    ldd "$2" | sed -nE "s|.* => ($runtime/[^ ]+) .*|\1|p" | sort -u
}

stage_library() {
    local runtime header library
    runtime=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")/lib/swift
    put "$products/libSecItemC.so" "lib/$soname" 755
    if [[ $configuration == release ]]; then strip --strip-unneeded "$staged/lib/$soname"; fi
    ln -s "$soname" "$staged/lib/libSecurity.so"
    for library in $(swift_libraries "$runtime/linux" "$products/libSecItemC.so"); do
        put "$library" "lib/secitem/$(basename "$library")" 755
    done
    # Core Foundation is in Foundation here.
    ln -s libFoundation.so "$staged/lib/secitem/libCoreFoundation.so"
    for header in "$root"/include/Security/*.h; do put "$header" "include/Security/$(basename "$header")"; done
    # Core Foundation's headers are Swift's, too.
    for header in "$runtime"/CoreFoundation/*.h "$runtime"/Block/*.h "$runtime"/dispatch/*.h "$runtime"/os/*.h; do
        put "$header" "include/secitem/$(basename "$(dirname "$header")")/$(basename "$header")"
    done
    write lib/pkgconfig/security.pc package_description
    for document in README.md CHANGELOG.md LICENSE docs/c-abi.md; do put "$document" "share/doc/libsecitem/$document"; done
}

package_description() {
    local version
    version=$(sed -nE 's/^## \[([0-9][0-9A-Za-z.-]*)\].*$/\1/p' "$root/CHANGELOG.md" | head -n 1)
    cat <<T
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: Security
Description: Apple's keychain API for programs in C
Version: $version
Cflags: -I\${includedir} -isystem \${includedir}/secitem -D__LITTLE_ENDIAN__=1
Libs: -L\${libdir} -lSecurity -L\${libdir}/secitem -lFoundation -Wl,-rpath,\${libdir} -Wl,-rpath,\${libdir}/secitem
T
}
