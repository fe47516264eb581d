# SPDX-License-Identifier: Apache-2.0
"""The table of formats that give speeds: who writes a log, who reads it, which rounding, which windows."""
from dataclasses import dataclass
from typing import Callable

import rounding
import where
import windows
from extract import epochs, iterations, speeds, stamps, tables, today
from write import mindspore, mxnet, oneflow, paddle, pytorch, tensorflow, worker
from write import today as trainers

TOPOLOGIES = ("1n2g", "1n4g", "1n8g", "2n8g", "4n8g", "1n16g", "10n8g", "3n2g")


@dataclass(frozen=True)
class Format:
    write: Callable  # (rng, where, warmup, train, base seconds, odd) -> lines
    extract: Callable  # (lines, where, warmup, train) -> the run's figure
    rounding: rounding.Rounding
    window: Callable = windows.near
    defaults: tuple = (20, 120)
    where: Callable = where.by_path  # (path, lines) -> Where
    rank_prefix: bool = True  # its extractor finds its words behind a launcher's prefix
    widest: str = ""  # every device prints: topologies stay small but for one set


FORMATS = {
    "pytorch-examples": Format(pytorch.examples, iterations.pytorch_examples, rounding.PYTHON),
    "ngc-pytorch-resnet50": Format(pytorch.ngc_resnet50, stamps.ngc_pytorch_resnet50, rounding.STAMPS),
    "paddle-resnet50": Format(paddle.resnet50, speeds.paddle_resnet50, rounding.SPEEDS),
    "paddle-resnet50-time": Format(paddle.resnet50, stamps.paddle_resnet50, rounding.STAMPS),
    "tensorflow2-resnet50": Format(tensorflow.official_resnet50, speeds.tensorflow2_resnet50, rounding.SPEEDS,
                                   windows.hundreds, (100, 600)),
    "tensorflow2-resnet50-time": Format(tensorflow.official_resnet50, stamps.tensorflow2_resnet50, rounding.STAMPS,
                                        windows.hundreds, (100, 600)),
    "ngc-tensorflow1-resnet50": Format(tensorflow.ngc_resnet50, speeds.ngc_tensorflow1_resnet50, rounding.SPEEDS,
                                       windows.behind_twenty),
    "ngc-tensorflow1-resnet50-time": Format(tensorflow.ngc_resnet50, stamps.ngc_tensorflow1_resnet50, rounding.STAMPS,
                                            windows.behind_twenty),
    "mxnet-resnet50": Format(mxnet.gluon_cv, speeds.mxnet_resnet50, rounding.SPEEDS, windows.twenty_less),
    "ngc-mxnet-resnet50": Format(mxnet.ngc_resnet50, speeds.ngc_mxnet_resnet50, rounding.SPEEDS, windows.twenty_less,
                                 rank_prefix=False, widest="4n8g"),
    "ngc-mxnet-resnet50-time": Format(mxnet.ngc_resnet50_more, stamps.ngc_mxnet_resnet50, rounding.STAMPS,
                                      windows.from_twenty, rank_prefix=False, widest="4n8g"),
    "oneflow-resnet50": Format(oneflow.resnet50, tables.oneflow_resnet50, rounding.TABLES,
                               where=tables.by_header("r50"), rank_prefix=False),
    "mindspore-resnet50": Format(mindspore.resnet50, epochs.mindspore_resnet50, rounding.STAMPS, windows.sinks,
                                 rank_prefix=False, widest="4n8g"),
    "ngc-pytorch-bert": Format(pytorch.ngc_bert, stamps.ngc_pytorch_bert, rounding.STAMPS, defaults=(20, 110)),
    "ngc-tensorflow1-bert": Format(tensorflow.ngc_bert, speeds.ngc_tensorflow1_bert, rounding.SPEEDS_4, windows.tens),
    "ngc-tensorflow1-bert-time": Format(tensorflow.ngc_bert, stamps.ngc_tensorflow1_bert, rounding.STAMPS_4,
                                        windows.tens_without_longer),
    "tensorflow2-bert": Format(tensorflow.official_bert, stamps.tensorflow2_bert, rounding.STAMPS, windows.from_twenty),
    "mxnet-bert": Format(mxnet.gluon_nlp, speeds.mxnet_bert, rounding.SPEEDS, windows.hundred_less, (100, 200),
                         rank_prefix=False, widest="2n4g"),
    "paddle-bert": Format(paddle.bert, speeds.paddle_bert, rounding.SPEEDS),
    "oneflow-bert": Format(oneflow.bert, tables.oneflow_bert, rounding.TABLES, defaults=(19, 119),
                           where=tables.by_header("bert"), rank_prefix=False),
    "mindspore-bert": Format(mindspore.bert, epochs.mindspore_bert, rounding.STAMPS, windows.sinks, rank_prefix=False,
                             widest="4n8g"),
    "mxnet-arcface": Format(mxnet.arcface, speeds.mxnet_arcface, rounding.SPEEDS, windows.twenties),
    "mxnet-partial-fc": Format(mxnet.partial_fc, speeds.mxnet_partial_fc, rounding.SPEEDS, windows.twenties_each),
    "oneflow-face": Format(oneflow.face, speeds.oneflow_face, rounding.SPEEDS),
    "dlperf-worker": Format(worker.dlperf_worker, iterations.dlperf_worker, rounding.STAMPS, rank_prefix=False),
    "paddleclas": Format(trainers.paddleclas, today.paddleclas, rounding.SPEEDS),
    "paddleclas-steps": Format(trainers.paddleclas_steps, today.paddleclas_steps, rounding.SPEEDS),
    "paddleclas-steps-from-zero": Format(trainers.paddleclas_steps_from_zero, today.paddleclas_steps_from_zero,
                                         rounding.SPEEDS),
    "timm": Format(trainers.timm, speeds.timm, rounding.SPEEDS),
    "tf-models-steps": Format(trainers.tf_models_steps, today.tf_models_steps, rounding.SPEEDS),
    "tf-cnn-benchmarks": Format(trainers.tf_cnn_benchmarks, today.tf_cnn_benchmarks, rounding.SPEEDS),
    "mxnet-module": Format(trainers.mxnet_module, today.mxnet_module, rounding.SPEEDS),
    "mindcv": Format(trainers.mindcv, today.mindcv, rounding.SPEEDS),
    "oneflow-models-resnet50": Format(trainers.oneflow_models, stamps.oneflow_models, rounding.STAMPS),
}
