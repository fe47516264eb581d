# SPDX-License-Identifier: Apache-2.0
"""Logs of gluon-cv, NVIDIA's MXNet example, gluon-nlp and InsightFace."""
from write.clock import Clock
from write.values import loss, taking_turns


def gluon_cv(rng, where, warmup, train, base, odd):
    """Exactly as many speeds as iterations, or its extractor stops."""
    clock, lines = Clock(rng, base), []
    for batch in range(1, train + 1):
        lines.append(f"INFO:root:Epoch[0] Batch[{batch}]\tSpeed: {where.total_batch / clock.step():.2f} samples/sec")
        if odd:
            lines.append(f"INFO:root:Epoch[0] Rank[0] Batch[{batch}]\taccuracy=0.000000\tlr=0.100000")
    return lines


def ngc_resnet50(rng, where, warmup, train, base, odd):
    """Every rank prints the speed of all; rank prefixes, where there are, are those of mpirun."""
    between_lines = type(base)(base / where.world)
    clock, lines = Clock(rng, between_lines, odd), []
    prefixed = rng.random() < 0.5
    for batch, rank in taking_turns(rng, train, where.world):
        speed = where.batch / clock.step()
        prefix = f"[1,{rank}]<stderr>:" if prefixed else ""
        lines.append(f"{prefix}{clock.milli()}:INFO: Epoch[0] Batch [{batch}-{batch}]\t"
                     f"Speed: {speed:.{rng.randint(2, 9)}f} samples/sec\tLR: 0.256\t")
    return lines


def ngc_resnet50_more(rng, where, warmup, train, base, odd):
    """Lines behind the window do not disturb the extractor that reads stamps."""
    return ngc_resnet50(rng, where, warmup, train + rng.randint(0, 2), base, odd)


def gluon_nlp(rng, where, warmup, train, base, odd):
    clock, lines = Clock(rng, base), []
    prefixed = rng.random() < 0.5
    for step, rank in taking_turns(rng, train, where.world):
        seconds = clock.step()
        prefix = f"[1,{rank}]<stderr>:" if prefixed else ""
        accuracy = "mlm_acc=1.23450\tnsp_acc=51.2\t" if odd else ""
        lines.append(f"{prefix}INFO:root:[step {step + 1}]\tmlm_loss={loss(rng, odd)}\tnsp_loss= 0.72\t{accuracy}"
                     f"throughput={0.4 / seconds:.1f}K tks/s\tlr=0.0000005 time={seconds:.2f}, "
                     f"latency={seconds * 1000:.1f} ms/batch")
    return lines


def arcface(rng, where, warmup, train, base, odd):
    """A line every 20 batches, with or without a metric."""
    clock, lines, metric = Clock(rng, base), [], rng.random() < 0.6
    for batch in range(20, train + 20 * rng.randint(1, 3), 20):
        speed = f"Speed: {where.batch * where.gpus / clock.step():.2f} samples/sec"
        if metric:
            lines.append(f"INFO:root:Epoch[0] Batch [{batch - 20}-{batch}]\t{speed}\tacc=0.000000\t"
                         f"lossvalue={loss(rng, odd, '.6f')}")
        else:
            lines.append(f"INFO:root:Iter[0] Batch [{batch}]\t{speed}")
    return lines


def partial_fc(rng, where, warmup, train, base, odd):
    clock, lines = Clock(rng, base), []
    for iteration in range(1, train + rng.randint(0, 5) + 1):
        speed = where.batch / clock.step()
        lines.append(f"INFO:root:Iter:{iteration} Rank:{speed:.2f} it/sec Total:{speed * where.world:.2f} it/sec "
                     f"[0][loss]:{loss(rng, odd, '.2f')}")
    return lines
