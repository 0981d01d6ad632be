#!/usr/bin/env python3
"""optional.py IN.npz OUT.npz: the profile with classes, causes of lines, slices of time, fullest queues and marks, made up."""
import json
import sys

import numpy

arrays = dict(numpy.load(sys.argv[1]))
meta = json.loads(arrays["meta"].tobytes())
height, width = arrays["busy"].shape
y, x = numpy.mgrid[0:height, 0:width]
arrays["class"] = (x == 0).astype(numpy.uint16)
arrays["queue_peak"] = (x % 3).astype(numpy.uint8)
arrays["mark_first"] = (10 * y + x).astype(numpy.uint64)[None]
half = arrays["line_cycles"] // 2
arrays["line_cause"] = numpy.stack([half, arrays["line_cycles"] - half, 0 * half], axis=1).astype(numpy.uint64)
count, tile = 4, 2
cycles = meta["record"]["cycles"]
arrays["slices"] = numpy.array([k * cycles // count for k in range(count + 1)], dtype=numpy.uint64)
shape = (count, -(-height // tile), -(-width // tile))
arrays["activity"] = numpy.arange(5 * numpy.prod(shape), dtype=numpy.uint32).reshape(5, *shape) * tile * tile
arrays["links_t"] = numpy.zeros((len(meta["ports"]), *shape), dtype=numpy.uint32)
meta |= {"classes": [{"line": "heat.wsa:12", "waits for": "west"}, "halted"], "causes": ["issue", "input", "bank"],
         "marks": ["begin"], "slices": {"count": count, "tile": tile}}
arrays["meta"] = numpy.frombuffer(json.dumps(meta).encode(), dtype=numpy.uint8)
numpy.savez_compressed(sys.argv[2], **arrays)
