#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Says how a run ended: see collectScript().
# shellcheck disable=SC2154  # what is set before
cd "$folder" || exit 1
[ -f ended ] && echo "ended $(head -n 1 ended)"
[ -f exit ] && echo "exit $(head -n 1 exit)"
if [ -f log ]; then
  echo "size $(wc -c <log)"
  echo "sha256 $(sha256sum <log)"
fi
echo "free_kib $(df -Pk . | sed -n '2s/[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p')"
gpus
exit 0
