local wse = require "wse"
wse.write_text("out/other_names.csv", "B,cycles\n4,15\n")
wse.sweep{
  over = {P = {4, 8}},
  csv = "out/other_names.csv",
  run = function(p) return {cycles = 10 * p.P} end,
}
--- expect
--- sweep_other_names.lua:3: wse.sweep: out/other_names.csv has the columns B, cycles, this sweep has the points' names P; rename or remove it
