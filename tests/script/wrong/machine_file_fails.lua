-- The file is a script: its errors have its lines.
local wse = require "wse"
wse.write_text("out/fails.lua", "local hop\nreturn {hop_latency = hop + 1}\n")
wse.run{text = ".grid 1, 1", machine = "out/fails.lua"}
--- expect
--- out/fails.lua:2: attempt to perform arithmetic on a nil value (local 'hop')
