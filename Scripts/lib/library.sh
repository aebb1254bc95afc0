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
        # As for debug builds in common.sh.
        options+=(--disable-build-manifest-caching)
        options+=(-Xlinker -soname -Xlinker "$soname" -Xlinker "--version-script=$folder/library-symbols")
        # Swift's run time keeps pointers to the types of a library, which a program may load and close again.
        options+=(-Xlinker -z -Xlinker nodelete)
    else
        options+=("${debug_build_options[@]}")
    fi
    if [[ -z $skip_build ]]; then
        run "$scratch/build.log" swift build "${options[@]}" --product SecItemC || fail 'the library could not be built'
    fi
    products=$(swift build "${options[@]}" --show-bin-path)
}

# The libraries of Swift that a library needs, and those that they need.
swift_libraries() {
    env -u LD_LIBRARY_PATH ldd "$2" | awk -v "folder=$1/" 'index($3, folder) == 1 { print $3 }' | sort -u
}

stage_library() {
    local runtime header library libraries=lib headers=include
    # A header <Security/Security.h> that every compiler finds would tell the configure scripts of other programs that this is a
    # Mac.
    if [[ -n $debian ]]; then libraries=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH) headers=include/secitem; fi
    runtime=$(swift_target_info runtimeResourcePath)
    put "$products/libSecItemC.so" "$libraries/$soname"
    for library in $(swift_libraries "$runtime/linux" "$products/libSecItemC.so"); do
        put "$library" "$libraries/secitem/$(basename "$library")"
    done
    if [[ $configuration == release ]]; then
        strip --strip-unneeded "$staged/$libraries/$soname" "$staged/$libraries"/secitem/*.so
    fi
    # SwiftPM names the tool chain's folder first, which may hold other versions of these libraries.
    chrpath -r '$ORIGIN/secitem' "$staged/$libraries/$soname" >/dev/null
    ln -s "$soname" "$staged/$libraries/libSecurity.so"
    # Core Foundation is in Foundation here.
    ln -s libFoundation.so "$staged/$libraries/secitem/libCoreFoundation.so"
    for header in "$root"/include/Security/*.h; do put "$header" "$headers/Security/$(basename "$header")"; done
    # Core Foundation's headers are Swift's, too.
    for header in "$runtime"/CoreFoundation/*.h "$runtime"/Block/*.h "$runtime"/dispatch/*.h "$runtime"/os/*.h; do
        put "$header" "include/secitem/$(basename "$(dirname "$header")")/$(basename "$header")"
    done
    write "$libraries/pkgconfig/security.pc" package_description "$libraries"
    for document in README.md CHANGELOG.md LICENSE docs/*.md docs/*.svg Examples/C/* Tests/C/valgrind.supp; do
        put "$document" "share/doc/libsecitem/$document"
    done
}

# package_description LIBRARIES: what pkg-config reads. LIBRARIES is the folder of the libraries below the prefix.
package_description() {
    local version place='${pcfiledir}/../..' paths='-Wl,-rpath,${libdir} '
    # There, programs find the library without a run path.
    if [[ -n $debian ]]; then place=$prefix paths=; fi
    version=$(sed -nE 's/^## \[([0-9][0-9A-Za-z.-]*)\].*$/\1/p' "$root/CHANGELOG.md" | head -n 1)
    cat <<T
prefix=$place
libdir=\${prefix}/$1
includedir=\${prefix}/include

Name: Security
Description: Apple's keychain API for programs in C
Version: $version
Cflags: -I\${includedir} -isystem \${includedir}/secitem -D__LITTLE_ENDIAN__=1
Libs: -L\${libdir} -lSecurity -L\${libdir}/secitem -lFoundation -ldispatch -lBlocksRuntime $paths-Wl,-rpath,\${libdir}/secitem
T
}
