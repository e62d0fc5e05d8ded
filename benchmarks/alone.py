"""One call in a process of its own, which may use so much time and memory.

A process that ends without a result has its reason as `status`: what fails is recorded
as well.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import multiprocessing
import resource
import signal
import warnings
from pathlib import Path


def alone(call, limit, memory):
    """Return the dict that a call returns, with its `status`.

    `limit` are seconds of the processor, and `memory` bytes of addresses.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, call, limit, memory))
    process.start()
    sender.close()
    try:
        found = receiver.recv()
    except EOFError:
        found = None
    process.join()
    if found is not None:
        return found
    if process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"status": f"more than {limit} s"}
    return {"status": f"ended with {process.exitcode}"}


def _send(sender, call, limit, memory):
    """Call within the limits, and send what is found."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    warnings.simplefilter("ignore")
    try:
        found = {"status": "done"} | call()
    except Exception as error:
        found = {"status": f"{type(error).__name__}: {error}"[:200]}
    sender.send(found)


def forget_peak():
    """Let `peak` count from the memory that is resident now (Linux only)."""
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def peak():
    """Return the most memory that was resident in this process, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
