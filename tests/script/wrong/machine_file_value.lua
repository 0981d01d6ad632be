-- Nothing is returned.
local wse = require "wse"
wse.write_text("out/nothing.lua", "local hop_latency = 2\n")
wse.run{text = ".grid 1, 1", machine = "out/nothing.lua"}
