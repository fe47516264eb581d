# SPDX-License-Identifier: Apache-2.0
"""A folder of images, one sub-folder a class, as numpy batches: for frameworks that bring no such reader."""
import collections
import math
import os
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from PIL import Image

ENDINGS = (".bmp", ".jpeg", ".jpg", ".png", ".webp")
AHEAD = 2  # batches in work while the one before is trained


def crop(width, height, chance):
    """A box of 8 to 100 % of the area and of a ratio between 3:4 and 4:3; the middle square if none was found."""
    for _ in range(10):
        area = width * height * chance.uniform(0.08, 1)
        ratio = math.exp(chance.uniform(math.log(3 / 4), math.log(4 / 3)))
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            left, top = chance.randint(0, width - w), chance.randint(0, height - h)
            return left, top, left + w, top + h
    side = min(width, height)
    left, top = (width - side) // 2, (height - side) // 2
    return left, top, left + side, top + side


def decode(path, size, chance):
    """One image, cropped, mirrored and normalized as ResNet50 is usually trained."""
    with Image.open(path) as file:
        image = file.convert("RGB")
    image = image.resize((size, size), Image.BILINEAR, box=crop(*image.size, chance))
    if chance.random() < 0.5:
        image = image.transpose(Image.FLIP_LEFT_RIGHT)
    return (np.asarray(image, np.float32) / 255 - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)


class Folder:
    """Each rank's share of the images, in another order each epoch, decoded by threads; whole batches only."""

    def __init__(self, opts, rank, world_size):
        self.opts, self.rank, self.world_size, self.epoch = opts, rank, world_size, 0
        names = sorted(entry.name for entry in os.scandir(opts.data) if entry.is_dir())
        self.files = [(os.path.join(opts.data, name, file), label) for label, name in enumerate(names)
                      for file in sorted(os.listdir(os.path.join(opts.data, name))) if file.lower().endswith(ENDINGS)]
        self.pool = ThreadPoolExecutor(max(1, opts.workers))

    def __len__(self):
        return len(self.files)

    def start_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        """Batches (images as float32 [batch, height, width, channel], labels as int32 [batch])."""
        order = np.random.default_rng(self.opts.seed + self.epoch).permutation(len(self.files))
        share = order[self.rank::self.world_size][:len(order) // self.world_size]
        size, work = self.opts.batch_size, collections.deque()
        for start in range(0, len(share) - size + 1, size):
            work.append([self._submit(number) for number in share[start:start + size]])
            if len(work) > AHEAD:
                yield self._batch(work.popleft())
        while work:
            yield self._batch(work.popleft())

    def _submit(self, number):
        path, label = self.files[number]
        chance = random.Random(f"{self.opts.seed} {self.epoch} {number}")
        return self.pool.submit(decode, path, self.opts.image_size, chance), label

    @staticmethod
    def _batch(work):
        images = np.stack([future.result() for future, _ in work]).astype(np.float32)
        return images, np.array([label for _, label in work], np.int32)
