#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Removes what the program put into a run's folder and what it has copied from there; what the trainer wrote beside
# its log stays.
# shellcheck disable=SC2154  # what is set before
cd "$folder" 2>/dev/null || exit 0
rm -f launch.sh node.env facts.sh telemetry.sh versions.sh run.sh watch.sh lease ended secret.env setup.sh \
  log log_file tail.pid requirements.txt pip telemetry.csv facts versions exit exit.new oom_kills identity identity.new host
rmdir started
rmdir trainer 2>/dev/null
cd / || exit 1
rmdir "$folder" "${folder%/*}" "${folder%/*/*}" 2>/dev/null
exit 0
