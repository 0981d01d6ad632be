#!/usr/bin/env python3
"""values.py PROFILE.npz: 12 PEs' values of each array of PEs, links and ramps, as JSON for browser.mjs."""
import json
import sys

import numpy

PLAIN = {"busy": "busy", "memory_stall": "memory stall", "wait_output": "waiting for output", "wait_input": "waiting for input",
         "idle": "idle", "instructions": "instructions", "elements": "elements", "flops": "flops", "sent": "sent",
         "received": "received", "tasks": "tasks picked"}
profile = numpy.load(sys.argv[1])
meta = json.loads(profile["meta"].tobytes())
arrays = {label: profile[name] for name, label in PLAIN.items()}
arrays |= {f"link {port}": profile["link"][k] for k, port in enumerate(meta["ports"])}
arrays |= {f"ramp {name}": profile["ramp"][k] for k, name in enumerate(("down", "up"))}
height, width = profile["busy"].shape
places = [(k * 7 % width, k * 5 % height) for k in range(12)]
values = {label: {f"{x},{y}": int(array[y, x]) for x, y in places} for label, array in arrays.items()}
json.dump({"width": width, "height": height, "values": values}, sys.stdout)
