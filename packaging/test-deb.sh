#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the packages of a folder as a user would, in a system that has nothing else: installs them by apt, runs the
# bundled plan, opens the window without a screen, completes in three shells, reads the manual pages, removes all.
# As root, in a system that can be thrown away: packaging/in-bare-system.sh noble dist /src/packaging/test-deb.sh /out
set -euo pipefail
packages=$(readlink -f "${1:?}")
# shellcheck source=/dev/null
. /etc/os-release
system=$ID$VERSION_ID
fail() { echo "test-deb: $*" >&2; exit 1; }
has() { grep -q -- "$2" <<<"$1" || fail "no \"$2\" in: $1"; }

apt-get update -qq
before=$(dpkg-query -f '${Package}\n' -W | sort)
apt-get install -qq -y --no-install-recommends "$packages"/dlperf-dashboard_*"$system"_*.deb >/dev/null
has "$(dlperf --version)" "dlperf [0-9]"
has "$(dlperf-dashboard --version)" "dlperf-dashboard [0-9]"
has "$(dlperf run /usr/share/dlperf-dashboard/plans/resnet50-this-machine.json --workspace /tmp/none 2>&1)" "apt install ./dlperf-worker_"
apt-get install -qq -y --no-install-recommends "$packages"/dlperf-worker_*"$system"_*.deb >/dev/null
echo "installed by apt alone: $(dlperf --version), $(dlperf-worker --version | head -n 1)"

dlperf run /usr/share/dlperf-dashboard/plans/resnet50-this-machine.json --workspace /tmp/workspace
dlperf report --workspace /tmp/workspace -o /tmp/report.html
dlperf report --workspace /tmp/workspace -o /tmp/report.pdf
[[ $(head -c 4 /tmp/report.pdf) = %PDF ]] || fail "no PDF"
echo "the bundled plan ran, and was reported"

apt-get install -qq -y --no-install-recommends man-db groff bash-completion zsh fish xvfb xauth xdotool desktop-file-utils >/dev/null
dlperf-dashboard --workspace /tmp/workspace --screenshots /tmp/pictures
[[ $(find /tmp/pictures -name '*.png' | wc -l) -ge 5 ]] || fail "no pictures"
# shellcheck disable=SC2016  # the inner shell expands it
xvfb-run -a bash -c '
  dlperf-dashboard --workspace /tmp/workspace & window=$!
  for ((look = 0; look < 100; look++)); do
    if xdotool search --onlyvisible --pid "$window" >/dev/null 2>&1; then kill "$window"; exit 0; fi
    sleep 0.2
  done
  kill "$window"; exit 1' || fail "no window"
echo "the window opened"

has "$(bash -ic '. /usr/share/bash-completion/bash_completion; _comp_load dlperf 2>/dev/null || _completion_loader dlperf
  COMP_WORDS=(dlperf rep) COMP_CWORD=1; _dlperf; echo "${COMPREPLY[@]}"' 2>/dev/null)" report
has "$(fish -c 'complete -C "dlperf rep"')" report
has "$(zsh -fc 'fpath+=(/usr/share/zsh/vendor-completions); autoload -Uz compinit; compinit -u; echo $_comps[dlperf]')" _dlperf
for page in dlperf dlperf-dashboard dlperf-worker; do
  said=$(MANROFFSEQ='' man --warnings -E UTF-8 -l "/usr/share/man/man1/$page.1.gz" 2>&1 >/tmp/page)
  [[ -z $said ]] || fail "$page.1: $said"
  has "$(cat /tmp/page)" NAME
done
desktop-file-validate /usr/share/applications/org.dlperf.Dashboard.desktop
echo "shells complete, the manual pages are fine"

apt-get purge -qq -y dlperf-dashboard dlperf-worker >/dev/null
left=$(find / -xdev \( -path /proc -o -path /tmp -o -path /src -o -path /out -o -path /root -o -path /dev -o -path /sys \) -prune \
  -o -iname '*dlperf*' -print)
[[ -z $left ]] || fail "left behind: $left"
[[ -d /tmp/workspace/logs ]] || fail "the user's data is gone"
echo "removed: nothing is left but the user's data ($(comm -13 <(echo "$before") <(dpkg-query -f '${Package}\n' -W | sort) | wc -l) packages of others came with it and the test)"
