# SPDX-License-Identifier: Apache-2.0
"""Runs pytorch/examples' imagenet/main.py with its training images from NVIDIA DALI, without a change of its file.

    python dali.py cpu|gpu PATH/main.py OPTIONS…

DLPerf changed main.py for that; here the DataLoader that main.py asks for is another one. Images are decoded and
cropped on the CPU or the GPU, always normalised on the GPU. Validation keeps main.py's own loader.
"""
import os
import sys

import nvidia.dali
import torch
from nvidia.dali import ops, types
from nvidia.dali.pipeline import Pipeline
from nvidia.dali.plugin.pytorch import DALIClassificationIterator

CROP = 224
MEAN = [0.485 * 255, 0.456 * 255, 0.406 * 255]
DEVIATION = [0.229 * 255, 0.224 * 255, 0.225 * 255]
# Room that the largest of ImageNet's images need to be decoded on a GPU, so that nothing is allocated while measuring.
DEVICE_BYTES, HOST_BYTES = 211025920, 140544512


def rank_and_world():
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    return 0, 1


def names():
    """Operators and an argument were renamed; DLPerf's DALI was 0.19."""
    version = tuple(int(part) for part in nvidia.dali.__version__.split(".")[:2])
    if version < (1, 0):
        return ops.FileReader, ops.ImageDecoder, ops.CoinFlip, "dtype" if version >= (0, 24) else "output_dtype"
    return ops.readers.File, ops.decoders.Image, ops.random.CoinFlip, "dtype"


class Training(Pipeline):
    def __init__(self, folder, batch_size, threads, on_cpu):
        rank, world = rank_and_world()
        device = torch.cuda.current_device()
        super().__init__(batch_size, max(threads, 1), device, seed=12 + device)
        reader, decoder, flip, dtype = names()
        room = {} if on_cpu else {"device_memory_padding": DEVICE_BYTES, "host_memory_padding": HOST_BYTES}
        self.read = reader(file_root=folder, shard_id=rank, num_shards=world, random_shuffle=True)
        self.decode = decoder(device="cpu" if on_cpu else "mixed", output_type=types.RGB, **room)
        self.crop = ops.RandomResizedCrop(
            device="cpu" if on_cpu else "gpu", size=[CROP, CROP], interp_type=types.INTERP_LINEAR,
            random_aspect_ratio=[3 / 4, 4 / 3], random_area=[0.08, 1.0], num_attempts=100)
        self.normalise = ops.CropMirrorNormalize(
            device="gpu", crop=(CROP, CROP), mean=MEAN, std=DEVIATION, output_layout=types.NCHW, **{dtype: types.FLOAT})
        self.flip = flip(probability=0.5)

    def define_graph(self):
        files, labels = self.read(name="Reader")
        images = self.crop(self.decode(files))
        return self.normalise(images.gpu(), mirror=self.flip()), labels


class Loader:
    """Stands in for main.py's training DataLoader: pairs of images and labels, and their number."""

    def __init__(self, folder, batch_size, threads, on_cpu):
        pipeline = Training(folder, batch_size, threads, on_cpu)
        pipeline.build()
        share = pipeline.epoch_size("Reader") // rank_and_world()[1]
        self.batches = DALIClassificationIterator(pipeline, size=share)
        self.length = share // batch_size

    def __len__(self):
        return self.length

    def __iter__(self):
        for batch in self.batches:
            yield batch[0]["data"], batch[0]["label"].reshape(-1).cuda().long()
        self.batches.reset()


def replace_loader(on_cpu):
    usual = torch.utils.data.DataLoader

    def loader(dataset, *arguments, batch_size=1, num_workers=0, **others):
        folder = getattr(dataset, "root", "")
        if os.path.basename(os.path.normpath(str(folder))) != "train":
            return usual(dataset, *arguments, batch_size=batch_size, num_workers=num_workers, **others)
        return Loader(folder, batch_size, num_workers, on_cpu)

    torch.utils.data.DataLoader = loader


# Each of main.py's processes imports this file anew, with the options of the first but not its two words.
if __name__ == "__main__":
    os.environ["DALI_DECODES_ON"], os.environ["DALI_PROGRAM"] = sys.argv[1:3]
    sys.argv[1:3] = []
sys.path.insert(0, os.path.dirname(os.path.abspath(os.environ["DALI_PROGRAM"])))
replace_loader(os.environ["DALI_DECODES_ON"] == "cpu")
import main  # noqa: E402  pylint: disable=wrong-import-position

if __name__ == "__main__":
    main.main()
