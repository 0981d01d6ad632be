local wse = require "wse"
wse.write_text("out/damaged.csv", "P,cycles\n4\n8,15\n")
wse.sweep{over = {P = {4}}, csv = "out/damaged.csv", run = function() return {cycles = 2} end}
--- expect
--- sweep_damaged_file.lua:3: wse.sweep: out/damaged.csv: line 2 has 1 cells; there are 2 titles
