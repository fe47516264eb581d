# SPDX-License-Identifier: Apache-2.0
"""Logs of TensorFlow 2's official models and of NVIDIA's TensorFlow 1 examples."""
from write.clock import Clock, Even
from write.values import loss


def official_resnet50(rng, where, warmup, train, base, odd):
    """A line every hundred steps."""
    clock = Clock(rng, base if isinstance(base, Even) else min(base, 0.37), dated=False)
    lines = []
    for step in range(100, train + 100 * rng.randint(1, 3), 100):
        seconds = clock.step(100) * 100
        lines.append(f"{clock.glog()} 140266544322368 keras_utils.py:145] TimeHistory: {seconds:.2f} seconds, "
                     f"{where.total_batch * 100 / seconds:.2f} examples/second between steps {step - 100} and {step}")
    return lines


def official_bert(rng, where, warmup, train, base, odd):
    clock = Clock(rng, base, dated=False)
    last = train + rng.randint(0, 5)
    lines = []
    for step in range(1, last + 1):
        clock.step()
        lines.append(f"{clock.glog()} 140266544322368 model_training_utils.py:450] Train Step: {step}/{last}  / "
                     f"loss = {loss(rng, odd, '.9f')}")
    return lines


def ngc_resnet50(rng, where, warmup, train, base, odd):
    """The hook prints from step 20 on; an empty unit leaves two blanks."""
    clock = Clock(rng, base, odd)
    digits = rng.choice([1, 2, 10]) if odd else 10
    lines = []
    for step in range(20, train + rng.randint(0, 5)):
        speed = where.total_batch / clock.step()
        lines.append(f"DLL {clock.micro()} - (0, {step}) imgs_per_sec : {speed:.{digits}f}  "
                     f"cross_entropy : {loss(rng, odd)}  l2_loss : 0.981  total_loss : {loss(rng, odd)}  "
                     f"learning_rate : {rng.uniform(1e-6, 1e-5):.3g} ")
    lines.append(f"DLL {clock.micro()} - (0,) cross_entropy : 8.1  l2_loss : 0.981 ")
    return lines


def ngc_bert(rng, where, warmup, train, base, odd):
    """Iteration 1 and every tenth. The time extractor looks for the bare digits of the window's ends in the line, so
    no later iteration may begin with them."""
    clock = Clock(rng, base, odd)
    iterations = [1, *range(10, train + 10 * rng.randint(1, 2), 10)]
    lines = []
    for iteration in iterations:
        speed = where.total_batch / clock.step(10)
        rank = "Rank : 0 " if odd else ""
        lines.append(f"DLL {clock.micro()} - Iteration: {iteration}  {rank}throughput_train : {speed:.3f} seq/s "
                     f"mlm_loss : {loss(rng, odd)}  nsp_loss : 0.7101  total_loss : {loss(rng, odd)}  "
                     f"avg_loss_step : 11.1113  learning_rate : {rng.uniform(0, 1e-5):.2g} ")
    lines.append(f"DLL {clock.micro()} -  throughput_train : 105.000 seq/s ")
    return lines
