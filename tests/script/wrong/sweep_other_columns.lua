local wse = require "wse"
wse.write_text("out/other_columns.csv", "P,seconds\n4,1.5\n")
wse.sweep{
  over = {P = {4, 8}},
  csv = "out/other_columns.csv",
  run = function(p) return {cycles = 10 * p.P} end,
}
--- expect
--- sweep_other_columns.lua:3: wse.sweep: out/other_columns.csv has the columns P, seconds, this sweep has the points' names P and the results cycles; rename or remove it
