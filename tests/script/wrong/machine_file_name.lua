-- Records would not tell it from the profile.
local wse = require "wse"
wse.write_text("out/wse2.lua", "return {hop_latency = 2}\n")
wse.run{text = ".grid 1, 1", machine = "out/wse2.lua"}
