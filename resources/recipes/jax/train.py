# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 in Flax, data parallel by jax.shard_map over the processes, each of which has one device."""
import ctypes
import functools
import os
import signal

import flax
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from jax.sharding import NamedSharding, PartitionSpec

import images
import training


class Block(nn.Module):
    """The stride is that of the 3x3 convolution: this makes it v1.5."""
    width: int
    stride: int
    convolution: functools.partial
    norm: functools.partial

    @nn.compact
    def __call__(self, x):
        y = nn.relu(self.norm()(self.convolution(self.width, (1, 1))(x)))
        y = nn.relu(self.norm()(self.convolution(self.width, (3, 3), self.stride, padding=1)(y)))
        y = self.norm()(self.convolution(4 * self.width, (1, 1))(y))
        if x.shape != y.shape:
            x = self.norm()(self.convolution(4 * self.width, (1, 1), self.stride)(x))
        return nn.relu(x + y)


class ResNet50(nn.Module):
    classes: int
    dtype: type  # of what is computed; weights are float32

    @nn.compact
    def __call__(self, x):
        convolution = functools.partial(nn.Conv, use_bias=False, dtype=self.dtype,
                                        kernel_init=nn.initializers.variance_scaling(2, "fan_out", "normal"))
        norm = functools.partial(nn.BatchNorm, use_running_average=False, momentum=0.9, dtype=self.dtype)
        x = nn.relu(norm()(convolution(64, (7, 7), 2, padding=3)(x.astype(self.dtype))))
        x = nn.max_pool(x, (3, 3), (2, 2), ((1, 1), (1, 1)))
        for blocks, width in ((3, 64), (4, 128), (6, 256), (3, 512)):
            for block in range(blocks):
                x = Block(width, 2 if block == 0 and width > 64 else 1, convolution, norm)(x)
        return nn.Dense(self.classes, dtype=self.dtype)(x.mean((1, 2))).astype(jnp.float32)


def connect(opts):
    """Makes this process one of all; returns its rank and the number of processes."""
    nodes, node = int(os.environ["DLPERF_NODES"]), int(os.environ["DLPERF_NODE_RANK"])
    devices = int(os.environ["DLPERF_DEVICES"])
    if opts.backend != "auto":
        jax.config.update("jax_platforms", opts.backend)
    if nodes > 1:
        # Else Gloo takes the address of the host's name, which on Debian and Ubuntu is 127.0.1.1.
        from jax._src.lib import _jax
        address = os.environ["DLPERF_NODE_ADDRESSES"].split(",")[node]
        _jax.make_gloo_tcp_collectives = functools.partial(_jax.make_gloo_tcp_collectives, hostname=address)
    rank = node * devices + opts.device
    jax.config.update("jax_enable_preemption_service", False)  # it would take SIGTERM as a warning
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(os.environ["DLPERF_MASTER_ADDR"] + ":" + os.environ["DLPERF_MASTER_PORT"],
                               nodes * devices, rank, local_device_ids=[opts.device])
    return rank, nodes * devices


def synthetic(opts, rank):
    """One batch, as images.Folder has them."""
    generator = np.random.default_rng(opts.seed + rank)
    pixels = generator.standard_normal((opts.batch_size, opts.image_size, opts.image_size, 3), dtype=np.float32)
    return pixels, generator.integers(opts.classes, size=opts.batch_size, dtype=np.int32)


def main():
    opts = training.options("JAX", extra=[("--device", 0, "which one of this node")])
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: ends with launch.sh
    rank, world_size = connect(opts)

    model = ResNet50(opts.classes, jnp.bfloat16 if opts.precision == "amp" else jnp.float32)
    rate = training.learning_rate(opts, world_size)
    optimizer = optax.chain(optax.add_decayed_weights(opts.weight_decay), optax.sgd(rate, opts.momentum))
    variables = jax.jit(model.init)(jax.random.key(opts.seed), jnp.zeros((1, opts.image_size, opts.image_size, 3)))

    mesh = jax.make_mesh((world_size,), ("rank",))
    everywhere, apart = PartitionSpec(), PartitionSpec("rank")

    def share(tree, spec):
        """What each process has becomes a copy (everywhere) or its part (apart) of arrays over all devices."""
        return jax.tree.map(lambda array: jax.make_array_from_process_local_data(NamedSharding(mesh, spec),
                                                                                 np.asarray(array)), tree)

    @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
    @functools.partial(jax.shard_map, mesh=mesh, in_specs=(everywhere, everywhere, apart, apart, apart),
                       out_specs=(everywhere, everywhere, apart, apart), check_vma=False)
    def train(weights, momenta, statistics, pixels, labels):
        """One iteration as each device sees it. Statistics of batch normalizations stay apart, as elsewhere."""
        def loss_of(weights):
            own = jax.tree.map(lambda array: array[0], statistics)
            outputs, changed = model.apply({"params": weights, "batch_stats": own}, pixels, mutable=["batch_stats"])
            targets = optax.smooth_labels(jax.nn.one_hot(labels, opts.classes), opts.label_smoothing)
            return optax.softmax_cross_entropy(outputs, targets).mean(), changed["batch_stats"]

        (loss, changed), gradients = jax.value_and_grad(loss_of, has_aux=True)(weights)
        updates, momenta = optimizer.update(jax.lax.pmean(gradients, "rank"), momenta, weights)
        changed = jax.tree.map(lambda array: array[None], changed)
        return optax.apply_updates(weights, updates), momenta, changed, loss[None]

    weights = share(variables["params"], everywhere)
    momenta = share(optimizer.init(variables["params"]), everywhere)
    statistics = share(jax.tree.map(lambda array: array[None], variables["batch_stats"]), apart)

    batch = share(synthetic(opts, rank), apart)
    if opts.data:
        folder = images.Folder(opts, rank, world_size)
        batches, epoch_size = training.endless(folder, folder.start_epoch), len(folder)
    else:
        batches, epoch_size = training.endless([batch]), 0

    log = training.Log(opts, rank, world_size, epoch_size, framework="JAX", version=jax.__version__,
                       flax=flax.__version__, backend=jax.default_backend().replace("gpu", "cuda"))

    # Processes that have compiled wait for each other here as long as it takes: Gloo gives up after 30 seconds.
    train = train.lower(weights, momenta, statistics, *batch).compile()
    jax._src.distributed.global_state.client.wait_at_barrier("compiled", timeout_in_ms=24 * 3600 * 1000)
    for _ in range(opts.iterations):
        batch = log.batch(batches)
        weights, momenta, statistics, loss = train(weights, momenta, statistics,
                                                   *(share(batch, apart) if opts.data else batch))
        log.iteration(loss.addressable_data(0)[0])

    training.print_checksum(rank, (np.asarray(weight.addressable_data(0)) for weight in jax.tree.leaves(weights)))
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
