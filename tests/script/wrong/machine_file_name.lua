-- Records would not tell it from the profile.
local wse = require "wse"
wse.write_text("out/wse2.lua", "return {hop_latency = 2}\n")
wse.run{text = ".grid 1, 1", machine = "out/wse2.lua"}
--- expect
--- machine_file_name.lua:4: wse.run: machine: out/wse2.lua: there is a profile called wse2; the name of the file is that of the machine
