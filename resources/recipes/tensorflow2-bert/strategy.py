# SPDX-License-Identifier: Apache-2.0
"""Runs official.nlp.bert.run_pretraining of TensorFlow's models r2.3.0, which has options for XLA and for several nodes
but never reads them:

    python strategy.py OPTIONS…

Before it asks for its distribution strategy they are made to hold, as DLPerf's change of its file did.
"""
from absl import app, flags
from official.nlp.bert import run_pretraining
from official.utils.misc import distribution_utils, keras_utils

usual = distribution_utils.get_distribution_strategy


def strategy(**arguments):
    options = flags.FLAGS
    keras_utils.set_session_config(enable_xla=options.enable_xla)
    distribution_utils.configure_cluster(options.worker_hosts, options.task_index)
    return usual(all_reduce_alg=options.all_reduce_alg, **arguments)


if __name__ == "__main__":
    distribution_utils.get_distribution_strategy = strategy
    app.run(run_pretraining.main)
