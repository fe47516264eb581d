#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Says how a run ended: see collectScript().
# shellcheck disable=SC2154  # what is set before
cd "$folder" || exit 1
ls "$folder" >/dev/null  # see exit_code.sh
# A machine that was started anew took the trainer with it: told only by the machine itself, for after a job of Slurm
# the login node reads here.
restarted() {
  [ ! -f exit ] && [ "$(cat host)" = "$(uname -n)" ] && read -r _ _ boot <identity &&
    [ "$boot" != "$(cat /proc/sys/kernel/random/boot_id)" ]
}
if [ -f ended ]; then echo "ended $(head -n 1 ended)"; elif restarted 2>/dev/null; then echo "ended restart"; fi
[ -f exit ] && echo "exit $(head -n 1 exit)"
[ -f oom_kills ] && echo "oom_kills $(head -n 1 oom_kills)"
if [ -f log ]; then
  echo "size $(wc -c <log)"
  echo "sha256 $(sha256sum <log)"
fi
echo "free_kib $(df -Pk . | sed -n '2s/[^ ]* *[0-9]* *[0-9]* *\([0-9]*\).*/\1/p')"
echo "clock $(date +%s)"
gpus
exit 0
