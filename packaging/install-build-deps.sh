#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what building needs on Debian 12 or Ubuntu 24.04; "--package" adds what packing needs, "--test" what testing
# needs too, "--lint" all that and the tools of the style checks and of fuzzing. Does nothing when all of it is there, so
# a user without administrator rights can build on a prepared machine. What the worker's CUDA backend is built with comes
# from NVIDIA, not from the distribution: it is not installed here.
set -euo pipefail

packages=(
  build-essential cmake ninja-build ccache pkg-config git ca-certificates
  qt6-base-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev libgl1-mesa-dev  # the window and the charts
  qt6-l10n-tools                                                             # the window in Chinese
  qtkeychain-qt6-dev libsecret-1-0                                           # passphrases in the desktop's keychain
  nlohmann-json3-dev libfmt-dev libcli11-dev libexpected-dev libre2-dev      # core
  libsqlitecpp-dev libsqlite3-dev                                            # the index
  libarchive-dev                                                             # archives of logs
  libssh2-1-dev libssl-dev openssh-client                                    # nodes that are reached over SSH
  libxlsxwriter-dev                                                          # spreadsheets
  libdnnl-dev libgloo-dev libjpeg-dev                                        # dlperf-worker on a CPU
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-noto-cjk          # what the window and the reports are set in
)
package_packages=(
  file                                                                       # by which CPack knows programs
)
test_packages=(
  libgtest-dev libgmock-dev libbenchmark-dev                                 # test programs and benchmarks
  gnome-keyring                                                              # a keychain to test with
  xvfb xdotool dbus-daemon at-spi2-core python3-gi gir1.2-atspi-2.0          # the robot that uses the window
  openssh-server zsh fish tcsh                                               # a real server, and its users' shells
  iproute2 util-linux libfaketime                                            # machines in namespaces, and a wrong clock
  slurmctld slurmd slurm-client munge                                        # a scheduler that lends nodes
  podman runc                                                                # containers
  openmpi-bin mpich                                                          # launchers that start all nodes' processes
  lintian appstream desktop-file-utils man-db                                # what judges our packages
  python3-jsonschema                                                         # what the manual says of files
  poppler-utils                                                              # what a reader copies from a PDF
  procps unzip python3 python3-venv
)
lint_packages=(
  clang-format clang-tidy shellcheck clang libclang-rt-dev
  python3-torch python3-torchvision libopenblas0-pthread                      # a framework to train with
)
case "${1:-}" in
  "") ;;
  --package) packages+=("${package_packages[@]}") ;;
  --test) packages+=("${package_packages[@]}" "${test_packages[@]}") ;;
  --lint) packages+=("${package_packages[@]}" "${test_packages[@]}" "${lint_packages[@]}") ;;
  *) echo "Usage: packaging/install-build-deps.sh [--package|--test|--lint]" >&2; exit 2 ;;
esac

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "install-build-deps: this is no Debian or Ubuntu system; install by hand: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install-build-deps: needs root or sudo to install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing ${#missing[@]} packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update &&
       "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
         apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
  tail -n 25 "$log" >&2
  echo "install-build-deps: the packages could not be installed; the end of apt's output stands above" >&2
  exit 1
fi
