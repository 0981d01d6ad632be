-- With its unit and without.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = {hop_latency = 2, hop_latency_cycles = 3}}
--- expect
--- machine_twice.lua:3: wse.run: machine: hop_latency_cycles is given twice
