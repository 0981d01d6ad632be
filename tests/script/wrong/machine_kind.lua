-- Not a whole number.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = {hop_latency = 1.5}}
--- expect
--- machine_kind.lua:3: wse.run: machine: hop_latency_cycles: a whole number in 1..16777216 (cycles) is wanted, not 1.5
