#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a tar for distributions without a package: the programs with all libraries that they need but those of glibc,
# which must be of this system's version or newer. Unpacked anywhere it runs from its bin/.
# Usage: packaging/build-tar.sh [FOLDER]    (default: dist)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

out=${1:-dist}
packaging/install-build-deps.sh --package
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
folder=build-tar
# An RPATH and no RUNPATH: it holds for the libraries' libraries and for plugins, and, unlike LD_LIBRARY_PATH, not for
# the trainers that are started.
# shellcheck disable=SC2016  # the loader expands it
cmake --preset release -B "$folder" -DDLPERF_TESTS=OFF -DDLPERF_BENCH=OFF --log-level=WARNING \
  -DCMAKE_INSTALL_RPATH='$ORIGIN/../lib:$ORIGIN/../../lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
cmake --build "$folder" --target all
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$folder/CMakeCache.txt")
name=dlperf-dashboard-$version-$(uname -m)
stage=$folder/stage/$name
rm -rf "$folder/stage"
cmake --install "$folder" --prefix "$PWD/$stage" --strip >/dev/null

plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS)
mkdir -p "$stage/lib" "$stage/plugins" "$stage/translations"
for plugin in platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqminimal.so imageformats/libqsvg.so \
  iconengines/libqsvgicon.so; do
  install -Dm644 "$plugins/$plugin" "$stage/plugins/$plugin"
done
texts=$(qtpaths6 --query QT_INSTALL_TRANSLATIONS)/qtbase_zh_CN.qm
[[ ! -e $texts ]] || cp "$texts" "$stage/translations/"
printf '[Paths]\nPrefix = ..\nPlugins = plugins\nTranslations = translations\n' >"$stage/bin/qt.conf"

# What ldd finds for all of it; NVIDIA's own libraries come from NVIDIA, as with the packages.
glibc='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|mvec|nss_.*))\.so'
needed() { find "$stage" -type f \( -name '*.so*' -o -perm -u+x \) ! -name '*_cuda.so' -print0 | xargs -0 ldd 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u; }
while read -r library; do
  base=${library##*/}
  [[ $base =~ $glibc || -e $stage/lib/$base || $library = "$PWD/$stage"/* ]] || install -m644 "$(readlink -f "$library")" "$stage/lib/$base"
done < <(needed)
strip --strip-unneeded "$stage"/lib/*.so* "$stage"/plugins/*/*.so

mkdir -p "$out"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$folder/stage" -cf - "$name" |
  xz -T0 >"$out/$name.tar.xz"
ls "$out/$name.tar.xz"
