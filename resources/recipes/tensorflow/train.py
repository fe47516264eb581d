# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 of Keras, data parallel by MultiWorkerMirroredStrategy; launch.sh starts a process a device."""
import json
import os
import sys

import keras
import tensorflow as tf

import training


class LossScale(keras.optimizers.LossScaleOptimizer):
    """Keras looks for overflow in a worker's own gradients, before they are summed: here all workers decide alike."""

    def check_finite(self, grads):
        finite = tf.cast(super().check_finite(grads), tf.float32)
        context = tf.distribute.get_replica_context()
        return tf.equal(context.all_reduce(tf.distribute.ReduceOp.SUM, finite), context.num_replicas_in_sync)


def version_1_5(layer):
    """Keras has v1: the stride moves from a block's first 1x1 convolution to its 3x3 one. A batch norm follows each
    convolution, so none needs a bias."""
    config = layer.get_config()
    if isinstance(layer, keras.layers.Conv2D):
        config["use_bias"] = False
        if layer.name in ("conv3_block1_1_conv", "conv4_block1_1_conv", "conv5_block1_1_conv"):
            config["strides"] = (1, 1)
        elif layer.name in ("conv3_block1_2_conv", "conv4_block1_2_conv", "conv5_block1_2_conv"):
            config["strides"] = (2, 2)
    return type(layer).from_config(config)


def resnet50(opts):
    network = keras.applications.ResNet50(weights=None, input_shape=(opts.image_size, opts.image_size, 3),
                                          classes=opts.classes, classifier_activation=None)
    return keras.models.clone_model(network, clone_function=version_1_5)


def image_folder(opts, rank, world_size):
    """Batches of a folder, decoded, cropped and mirrored as ResNet50 is usually trained; each rank gets its share."""
    classes = sorted(entry.name for entry in os.scandir(opts.data) if entry.is_dir())
    files = [(os.path.join(opts.data, name, file), label) for label, name in enumerate(classes)
             for file in sorted(os.listdir(os.path.join(opts.data, name)))]

    if not files:
        sys.exit("the data folder holds no folder with images")

    def decoded(path, label):
        image = tf.io.decode_image(tf.io.read_file(path), channels=3, expand_animations=False)
        begin, size, _ = tf.image.sample_distorted_bounding_box(
            tf.shape(image), tf.zeros((1, 0, 4)), area_range=(0.08, 1), aspect_ratio_range=(3 / 4, 4 / 3),
            use_image_if_no_bounding_boxes=True)
        image = tf.ensure_shape(tf.slice(image, begin, size), (None, None, 3))
        image = tf.image.random_flip_left_right(tf.image.resize(image, (opts.image_size, opts.image_size)))
        return (image / 255 - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225), label

    paths, labels = zip(*files)
    images = tf.data.Dataset.from_tensor_slices((list(paths), list(labels))).shuffle(len(files), opts.seed)
    images = images.take(len(files) // world_size * world_size).shard(world_size, rank).map(decoded, opts.workers)
    # Repeated here: to begin anew in Python can take seconds.
    images = images.batch(opts.batch_size, drop_remainder=True).repeat().prefetch(2)
    threads = tf.data.Options()
    threads.threading.private_threadpool_size = opts.workers
    return training.endless(images.with_options(threads)), len(files)


def synthetic(opts, rank):
    """One batch in the device's memory, again and again."""
    random = tf.random.Generator.from_seed(opts.seed + rank)
    images = random.normal((opts.batch_size, opts.image_size, opts.image_size, 3))
    labels = random.uniform((opts.batch_size,), maxval=opts.classes, dtype=tf.int64)
    return training.endless([(images, labels)]), 0


def main():
    opts = training.options("TensorFlow")
    cluster = json.loads(os.environ["TF_CONFIG"])
    rank, world_size = cluster["task"]["index"], len(cluster["cluster"]["worker"])
    cuda = opts.backend != "cpu" and len(tf.config.list_physical_devices("GPU")) > 0
    if opts.backend == "cuda" and not cuda:
        sys.exit("TensorFlow finds no GPU that it can use")
    tf.config.threading.set_intra_op_parallelism_threads(opts.threads)
    if not cuda:
        tf.config.threading.set_inter_op_parallelism_threads(1)
    distribute = tf.distribute.experimental
    strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=distribute.CommunicationOptions(
        implementation=distribute.CommunicationImplementation("NCCL" if cuda else "RING")))

    keras.utils.set_random_seed(opts.seed)
    amp = opts.precision == "amp"
    if amp:
        keras.mixed_precision.set_global_policy("mixed_float16" if cuda else "mixed_bfloat16")
    rate = training.learning_rate(opts, world_size)
    with strategy.scope():
        network = resnet50(opts)
        optimizer = keras.optimizers.SGD(rate, opts.momentum)
        if amp and cuda:
            optimizer = LossScale(optimizer)
        optimizer.build(network.trainable_variables)

    def replica(images, labels):
        with tf.GradientTape() as tape:
            outputs = tf.cast(network(images, training=True), tf.float32)
            loss = tf.reduce_mean(keras.losses.categorical_crossentropy(
                tf.one_hot(labels, opts.classes), outputs, from_logits=True, label_smoothing=opts.label_smoothing))
            share = optimizer.scale_loss(1 / world_size)  # the optimizer sums the workers' gradients
            scaled = loss * share
        weights = network.trainable_variables
        # Keras' own weight decay goes past the momentum.
        optimizer.apply([gradient + share * opts.weight_decay * weight
                         for gradient, weight in zip(tape.gradient(scaled, weights), weights)], weights)
        return loss

    step = tf.function(lambda *batch: strategy.run(replica, batch))

    batches, epoch_size = image_folder(opts, rank, world_size) if opts.data else synthetic(opts, rank)
    log = training.Log(opts, rank, world_size, epoch_size, framework="TensorFlow", version=tf.__version__,
                       backend="cuda" if cuda else "cpu")
    for _ in range(opts.iterations):
        log.iteration(step(*log.batch(batches)))
    training.print_checksum(rank, (weight.numpy() for weight in network.trainable_variables))
    strategy.reduce(tf.distribute.ReduceOp.SUM, tf.ones(()), axis=None)  # all are here
    if rank > 0:
        os._exit(0)  # at once: the first rank coordinates the others, which call it an error if it ends before they do


if __name__ == "__main__":
    main()
