local wse = require "wse"
wse.write_text("out/other_columns.csv", "P,seconds\n4,1.5\n")
wse.sweep{
  over = {P = {4, 8}},
  csv = "out/other_columns.csv",
  run = function(p) return {cycles = 10 * p.P} end,
}
