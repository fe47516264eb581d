#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Of a node that names an image: its runtime and the name of its container. Set before: image, runtime (empty: the first
# that is there), work, data (folders), image_options (words for a shell).
# shellcheck disable=SC2034,SC2154  # what is set before, and used behind this
if [ -z "$runtime" ]; then
  for runtime in podman docker apptainer singularity none; do command -v "$runtime" >/dev/null 2>&1 && break; done
fi
# The work folder may be shared by machines, each of which has images and containers of its own.
key=$(printf '%s\n' "$(uname -n)" "$image" "$runtime" "$work" "$data" "$image_options" | cksum | cut -d' ' -f1)
name=dlperf-$(id -u)-$key
