# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # the variables are those of bench_gpu.sh, which sources this
# What is measured and checked, on a GPU and in the dry run on a CPU.

# What there is to do, most important first. Gradients: precision, statistics, images, pixels.
# Rows: precision, images of a batch. Every new precision, batch and size is a search for cuDNN's plans, which may take
# minutes: so the checks share theirs where they can. Of the checks the sanitizers come first, which see what no CPU shows.
set_plan() {
  modes=(eager compile reduce-overhead) slow_mode=max-autotune # which tries thousands of kernels first
  if [[ $backend == cuda ]]; then
    # Of 256 images, so that the plans are those whose speed is measured; in fp32 of few, as of 64 some rectifier flips, on
    # CPUs as well, which moves single tensors by 6e-4.
    gradients_first=("fp16 batch 256 224" "bf16 batch 256 224" "tf32 batch 256 224")
    gradients_next=("fp32 frozen 16 224" "fp16 frozen 256 224" "fp32 batch 16 224" "bf16 frozen 256 224"
      "tf32 frozen 256 224")
    rows_first=("fp16 256") rows_next=("bf16 256" "tf32 256")
    rows_last=("fp16 128" "fp16 512" "fp16 64" "bf16 128" "tf32 128" "fp32 128")
    checks=(memcheck racecheck curve-fp16 curve-fp32 backends ranks)
    classes=100 curve=(200 16 64) rank_steps=20 rank_comm=nccl
    pixels=224 warmup=20 iterations=100 torch_iterations=100
    eager_need=60 compile_need=100 slow_need=300 # seconds: each times all of cuDNN's plans first
    pytorch_need=$((eager_need + 2 * compile_need + 3 * 15)) # of a row, with the worker after each
  else
    gradients_first=("fp32 frozen 4 64" "fp32 batch 4 64") gradients_next=("bf16 frozen 4 64" "bf16 batch 4 64")
    rows_first=("fp32 4") rows_next=("bf16 4") rows_last=("fp32 2")
    checks=(curve-fp32 ranks) classes=10 curve=(10 4 64) rank_steps=5 rank_comm=gloo
    pixels=64 warmup=2 iterations=5 torch_iterations=5 eager_need=30 compile_need=45 slow_need=70
  fi
  gradients=("${gradients_first[@]}" "${gradients_next[@]}")
}
