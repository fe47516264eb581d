#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# PaddleClas of today; the batch size is a device's, its lines count from 0, so that one iteration more
# is run than are measured.
set -euo pipefail
# shellcheck source=resources/recipes/shared/upstream.sh
. "$DLPERF_RECIPE_DIR/upstream.sh"

source=$DLPERF_OPT_SOURCE_DIR
settings=(Global.device=gpu Global.epochs=1 Global.iter_per_epoch="$((DLPERF_TRAIN + 1))" Global.print_batch_step=1
  Global.eval_during_train=False Global.save_interval=1000000 Global.output_dir="$DLPERF_RUN_DIR/output"
  Arch.pretrained=False DataLoader.Train.sampler.batch_size="$DLPERF_BATCH_SIZE"
  DataLoader.Train.loader.num_workers="$DLPERF_OPT_WORKERS" DataLoader.Train.dataset.image_root="$data"
  DataLoader.Train.dataset.cls_label_path="$data/train_list.txt")
if has dali; then settings+=(Global.use_dali=True); fi
case $DLPERF_PRECISION in
  amp) settings+=(AMP.use_amp=True AMP.level=O1 Optimizer.multi_precision=True) ;;
  fp16) settings+=(AMP.use_amp=True AMP.level=O2 Optimizer.multi_precision=True) ;;
esac
if [ "$DLPERF_PRECISION" = amp ] || [ "$DLPERF_PRECISION" = fp16 ]; then
  case $DLPERF_OPT_LOSS_SCALING in
    dynamic) settings+=(AMP.use_dynamic_loss_scaling=True) ;;
    static) settings+=(AMP.use_dynamic_loss_scaling=False) ;;
    *) unknown loss_scaling "$DLPERF_OPT_LOSS_SCALING" ;;
  esac
fi
overrides=()
for setting in "${settings[@]}"; do overrides+=(-o "$setting"); done

nodes=()
if [ "$DLPERF_NODES" -gt 1 ]; then
  nodes=(--nnodes "$DLPERF_NODES" --rank "$DLPERF_NODE_RANK" --master "$DLPERF_MASTER_ADDR:$DLPERF_MASTER_PORT")
fi
cd "$source"
exec "$DLPERF_PYTHON" -m paddle.distributed.launch ${nodes[@]+"${nodes[@]}"} --nproc_per_node "$DLPERF_DEVICES" \
  --log_dir "$DLPERF_RUN_DIR/ranks" tools/train.py -c ppcls/configs/ImageNet/ResNet/ResNet50.yaml "${overrides[@]}"
