#!/usr/bin/env python3
"""sums.py PROFILE.npz RECORD.json: whether each sum of a profile is the number of the record. Prints what differs."""
import json
import sys

import numpy

# In the order of the array `activity`, which is not that of the record.
ACTIVITIES = ("busy", "memory_stall", "wait_output", "wait_input", "idle")


def checks(profile, record):
    """Yields a name, what the profile adds up to, and what the record says."""
    for name, cycles in record["pe_cycles"].items():
        yield name, profile[name].sum(dtype=numpy.uint64), cycles
    for name in ("instructions", "elements", "flops"):
        yield name, profile[name].sum(dtype=numpy.uint64), record[name]
    fabric = record["fabric"]
    link, ramp = profile["link"], profile["ramp"]
    yield "hops", link.sum(dtype=numpy.uint64), fabric["hops"]
    yield "wavelets", ramp[1].sum(dtype=numpy.uint64), fabric["wavelets"]
    yield "links_used", numpy.count_nonzero(link), fabric["links_used"]
    yield "max_link_load", link.max(), fabric["max_link_load"]
    yield "max_ramp_wavelets", ramp[0].max(), fabric["max_ramp_wavelets"]
    pe_cycles = sum(record["pe_cycles"].values())
    placed = numpy.count_nonzero(profile["program"] != 0xFFFFFFFF)
    yield "cycles of PEs with a program", placed * record["cycles"], pe_cycles
    if "activity" in profile:
        by_activity = profile["activity"].sum(axis=(1, 2, 3), dtype=numpy.uint64)
        for name, found in zip(ACTIVITIES, by_activity, strict=True):
            yield f"{name} over time", found, record["pe_cycles"][name]
        yield "end of the slices", profile["slices"][-1], record["cycles"]
    if "links_t" in profile:
        yield "hops over time", profile["links_t"].sum(dtype=numpy.uint64), fabric["hops"]
        by_port = profile["links_t"].sum(axis=(1, 2, 3), dtype=numpy.uint64)
        yield "ports over time", (by_port == link.sum(axis=(1, 2), dtype=numpy.uint64)).sum(), by_port.size
    if "line_cycles" in profile:
        yield "cycles of lines", profile["line_cycles"].sum(dtype=numpy.uint64), pe_cycles
        causes = profile["line_cause"].sum(axis=1, dtype=numpy.uint64)
        yield "lines whose causes add up", (causes == profile["line_cycles"]).sum(), causes.size


def shapes(profile, meta):
    """Yields a name, the shape of an array, and the shape that it should have."""
    width, height = meta["record"]["grid"]
    for name in ("busy", "memory_stall", "wait_output", "wait_input", "idle", "instructions", "elements", "flops",
                 "sent", "received", "tasks", "halted_at", "queue_peak", "program"):
        yield name, profile[name].shape, (height, width)
    yield "link", profile["link"].shape, (len(meta["ports"]), height, width)
    yield "ramp", profile["ramp"].shape, (2, height, width)


def main():
    profile = numpy.load(sys.argv[1])
    with open(sys.argv[2]) as file:
        record = json.load(file)
    meta = json.loads(profile["meta"].tobytes())
    wrong = [f"{name}: {found}, not {wanted}" for name, found, wanted in (*checks(profile, record), *shapes(profile, meta))
             if found != wanted]
    for name, value in meta["record"].items():
        if record[name] != value:
            wrong.append(f"meta.record.{name}: {value}, not {record[name]}")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
