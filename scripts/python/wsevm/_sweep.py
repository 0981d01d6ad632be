"""Many runs at once."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from ._waiting import interrupt_all


def sweep(
    f: Callable[..., Mapping[str, Any]],
    over: Mapping[str, Sequence[Any]],
    workers: Optional[int] = None,
) -> List[Dict[str, Any]]:
    """Calls f(**point) for every point of the product of `over`, in threads: machines run beside each other.

    f returns a mapping of results. Returns a dict for each point, in the order of the product: its values, then its
    results. workers: threads, else as many as there are processors. Errors: the first that f raises, once those that
    run have ended; Ctrl-C ends the runs.

        wsevm.sweep(lambda P: {"cycles": wsevm.run("reduce.wsa", P=P).cycles}, over={"P": [4, 16, 64]})
    """
    points = [dict(zip(over, values)) for values in itertools.product(*over.values())]
    processors = len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(max_workers=max(1, workers or processors)) as pool:
        futures = [pool.submit(f, **point) for point in points]
        try:
            return [{**point, **future.result()} for point, future in zip(points, futures)]
        except BaseException as error:
            for future in futures:
                future.cancel()
            if isinstance(error, KeyboardInterrupt):
                interrupt_all()
            raise
