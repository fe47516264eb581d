#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the partitions of a Slurm, a line for each kind of node that it has:
# "partition NAME|default or nothing|NODES|CPUS|GRES|TIME LIMIT|up or not".
sinfo -h -o '%R|%P|%D|%c|%G|%l|%a' | awk -F'|' -v OFS='|' '{ $2 = $2 ~ /\*$/ ? "default" : ""; print "partition " $0 }'
