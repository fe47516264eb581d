#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Packs what a build folder has and lets Debian's own tools judge it: none may have a word to say.
# Usage: packaging/check-packages.sh BUILD
set -uo pipefail
build=$(readlink -f "${1:?}")
cd "$(dirname "$(readlink -f "$0")")/.." || exit 1
for tool in lintian appstreamcli desktop-file-validate man; do
  command -v "$tool" >/dev/null || { echo "there is no $tool"; exit 77; }
done

said=$(mktemp)
scratch=$(mktemp -d)
trap 'rm -rf "$said" "$scratch"' EXIT
(cd "$build" && cpack -B "$scratch") >"$said" 2>&1 || { cat "$said"; exit 1; }
{
  lintian "$scratch"/*.deb 2>&1 | grep -v '^N:\|^running with root'
  appstreamcli validate --no-net packaging/desktop/*.metainfo.xml | grep -v '^✔\|^$'
  desktop-file-validate packaging/desktop/*.desktop
  for page in "$build"/packaging/man/*.1.gz; do man --warnings -E UTF-8 -l "$page" >/dev/null; done
  bash -n packaging/completions/dlperf.bash
} >"$said" 2>&1
cat "$said"
[[ ! -s $said ]] && ls "$scratch"/*.deb
