-- A number of the machine that there is not.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = {base = "wse3", hop_latncy = 2}}
--- expect
--- machine_parameter.lua:3: wse.run: machine: unknown parameter 'hop_latncy'; did you mean 'hop_latency'?
