-- Nothing is returned.
local wse = require "wse"
wse.write_text("out/nothing.lua", "local hop_latency = 2\n")
wse.run{text = ".grid 1, 1", machine = "out/nothing.lua"}
--- expect
--- machine_file_value.lua:4: wse.run: machine: out/nothing.lua: a table such as {base = "wse2", hop_latency = 2} is wanted, not nil
