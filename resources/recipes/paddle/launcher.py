# SPDX-License-Identifier: Apache-2.0
"""paddle.distributed.launch with the address of this node that the other nodes know.

The launcher itself takes the address of the host's name, which on Debian and Ubuntu is 127.0.1.1: nodes then wait for
each other without end.
"""
import logging
import os

from paddle.distributed.launch.context.node import Node
from paddle.distributed.launch.main import launch


def address(_):
    rank = int(os.environ["DLPERF_NODE_RANK"])
    return os.environ["DLPERF_NODE_ADDRESSES"].split(",")[rank] if rank else os.environ["DLPERF_MASTER_ADDR"]


Node.get_host_ip = address
logging.getLogger("httpx").setLevel(logging.WARNING)  # else a line each time a node asks whether the others are there
launch()
