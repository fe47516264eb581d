# SPDX-License-Identifier: Apache-2.0
"""Runs a trainer that knows DALI's operators by the names that they had before 0.12:

    python dali_names.py PATH/train.py OPTIONS…

Between the container that NVIDIA's trainer was written for (19.07) and the one that DLPerf used (20.03) they were
renamed; DLPerf changed the trainer's file instead.
"""
import os
import runpy
import sys

RENAMED = {
    "nvJPEGDecoder": "ImageDecoder", "HostDecoder": "ImageDecoder",
    "nvJPEGDecoderRandomCrop": "ImageDecoderRandomCrop", "HostDecoderRandomCrop": "ImageDecoderRandomCrop",
}


def keep_old_names():
    try:
        from nvidia.dali import ops
    except ImportError:  # the trainer can also do without
        return
    for old, new in RENAMED.items():
        if not hasattr(ops, old):
            setattr(ops, old, getattr(ops, new))


if __name__ == "__main__":
    del sys.argv[0]
    sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
    keep_old_names()
    runpy.run_path(sys.argv[0], run_name="__main__")
