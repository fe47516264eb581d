#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Brings new and changed texts of the window into the translations, where they stand as unfinished until somebody
# translates them. --check: writes nothing, and fails where a text is new, changed or unfinished.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

texts=translations/dlperf_zh_CN.ts
lupdate=$(PATH=/usr/lib/qt6/bin:$PATH command -v lupdate)
written=$texts
if [[ ${1-} == --check ]]; then
  written=$(mktemp --suffix=.ts)
  trap 'rm -f "$written"' EXIT
  cp "$texts" "$written"
fi
"$lupdate" -silent -I . -no-obsolete -locations none ui app -ts "$written" 2>/dev/null # it says much of core's headers
unfinished=$(grep -c 'type="unfinished"' "$written" || true)
if [[ $unfinished -gt 0 ]]; then
  grep -B1 'type="unfinished"' "$written" | sed -n 's/ *<source>\(.*\)<\/source>/  \1/p'
  echo "$unfinished texts are not translated: translations/update.sh, then write them into $texts" >&2
fi
[[ $unfinished -eq 0 ]]
