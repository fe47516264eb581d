#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tries the worker of a run that was placed: see tryWorkerScript().
# shellcheck disable=SC2154  # what is set before
cd "$folder" || exit 1
if [ -n "$cuda" ] && [ -z "$must" ]; then
  timeout 10 nvidia-smi -L 2>/dev/null | grep -q '^GPU ' || cuda=
fi
# The worker's word on its CUDA backend; none where it is as it should be. One that was built without is no defect.
no_cuda() {
  [ -n "$cuda" ] || return 0
  [ -n "$must" ] && none='^$' || none='^CUDA backend: there is no CUDA backend here'
  printf '%s\n' "$said" | sed -n "/^CUDA backend: yes\$/d; /$none/d; s/^CUDA backend: /no-cuda /p"
}
missing() { sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/missing \1/p'; }
# attempt SETUP COMMAND...: in a shell of its own, as the wrapper starts the trainer.
attempt() {
  bash -c '. ./node.env; setup=$1; shift; [ -z "$setup" ] || . "$setup"; exec "$@" "$DLPERF_BIN_DIR/dlperf-worker" --version' \
    dlperf "$@" </dev/null 2>&1
}
for setup in '' ./setup.sh; do
  [ -z "$setup" ] || [ -f "$setup" ] || continue
  said=$(attempt "$setup" timeout 60)
  code=$?
  if [ "$code" = 0 ]; then
    [ -n "$(no_cuda)" ] || break
    # The worker's path comes as $0.
    missing=$(attempt "$setup" timeout 20 sh -c 'ldd "${DLPERF_WORKER_CUDA:-${0%/*}/libdlperf_worker_cuda.so}"' | missing)
  else
    missing=$(attempt "$setup" timeout 20 env LD_TRACE_LOADED_OBJECTS=1 | missing)
  fi
done
echo "exit $code"
if [ "$code" = 0 ]; then
  [ -z "$(no_cuda)" ] || printf '%s\n%s\n' "$missing" "$(no_cuda | cut -c 1-500)"
  exit 0
fi
echo "machine $(uname -m)"
printf '%s\n%s\n' "$missing" "$(printf '%s\n' "$said" | head -n 20 | cut -c 1-500 | sed 's/^/said /')"
