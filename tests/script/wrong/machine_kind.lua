-- Not a whole number.
local wse = require "wse"
wse.run{text = ".grid 1, 1", machine = {hop_latency = 1.5}}
