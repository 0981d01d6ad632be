"""Records as notebooks show them, a card and a map of what each PE did; and programs, their lines with prices."""

from __future__ import annotations

import base64
import html
import re
import struct
import zlib
from typing import TYPE_CHECKING, List, Tuple

import numpy as np

from ._errors import Error

if TYPE_CHECKING:
    from ._record import Record

MOST_LINES = 600  # of a listing
MOST_LINE = 160  # characters of one
MOST_CELLS = 256  # of a side of the map
MAP_PIXELS = 256  # of its longer side, about


def png(values: np.ndarray) -> bytes:
    """A grey picture, a pixel for each number: white is the largest."""
    most = max(1.0, float(values.max(initial=0)))
    grey = np.round(values * (255 / most)).astype(np.uint8)
    height, width = grey.shape
    rows = b"".join(b"\0" + row.tobytes() for row in grey)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def reduced(values: np.ndarray) -> np.ndarray:
    """Means over tiles of k x k, so that no side has more than MOST_CELLS."""
    k = -(-max(values.shape) // MOST_CELLS)
    height, width = (-(-side // k) for side in values.shape)
    sums = np.zeros((height, width))
    counts = np.zeros((height, width))
    y, x = np.indices(values.shape) // k
    np.add.at(sums, (y, x), values)
    np.add.at(counts, (y, x), 1)
    return sums / counts


def _rows(record: "Record") -> List[Tuple[str, str]]:
    width, height = record["grid"]
    rows = [
        ("status", record.status),
        ("cycles", f"{record.cycles:,}"),
        ("machine", f"{record['machine']}, {width} x {height} PEs"),
        ("instructions", f"{record['instructions']:,}"),
        ("wavelets", f"{record['fabric']['wavelets']:,}"),
        ("hops", f"{record['fabric']['hops']:,}"),
    ]
    total = sum(record["pe_cycles"].values())
    if total > 0:
        rows.append(("busy", f"{100 * record['pe_cycles']['busy'] / total:.1f} % of PE cycles"))
    if record.message:
        rows.append(("message", record.message))
    return rows


def _map(record: "Record") -> str:
    try:
        busy = record.profile["busy"]
    except (Error, KeyError):
        return ""
    cells = reduced(busy)
    scale = max(1, MAP_PIXELS // max(cells.shape))
    data = base64.b64encode(png(cells)).decode("ascii")
    return (
        f'<figure><img alt="cycles in which each PE was busy" width="{cells.shape[1] * scale}" '
        f'height="{cells.shape[0] * scale}" style="image-rendering:pixelated" src="data:image/png;base64,{data}">'
        f"<figcaption>busy cycles of each PE, at most {int(busy.max(initial=0)):,}</figcaption></figure>"
    )


def record_html(record: "Record") -> str:
    """A page of at most 200 kB in a frame of its own."""
    cells = "".join(
        f'<tr><th style="text-align:left">{html.escape(name)}</th><td>{html.escape(value)}</td></tr>'
        for name, value in _rows(record)
    )
    page = (
        '<!doctype html><meta charset="utf-8"><body style="font:14px sans-serif;margin:4px">'
        f'<div style="display:flex;gap:2em"><table>{cells}</table>{_map(record)}</div>'
    )
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox style="border:0;width:100%;height:320px" '
        'title="a run of wsevm"></iframe>'
    )


_SOURCE = re.compile(r"^(\S+:\d+: )(.*)$")
_PARTS = re.compile(r"(;.*)|(\"[^\"]*\")|((?<![\w.])\.[a-z]\w*)|(?<![\w.])(\d[\w.]*)")
_COLOURS = ("#777", "#a31515", "#7a3e9d", "#09658a")  # comments, strings, directives, numbers


def _coloured(line: str) -> str:
    """A line of source in colours."""
    shown, done = "", 0
    for match in _PARTS.finditer(line):
        colour = _COLOURS[(match.lastindex or 1) - 1]
        shown += html.escape(line[done : match.start()])
        shown += f'<span style="color:{colour}">{html.escape(match.group())}</span>'
        done = match.end()
    return shown + html.escape(line[done:])


def listing_html(listing: str) -> str:
    """A listing in colours: lines of source stand out, what the assembler added is marked. At most 600 lines."""
    rows = []
    lines = listing.splitlines()
    for line in lines[:MOST_LINES]:
        line = line if len(line) <= MOST_LINE else line[:MOST_LINE] + " ..."
        source = _SOURCE.match(line)
        if source:
            rows.append(f'<span style="color:#777">{html.escape(source[1])}</span><b>{_coloured(source[2])}</b>')
        elif line.startswith("  +"):
            rows.append(f'<span style="opacity:0.6">{html.escape(line)}</span>')
        else:
            rows.append(_coloured(line))
    if len(lines) > MOST_LINES:
        rows.append(f"... and {len(lines) - MOST_LINES} lines more: print(program.listing)")
    return '<pre style="line-height:1.2;overflow:auto;max-height:480px">' + "\n".join(rows) + "</pre>"
